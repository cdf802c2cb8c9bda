import { ContextscopeError } from '../base/errors';
import type { BundledEncoderId, EncoderId, EncoderSpec } from './types';

/** How a text becomes vectors (embedding.md §2). `windows`: most windows of 254 pieces that are run, null = all. */
export type EncoderPlan =
  /** Windows as its own settings say (own-onnx.ts), or nothing to compute (vectors). */
  | { kind: 'own' }
  | { kind: 'hashed' }
  /** All word pieces in one run, no special tokens; the model gives the unit vector. */
  | { kind: 'whole' }
  | { kind: 'windows'; most: number | null };

const INT8 = {
  modelFile: 'minilm-l6-v2-int8/model.onnx',
  modelBytes: 23_287_826,
  sha256: '0c076efdcd84d1a0c640870b4ac5822135bd36b523fddee9cc683eac301469e5',
};

/** Every bundled encoder, in the order in which they are offered. Ids name everything that changes a number. */
export const ENCODERS: readonly EncoderSpec[] = [
  {
    id: 'static-minilm-384@1',
    cliName: 'static',
    title: 'Static table (instant, approximate)',
    dim: 384,
    modelFile: 'static-minilm-384/model.onnx',
    modelBytes: 11_843_026,
    sha256: '4ae17e473c91dfdce3d05061b15abbb108a0534a23caa0bdee4aaa9162904e03',
    approximate: true,
  },
  { id: 'minilm-l6-v2-int8@1', cliName: 'minilm', title: 'MiniLM (int8)', dim: 384, ...INT8, approximate: false },
  {
    id: 'minilm-l6-v2-f32@1',
    cliName: 'minilm-f32',
    title: 'MiniLM (float32)',
    dim: 384,
    modelFile: 'minilm-l6-v2-f32/model.onnx',
    modelBytes: 23_070_256,
    sha256: 'db531bbed3dfbb865e590f7ed2326108c1b05e491cfd34827792e71cb9685447',
    approximate: false,
  },
  { id: 'minilm-l6-v2-int8-all@1', cliName: 'minilm-all', title: 'MiniLM (int8), all windows', dim: 384, ...INT8, approximate: false },
  { id: 'hashed-1024@1', cliName: 'hashed', title: 'Hashed letter pairs and words', dim: 1024, modelFile: null, modelBytes: 0, sha256: null, approximate: false },
];

/** Above four windows: the first two and the last two (embedding.md §2). */
export const MOST_WINDOWS = 4;

const PLANS: Record<BundledEncoderId, EncoderPlan> = {
  'static-minilm-384@1': { kind: 'whole' },
  'minilm-l6-v2-int8@1': { kind: 'windows', most: MOST_WINDOWS },
  'minilm-l6-v2-f32@1': { kind: 'windows', most: MOST_WINDOWS },
  'minilm-l6-v2-int8-all@1': { kind: 'windows', most: null },
  'hashed-1024@1': { kind: 'hashed' },
};

export const encoderPlan = (id: EncoderId): EncoderPlan => (isBundled(id) ? PLANS[id] : { kind: 'own' });

export function isBundled(id: EncoderId): id is BundledEncoderId {
  return Object.hasOwn(PLANS, id);
}

/** Encoders that the user brought, as far as this thread has heard of them (page, worker or command line). */
const own = new Map<string, EncoderSpec>();

/** From now on `encoderById` knows it; the newest description of an id counts. */
export function registerEncoder(spec: EncoderSpec): void {
  own.set(spec.id, spec);
}

export function unregisterEncoder(id: EncoderId): void {
  own.delete(id);
}

/** The spec of an id; `not-found` names the ids there are. */
export function encoderById(id: string): EncoderSpec {
  const spec = ENCODERS.find((encoder) => encoder.id === id) ?? own.get(id);
  if (spec === undefined) throw new ContextscopeError('not-found', `No encoder is called "${id}". There are: ${ENCODERS.map((e) => e.id).join(', ')}.`);
  return spec;
}

/** The spec of a command-line name (cli.md `--encoder`); `bad-argument` names the names there are. */
export function encoderByCliName(name: string): EncoderSpec {
  const spec = ENCODERS.find((encoder) => encoder.cliName === name);
  if (spec === undefined) {
    throw new ContextscopeError('bad-argument', `--encoder: expected one of ${ENCODERS.map((e) => e.cliName).join(', ')}, found "${name}".`);
  }
  return spec;
}

export interface AssetFile {
  /** Path below `models/`. */
  path: string;
  bytes: number;
  sha256: string;
}

/** The WordPiece tokenizer all three model files share. */
export const TOKENIZER_FILE: AssetFile = {
  path: 'tokenizer.json',
  bytes: 466_081,
  sha256: '5fd1c882abbd30517dced455a2c9768945ec726b96727927e4959348d9de550b',
};
export const TOKENIZER_CONFIG_FILE: AssetFile = {
  path: 'tokenizer_config.json',
  bytes: 350,
  sha256: 'acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b',
};

/** The model file of an encoder; null = it needs none. */
export function modelAsset(spec: EncoderSpec): AssetFile | null {
  return spec.modelFile === null || spec.sha256 === null ? null : { path: spec.modelFile, bytes: spec.modelBytes, sha256: spec.sha256 };
}
