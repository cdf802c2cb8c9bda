/** Own models of the embedding worker: told of by the page, opened when first needed; and the trial run of the form. */
import { ContextscopeError } from '../core/base/errors';
import { guessSettings, type OnnxPorts } from '../core/embedding/guess-settings';
import { isOwnId, onnxId, specOfOwn, type OnnxSettings, type OwnEncoderInfo } from '../core/embedding/own-encoder';
import { createOwnEncoder } from '../core/embedding/own-onnx';
import { registerEncoder } from '../core/embedding/registry';
import { createTextTokenizer, parseTokenizerFile, type TextTokenizer } from '../core/embedding/text-tokenizer';
import type { Encoder, EncoderSpec, InferenceEngine } from '../core/embedding/types';
import type { BackendInfo } from './embedding-protocol';
import { hashBlob } from './hash-blob';
import type { OwnModel } from './ort-own';

/** What the page sends before it asks for such an encoder. Blobs are handles: nothing is copied. */
export interface OwnModelFiles { info: OwnEncoderInfo; model: Blob; tokenizer: Blob }

/** What two short texts gave. */
export interface OnnxTrial {
  /** Numbers that the model gives a text, before only the first are kept. */
  modelDim: number;
  /** Tokens of each text, special ones not counted. */
  tokens: number[];
  cosine: number;
  /** Mean of the two. */
  milliseconds: number;
  /** First numbers of the first text's vector. */
  sample: number[];
}

export interface OnnxProbe {
  ports: OnnxPorts;
  /** As given, or guessed; `dim` is then what the model gave. */
  settings: OnnxSettings;
  id: string;
  modelSha256: string;
  tokenizerSha256: string;
  specialTokens: { before: number; after: number };
  /** null = the guessed settings do not work: `problem` says why. */
  trial: OnnxTrial | null;
  problem: string | null;
}

export type OpenModel = (model: Uint8Array) => Promise<{ opened: OwnModel; info: BackendInfo }>;

const TRIAL_TEXTS: readonly [string, string] = ['The tests pass after the parser was fixed.', 'grep -rn "budget" src | head\nNo such file or directory'];

/** While the model's own dimension is not known. */
const ANY_DIM = 1;

export class OwnModels {
  private readonly files = new Map<string, OwnModelFiles>();
  private readonly loaded = new Map<string, Promise<{ encoder: Encoder; info: () => BackendInfo }>>();

  constructor(private readonly open: OpenModel) {}

  define(files: OwnModelFiles): void {
    registerEncoder(specOfOwn(files.info));
    if (!this.files.has(files.info.id)) this.files.set(files.info.id, files);
  }

  /** Closes its session. Never rejects: what could not be opened has nothing to close. */
  async forget(id: string): Promise<void> {
    const loading = this.loaded.get(id);
    this.loaded.delete(id);
    this.files.delete(id);
    await loading?.then(({ encoder }) => encoder.dispose()).catch(() => undefined);
  }

  owns(spec: EncoderSpec): boolean {
    return isOwnId(spec.id);
  }

  load(spec: EncoderSpec): Promise<{ encoder: Encoder; info: () => BackendInfo }> {
    const known = this.loaded.get(spec.id);
    if (known) return known;
    const loading = this.make(spec);
    this.loaded.set(spec.id, loading);
    loading.catch(() => this.loaded.delete(spec.id));
    return loading;
  }

  private async make(spec: EncoderSpec): Promise<{ encoder: Encoder; info: () => BackendInfo }> {
    const files = this.files.get(spec.id);
    const settings = files?.info.settings;
    if (!files || !settings) throw new ContextscopeError('not-found', `The encoder ${spec.title} is not in this browser: add its model again.`);
    const tokenizer = createTextTokenizer(parseTokenizerFile(await files.tokenizer.text(), 'tokenizer.json'), 'tokenizer.json');
    const { opened, info } = await this.open(new Uint8Array(await files.model.arrayBuffer()));
    try {
      return { encoder: createOwnEncoder(spec, settings, opened.engine(settings), tokenizer), info: () => info };
    } catch (error) {
      // Nobody will hold the session, so nobody could close it.
      await opened.release().catch(() => undefined);
      throw error;
    }
  }
}

/**
 * Opens the model, embeds two short texts as the settings say, and says everything a form needs. Guessed settings that
 * fail are told as a problem, so that the form can offer what the model declares; given ones reject.
 */
export async function probeOnnx(open: OpenModel, model: Blob, tokenizerFile: Blob, given: OnnxSettings | null): Promise<OnnxProbe> {
  const parsed = parseTokenizerFile(await tokenizerFile.text(), 'The tokenizer file');
  const tokenizer = createTextTokenizer(parsed, 'The tokenizer file');
  const [modelSha256, tokenizerSha256] = [await hashBlob(model), await hashBlob(tokenizerFile)];
  const { opened } = await open(new Uint8Array(await model.arrayBuffer()));
  try {
    const guessed = guessSettings(opened.ports, parsed);
    let settings: OnnxSettings = given ?? { ...guessed, dim: guessed.dim ?? ANY_DIM };
    let trial: OnnxTrial | null = null;
    let problem: string | null = null;
    try {
      if (!given) settings = { ...settings, dim: (await tryOnnx(opened, { ...settings, dim: ANY_DIM }, tokenizer)).modelDim };
      trial = await tryOnnx(opened, settings, tokenizer);
    } catch (error) {
      if (given || !(error instanceof ContextscopeError)) throw error;
      problem = error.message;
    }
    const specialTokens = { before: tokenizer.before.length, after: tokenizer.after.length };
    return { ports: opened.ports, settings, id: onnxId(modelSha256, tokenizerSha256, settings), modelSha256, tokenizerSha256, specialTokens, trial, problem };
  } finally {
    await opened.release().catch(() => undefined);
  }
}

async function tryOnnx(opened: OwnModel, settings: OnnxSettings, tokenizer: TextTokenizer): Promise<OnnxTrial> {
  const engine = opened.engine(settings);
  let modelDim = 0;
  const measured: InferenceEngine = {
    run: async (ids) => {
      const vector = await engine.run(ids);
      modelDim = vector.length;
      if (settings.dim > modelDim) throw new ContextscopeError('bad-argument', `The model gives ${modelDim} numbers a text; ${settings.dim} are asked for.`);
      return vector;
    },
    dispose: () => Promise.resolve(),
  };
  const spec: EncoderSpec = { id: 'onnx:000000000000', cliName: '', title: 'the model', dim: settings.dim, modelFile: null, modelBytes: 0, sha256: null, approximate: false };
  const encoder = createOwnEncoder(spec, settings, measured, tokenizer);
  const started = performance.now();
  const [a, b] = [await encoder.embed(TRIAL_TEXTS[0]), await encoder.embed(TRIAL_TEXTS[1])];
  if (a.tokens === 0) throw new ContextscopeError('bad-argument', 'The tokenizer finds no token in a plain sentence: it is not this model\u2019s.');
  if (a.vector.every((x) => x === 0)) throw new ContextscopeError('bad-argument', 'The model gave the zero vector for a plain sentence: another output or pooling is needed.');
  return {
    modelDim, tokens: [a.tokens, b.tokens], milliseconds: (performance.now() - started) / 2, sample: [...a.vector.subarray(0, 6)],
    cosine: a.vector.reduce((sum, x, i) => sum + x * (b.vector[i] ?? 0), 0),
  };
}
