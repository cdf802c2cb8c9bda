import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readNpy, type NpyMatrix } from '../core/numerics/npy';
import { hasShared, sharedPath } from './shared';

/** Names of the runs with reference numbers; empty where the samples are absent. */
export const oracleRuns: string[] = hasShared && existsSync(sharedPath('oracles/runs')) ? readdirSync(sharedPath('oracles/runs')).sort() : [];

/** Encoders with reference geometry, by the short name used in file names. */
export const oracleEncoders = ['static-minilm-384', 'minilm-l6-v2-f32', 'hashed-1024'] as const;

/** A reference file as JSON of the given (expected) shape. */
export function oracleJson<T>(...parts: string[]): T {
  return JSON.parse(readFileSync(sharedPath('oracles', ...parts), 'utf8')) as T;
}

export function oracleMatrix(run: string, file: string): NpyMatrix {
  return readNpy(readFileSync(sharedPath('oracles/runs', run, `${file}.npy`)));
}
