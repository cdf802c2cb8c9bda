import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { checkAsset, parseJsonAsset } from '../core/embedding/assets';
import { createEncoder, createHashedEncoder } from '../core/embedding/encoder';
import { encoderByCliName, modelAsset, TOKENIZER_CONFIG_FILE, TOKENIZER_FILE, type AssetFile } from '../core/embedding/registry';
import type { Encoder } from '../core/embedding/types';
import { createWordPiece } from '../core/embedding/wordpiece';
import { createOwnNodeEncoder, ONNX_PREFIX } from './own-model';

/** Two threads give the same bits as one in about half the time. */
const DEFAULT_THREADS = 2;

/** `models/` of this package: public/ in a checkout, dist/ when installed. Throws `not-found` with the places looked at. */
export function modelsFolder(from: string = import.meta.dirname): string {
  const places: string[] = [];
  // The file sits at a different depth in a checkout (src/cli) and in a bundle.
  for (const up of ['.', '..', '../..']) for (const folder of ['public/models', 'dist/models', 'models']) places.push(resolve(from, up, folder));
  const found = places.find((place) => existsSync(resolve(place, TOKENIZER_FILE.path)));
  if (found === undefined) throw new ContextscopeError('not-found', `Expected the encoders in ${resolve(from, '../..', 'public/models')} or dist/models beside it, found none. Install again.`);
  return found;
}

async function readAsset(folder: string, asset: AssetFile): Promise<Uint8Array<ArrayBuffer>> {
  const path = resolve(folder, asset.path);
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ContextscopeError('not-found', `Expected the encoder file ${path}: ${error instanceof Error ? error.message : String(error)}. Install again.`, { file: path });
  });
  await checkAsset(asset, bytes, path);
  return bytes;
}

export interface NodeEncoderOptions {
  threads?: number;
  /** Folder with the model files; default: that of this package. */
  models?: string;
  /** Hears what was assumed. */
  warn?: (text: string) => void;
}

/**
 * The encoder of a command-line name (static, minilm, minilm-f32, minilm-all, hashed, or onnx:PATH), loaded and checked; to be disposed
 * of by the caller. Same vectors as in the page. Throws `bad-argument`, `not-found` or `corrupt`.
 */
export async function createNodeEncoder(cliName: string, options: NodeEncoderOptions = {}): Promise<Encoder> {
  if (cliName.startsWith(ONNX_PREFIX)) return createOwnNodeEncoder(cliName.slice(ONNX_PREFIX.length), options.threads ?? DEFAULT_THREADS, options.warn);
  const spec = encoderByCliName(cliName);
  const asset = modelAsset(spec);
  if (asset === null) return createHashedEncoder();
  const folder = options.models ?? modelsFolder();
  const [model, vocabulary, config] = await Promise.all([asset, TOKENIZER_FILE, TOKENIZER_CONFIG_FILE].map((file) => readAsset(folder, file)));
  if (model === undefined || vocabulary === undefined || config === undefined) throw new ContextscopeError('internal', 'Three files were asked for.');
  // Loaded on demand: commands without an encoder start without the runtime.
  const { createNodeEngine } = await import('./ort');
  return createEncoder(spec, await createNodeEngine(model, options.threads ?? DEFAULT_THREADS), createWordPiece(parseJsonAsset(vocabulary), parseJsonAsset(config)));
}
