/**
 * Encoders that the user brings (embedding.md §2 "yours"): an ONNX model with its tokenizer, or vectors made elsewhere.
 * The id holds everything that changes a number, so that two settings of one model are two encoders.
 */
import { ContextscopeError } from '../base/errors';
import { sha256Hex } from '../base/sha256';
import type { EncoderId, EncoderSpec, OwnEncoderId } from './types';

/** `none`: the output is already one vector a text. */
export const POOLINGS = ['mean', 'cls', 'last', 'none'] as const;
export type Pooling = (typeof POOLINGS)[number];

/** What is fed to a model: token ids, ones, zeros, 0…S−1. Names of its inputs; null = the model has no such input. */
export interface OnnxInputs { ids: string; mask: string | null; types: string | null; positions: string | null }

export interface OnnxSettings {
  inputs: OnnxInputs;
  output: string;
  pooling: Pooling;
  /** Put before every text, e.g. "passage: ". */
  prefix: string;
  /** Positions of one window, special tokens included. A longer text is cut into windows, at most four (first and last two). */
  maxTokens: number;
  /** The tokenizer's own, at both ends of every window. */
  specialTokens: boolean;
  /** Window vectors to unit length before they are averaged by their positions; the result always is. */
  normaliseWindows: boolean;
  /** The first so many numbers of each vector are kept (a Matryoshka prefix where fewer than the model gives). */
  dim: number;
}

export interface OwnEncoderInfo {
  id: OwnEncoderId;
  kind: 'onnx' | 'vectors';
  name: string;
  dim: number;
  sizeBytes: number;
  /** SHA-256 of the model or of the file of vectors. */
  sha256: string;
  addedMs: number;
  tokenizerSha256?: string;
  settings?: OnnxSettings;
  /** Vectors in the file. */
  rows?: number;
  /** Those of them found by the hash of a text, whatever the run; absent = brought before this was counted. */
  byHash?: number;
}

export const OWN_ID = /^(onnx|vectors):[0-9a-f]{12}$/;
const DIGITS = 12;

export function isOwnId(id: string): id is OwnEncoderId {
  return OWN_ID.test(id);
}

export const isVectorsId = (id: EncoderId): boolean => id.startsWith('vectors:');

/** `onnx:` and the first digits of the hash over model, tokenizer and settings. */
export function onnxId(modelSha256: string, tokenizerSha256: string, settings: OnnxSettings): OwnEncoderId {
  const { inputs, output, pooling, prefix, maxTokens, specialTokens, normaliseWindows, dim } = settings;
  // An order of our own: the same settings from a form and from a file give the same id.
  const named = [modelSha256, tokenizerSha256, inputs.ids, inputs.mask, inputs.types, inputs.positions, output, pooling, prefix, maxTokens, specialTokens, normaliseWindows, dim];
  return `onnx:${sha256Hex(JSON.stringify(named)).slice(0, DIGITS)}`;
}

export const vectorsId = (sha256: string): OwnEncoderId => `vectors:${sha256.slice(0, DIGITS)}`;

/** As the registry holds it: named, with its hash. */
export function specOfOwn({ id, name, dim, sizeBytes, sha256 }: OwnEncoderInfo): EncoderSpec {
  return { id, cliName: id, title: `${name} (${id})`, dim, modelFile: null, modelBytes: sizeBytes, sha256, approximate: false };
}

const MOST_TOKENS = 1 << 17;
const MOST_NUMBERS = 1 << 16;

/** Settings from an `encoder.json` or a form. Throws 'bad-argument' naming the field, what was expected and what was found. */
export function parseOnnxSettings(value: unknown, where: string): OnnxSettings {
  const record = recordOf(value, where, 'an object');
  const inputs = recordOf(record['inputs'], where, '"inputs" to be an object');
  const fail = (field: string, expected: string, found: unknown): never => {
    throw new ContextscopeError('bad-argument', `${where}: expected "${field}" to be ${expected}, found ${JSON.stringify(found) ?? 'nothing'}.`, { file: where });
  };
  const name = (field: string, found: unknown): string => (typeof found === 'string' && found !== '' ? found : fail(field, 'the name of an input or output of the model', found));
  const optional = (field: string, found: unknown): string | null => (found === null || found === undefined || found === '' ? null : name(field, found));
  const flag = (field: string, fallback: boolean): boolean => (record[field] === undefined ? fallback : typeof record[field] === 'boolean' ? record[field] : fail(field, 'true or false', record[field]));
  const whole = (field: string, min: number, max: number): number => {
    const found = record[field];
    return typeof found === 'number' && Number.isInteger(found) && found >= min && found <= max ? found : fail(field, `a whole number from ${min} to ${max}`, found);
  };
  const prefix = record['prefix'] ?? '';
  return {
    inputs: { ids: name('inputs.ids', inputs['ids']), mask: optional('inputs.mask', inputs['mask']), types: optional('inputs.types', inputs['types']), positions: optional('inputs.positions', inputs['positions']) },
    output: name('output', record['output']),
    pooling: POOLINGS.find((pooling) => pooling === record['pooling']) ?? fail('pooling', `one of ${POOLINGS.join(', ')}`, record['pooling']),
    prefix: typeof prefix === 'string' ? prefix : fail('prefix', 'a text', prefix),
    maxTokens: whole('maxTokens', 3, MOST_TOKENS),
    specialTokens: flag('specialTokens', true),
    normaliseWindows: flag('normaliseWindows', true),
    dim: whole('dim', 1, MOST_NUMBERS),
  };
}

function recordOf(value: unknown, where: string, expected: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new ContextscopeError('bad-argument', `${where}: expected ${expected}.`, { file: where });
}
