import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { bytesSource } from '../core/base/byte-source';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { FORMATS } from '../core/import/registry';
import { readNpy, type NpyMatrix } from '../core/numerics/npy';
import type { Message } from '../core/trace/model';
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

/** Messages of a reference run's main thread, through the real importer. */
export async function oracleMessages(run: string): Promise<Message[]> {
  const { file, trajectory } = oracleJson<{ file: string; trajectory: number }>('runs', run, 'blocks.json');
  const source = bytesSource(file, readFileSync(sharedPath('trajectories', file)));
  const imported = await importSource(source);
  const found = imported.trajectories.find((candidate) => candidate.indexInFile === trajectory) ?? imported.trajectories[trajectory]!;
  const messages: Message[] = [];
  await createTraceReader(source, found).readMessages(found.threads[0]!.main, (message) => void messages.push(message));
  return messages;
}

/** Runs whose format can be read (a sample's folder is its format's id). */
export const readableRuns: string[] = oracleRuns.filter((run) => {
  const { file } = oracleJson<{ file: string }>('runs', run, 'blocks.json');
  return FORMATS.some((format) => file.startsWith(`${format.id}/`));
});
