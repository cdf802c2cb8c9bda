import { parseJsonAsset } from '../core/embedding/assets';
import { createEncoder, createHashedEncoder } from '../core/embedding/encoder';
import { TOKENIZER_CONFIG_FILE, TOKENIZER_FILE, modelAsset } from '../core/embedding/registry';
import type { Encoder, EncoderSpec, InferenceEngine } from '../core/embedding/types';
import type { WordPiece } from '../core/embedding/wordpiece';
import type { AssetReader } from './embedding-assets';
import type { BackendInfo } from './embedding-protocol';

/** Checked model bytes → engine; `info()` may change later, when WebGPU has to fall back to WASM. */
export type EngineFactory = (spec: EncoderSpec, model: Uint8Array<ArrayBuffer>) => Promise<{ engine: InferenceEngine; info: () => BackendInfo }>;

export interface LoadedEncoder { encoder: Encoder; info: () => BackendInfo }

/** Loads each model file and the tokenizer once, when first needed; a failed load is forgotten, so that the next request tries again. */
export class EmbeddingModels {
  private readonly engines = new Map<string, ReturnType<EngineFactory>>();
  private pieces: Promise<WordPiece> | null = null;

  constructor(
    private readonly read: AssetReader,
    private readonly createEngine: EngineFactory,
  ) {}

  /** `onBytes`: progress of the model file while it is fetched (not called when it is loaded already). */
  async load(spec: EncoderSpec, onBytes?: (bytes: number) => void): Promise<LoadedEncoder> {
    if (modelAsset(spec) === null) return { encoder: createHashedEncoder(), info: () => ({ backend: 'none', threads: 1 }) };
    const [pieces, { engine, info }] = await Promise.all([this.tokenizer(), this.engine(spec, onBytes)]);
    return { encoder: createEncoder(spec, engine, pieces), info };
  }

  async dispose(): Promise<void> {
    const engines = [...this.engines.values()];
    this.engines.clear();
    await Promise.all(engines.map(async (loading) => (await loading).engine.dispose()));
  }

  private engine(spec: EncoderSpec, onBytes?: (bytes: number) => void): ReturnType<EngineFactory> {
    // By file, not by id: both int8 encoders share one session.
    const key = spec.modelFile ?? spec.id;
    const running = this.engines.get(key);
    if (running !== undefined) return running;
    const asset = modelAsset(spec);
    const loading = (async () => {
      if (asset === null) throw new Error(`${spec.id} has no model file.`);
      return this.createEngine(spec, await this.read(asset, { onBytes }));
    })();
    this.engines.set(key, loading);
    loading.catch(() => this.engines.delete(key));
    return loading;
  }

  private tokenizer(): Promise<WordPiece> {
    if (this.pieces !== null) return this.pieces;
    const loading = (async () => {
      // Loaded on demand: the hashed encoder needs neither library nor vocabulary.
      const [{ createWordPiece }, vocabulary, config] = await Promise.all([import('../core/embedding/wordpiece'), this.read(TOKENIZER_FILE), this.read(TOKENIZER_CONFIG_FILE)]);
      return createWordPiece(parseJsonAsset(vocabulary), parseJsonAsset(config));
    })();
    this.pieces = loading;
    loading.catch(() => {
      this.pieces = null;
    });
    return loading;
  }
}
