export type BundledEncoderId =
  | 'static-minilm-384@1' | 'minilm-l6-v2-int8@1' | 'minilm-l6-v2-f32@1' | 'minilm-l6-v2-int8-all@1' | 'hashed-1024@1';
/** Brought by the user: a model, or vectors made elsewhere; then 12 hexadecimal digits that name everything that changes a number. */
export type OwnEncoderId = `onnx:${string}` | `vectors:${string}`;
export type EncoderId = BundledEncoderId | OwnEncoderId;

export interface EncoderSpec {
  id: EncoderId;
  /** Name on the command line: static, minilm, minilm-f32, minilm-all, hashed. */
  cliName: string;
  title: string;
  dim: number;
  /** Path below `models/`, null = no model file. */
  modelFile: string | null;
  modelBytes: number;
  /** SHA-256 of the model file, checked before use. */
  sha256: string | null;
  /** Good enough to look at, not to cite. */
  approximate: boolean;
}

/** One loaded model: token ids of one sequence in, one float32 vector out. The only thing that knows a runtime. */
export interface InferenceEngine {
  run(ids: BigInt64Array): Promise<Float32Array>;
  dispose(): Promise<void>;
}

/** Texts in, unit vectors out (float32, `dim` each; an empty text gives the zero vector). */
export interface Encoder {
  readonly spec: EncoderSpec;
  embed(text: string, signal?: AbortSignal): Promise<{ vector: Float32Array; tokens: number }>;
  dispose(): Promise<void>;
}
