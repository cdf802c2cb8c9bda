/** `--encoder onnx:PATH`: the user's own model on the command line, with the same numbers and id as in the page. */
import { existsSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { onnxId, parseOnnxSettings, specOfOwn, type OnnxSettings } from '../core/embedding/own-encoder';
import { createOwnEncoder } from '../core/embedding/own-onnx';
import { createTextTokenizer, parseTokenizerFile } from '../core/embedding/text-tokenizer';
import type { Encoder } from '../core/embedding/types';
import { hashBlob } from '../workers/hash-blob';
import { probeOnnx, type OpenModel } from '../workers/own-models';

export const ONNX_PREFIX = 'onnx:';
const SETTINGS_FILE = 'encoder.json';

async function bytesOf(path: string, what: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!existsSync(path)) throw new ContextscopeError('not-found', `Expected ${what} at ${path}: there is no such file.`, { file: path });
  return new Uint8Array(await readFile(path));
}

/**
 * PATH is an .onnx file, or a folder with model.onnx (or one .onnx of that name in onnx/); tokenizer.json stands beside
 * it or in the folder, and encoder.json, as the page's form saves it, says how it is used. Without encoder.json the
 * settings are guessed, as the form would, and told on `warn`. Throws 'not-found', 'corrupt' or 'bad-argument'.
 */
export async function createOwnNodeEncoder(path: string, threads: number, warn?: (text: string) => void): Promise<Encoder> {
  if (!existsSync(path)) throw new ContextscopeError('not-found', `Expected an .onnx file or a folder after ${ONNX_PREFIX}, found ${JSON.stringify(path)}: there is no such path.`, { file: path });
  const isFolder = statSync(path).isDirectory();
  const folder = isFolder ? path : dirname(path);
  const modelPath = !isFolder ? path : ([join(path, 'model.onnx'), join(path, 'onnx', 'model.onnx')].find((place) => existsSync(place)) ?? join(path, 'model.onnx'));
  const [model, tokenizerBytes] = [await bytesOf(modelPath, 'the model'), await bytesOf(join(folder, 'tokenizer.json'), 'its tokenizer')];
  const tokenizerText = new TextDecoder().decode(tokenizerBytes);
  const { openOwnNodeModel } = await import('./ort');
  const open: OpenModel = async (bytes) => ({ opened: await openOwnNodeModel(bytes, threads), info: { backend: 'wasm', threads } });
  const settingsPath = join(folder, SETTINGS_FILE);
  const settings = existsSync(settingsPath) ? parseOnnxSettings(parseTokenizerFile(await readFile(settingsPath, 'utf8'), settingsPath), settingsPath) : await guessed(open, model, tokenizerText, modelPath, warn);
  const { opened } = await open(model);
  const [modelSha, tokenizerSha] = [await hashBlob(new Blob([model])), await hashBlob(new Blob([tokenizerBytes]))];
  const spec = specOfOwn({
    id: onnxId(modelSha, tokenizerSha, settings), kind: 'onnx', name: basename(resolve(folder)), dim: settings.dim, sizeBytes: model.length, sha256: modelSha, addedMs: 0,
  });
  const parsed = parseTokenizerFile(tokenizerText, join(folder, 'tokenizer.json'));
  return createOwnEncoder(spec, settings, opened.engine(settings), createTextTokenizer(parsed, join(folder, 'tokenizer.json')));
}

async function guessed(open: OpenModel, model: Uint8Array<ArrayBuffer>, tokenizer: string, where: string, warn?: (text: string) => void): Promise<OnnxSettings> {
  const { settings, problem, trial } = await probeOnnx(open, new Blob([model]), new Blob([tokenizer]), null);
  if (!trial) throw new ContextscopeError('bad-argument', `${where}: the settings guessed from what it declares do not work (${problem ?? 'no vector'}). Say them in ${SETTINGS_FILE} beside it.`, { file: where });
  warn?.(`${where}: no ${SETTINGS_FILE} beside it; guessed ${JSON.stringify(settings)}.`);
  return settings;
}
