/**
 * Messages between the page's client and embedding.worker.ts. Every `load` and `embed` request settles with exactly one
 * `loaded` / `done` or one `failed` of the same id; `rows` and `progress` come before it. Arrays inside `rows` are
 * transferred: the receiver owns them.
 */
import type { ErrorCode } from '../core/base/errors';
import type { OnnxSettings } from '../core/embedding/own-encoder';
import type { EncoderId } from '../core/embedding/types';
import type { OnnxProbe, OwnModelFiles } from './own-models';

export type Backend = 'wasm' | 'webgpu' | 'none';

/** What computes the vectors: shown beside the encoder's name. `none` = needs no runtime (hashed). */
export interface BackendInfo { backend: Backend; threads: number }

export interface EmbedTextItem {
  /** SHA-256 of the text's UTF-8 bytes, hex; the cache key. */
  hash: string;
  text: string;
}

export type EmbeddingRequest =
  /** First message: where `models/` lies, i.e. the page's `document.baseURI`. Nothing answers it. */
  | { type: 'init'; baseUrl: string }
  /** A model that the user brought, before it is first asked for. Nothing answers it. */
  | { type: 'define'; files: OwnModelFiles }
  /** It was deleted: its session is closed. Nothing answers it. */
  | { type: 'forget'; encoder: EncoderId }
  /** The trial run of the form; `settings` null = guessed from what the model declares. */
  | { type: 'probe'; id: number; model: Blob; tokenizer: Blob; settings: OnnxSettings | null }
  /** Fetches, checks and compiles the encoder's model ahead of its first use. */
  | { type: 'load'; id: number; encoder: EncoderId }
  /** `first`: indices into `texts` that are wanted before the others, in this order. */
  | { type: 'embed'; id: number; encoder: EncoderId; texts: EmbedTextItem[]; first: number[] }
  /** The user looks elsewhere: these indices of a running request come next. Nothing answers it. */
  | { type: 'prioritise'; id: number; first: number[] }
  /** The request of this id settles with `failed`, code `cancelled`; what was computed stays in the cache. */
  | { type: 'cancel'; id: number };

export type EmbeddingResponse =
  | { type: 'loaded'; id: number; info: BackendInfo }
  /** `done` and `total` count texts (`embed`) or bytes of the model file (`load`, and `embed` while it loads). */
  | { type: 'progress'; id: number; phase: 'loading' | 'embedding'; done: number; total: number; secondsLeft: number }
  /** Row i of `vectors` (row-major, `indices.length` × `dim`, float32) belongs to `texts[indices[i]]`. */
  | { type: 'rows'; id: number; dim: number; indices: Uint32Array; vectors: Float32Array }
  | { type: 'done'; id: number; summary: EmbedSummary }
  | { type: 'probed'; id: number; probe: OnnxProbe }
  | { type: 'failed'; id: number; code: ErrorCode; message: string };

export interface EmbedSummary {
  encoder: EncoderId;
  total: number;
  /** Texts found in the cache, computed now, and texts without content (zero vectors); duplicates count by their text. */
  cached: number;
  computed: number;
  empty: number;
  info: BackendInfo;
  /** Set when vectors could not be read from or written to the cache: they are complete, but will be computed again. */
  cacheProblem: string | null;
}
