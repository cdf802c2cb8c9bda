/** The page's side of encoders that the user brought: stored by the repository, opened by the workers. */
import { ContextscopeError } from '../core/base/errors';
import type { VectorsCoverage, VectorsSummary } from '../core/embedding/imported-vectors';
import { isOwnId, isVectorsId, specOfOwn, vectorsId, type OnnxSettings, type OwnEncoderInfo } from '../core/embedding/own-encoder';
import { registerEncoder, unregisterEncoder } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { OwnEncoderRow } from '../storage/rows';
import type { OpenLine, OwnEncoders } from './api';
import type { EmbeddingClient } from './embedding-client';
import { addressOf } from './lines';
import type { OnnxProbe } from './own-models';
import type { RpcClient } from './rpc-client';

export interface OwnEncodersParts {
  repository: Pick<Repository, 'encoders' | 'encoder' | 'putEncoder' | 'deleteEncoder'>;
  selection: Pick<RpcClient, 'call' | 'started'>;
  embedding: Pick<EmbeddingClient, 'probe' | 'define' | 'forget'>;
}

export class OwnEncodersClient implements OwnEncoders {
  private readonly observers = new Set<(encoders: OwnEncoderInfo[]) => void>();
  private known: OwnEncoderInfo[] = [];
  private readonly ready: Promise<void>;

  constructor(private readonly parts: OwnEncodersParts) {
    this.ready = this.refresh();
    // Without storage there are none; adding one then says what is wrong.
    this.ready.catch(() => undefined);
  }

  observe(onChange: (encoders: OwnEncoderInfo[]) => void): () => void {
    this.observers.add(onChange);
    void this.ready.catch(() => undefined).then(() => this.observers.has(onChange) && onChange(this.known));
    return () => void this.observers.delete(onChange);
  }

  probe(model: Blob, tokenizer: Blob, settings: OnnxSettings | null, options: { signal?: AbortSignal } = {}): Promise<OnnxProbe> {
    return this.parts.embedding.probe(model, tokenizer, settings, options);
  }

  async addOnnx(name: string, model: Blob, tokenizer: Blob, settings: OnnxSettings): Promise<OwnEncoderInfo> {
    const { id, modelSha256, tokenizerSha256 } = await this.probe(model, tokenizer, settings);
    if (!isOwnId(id)) throw new ContextscopeError('internal', `The trial run named the encoder ${id}.`);
    const info: OwnEncoderInfo = { id, kind: 'onnx', name, dim: settings.dim, sizeBytes: model.size + tokenizer.size, sha256: modelSha256, tokenizerSha256, settings, addedMs: Date.now() };
    await this.store({ id, info, model, tokenizer });
    return info;
  }

  async addVectors(name: string, file: Blob): Promise<VectorsSummary & { info: OwnEncoderInfo }> {
    const { sha256, ...summary } = (await this.parts.selection.call('readVectors', [name, file])) as VectorsSummary & { sha256: string };
    const id = vectorsId(sha256);
    const info: OwnEncoderInfo = { id, kind: 'vectors', name, dim: summary.dim, rows: summary.rows, byHash: summary.byHash, sizeBytes: file.size, sha256, addedMs: Date.now() };
    await this.store({ id, info, vectors: file });
    return { ...summary, info };
  }

  async coverage(line: OpenLine, encoder: EncoderId): Promise<VectorsCoverage> {
    return (await this.parts.selection.call('vectorsCoverage', [addressOf(line), encoder])) as VectorsCoverage;
  }

  async remove(id: EncoderId): Promise<void> {
    await this.parts.repository.deleteEncoder(id);
    unregisterEncoder(id);
    this.parts.embedding.forget(id);
    if (this.parts.selection.started) await this.parts.selection.call('forgetEncoder', [id]);
    await this.refresh();
  }

  /** Before the embedding worker is asked: it learns of a model that it may not have heard of. */
  async introduce(encoder: EncoderId): Promise<void> {
    if (!isOwnId(encoder) || isVectorsId(encoder)) return;
    const row = await this.parts.repository.encoder(encoder);
    if (!row?.model || !row.tokenizer) throw new ContextscopeError('not-found', `The encoder ${encoder} is not in this browser (any more): add its model again, or choose another encoder.`);
    this.parts.embedding.define({ info: row.info, model: row.model, tokenizer: row.tokenizer });
  }

  private async store(row: OwnEncoderRow): Promise<void> {
    await this.parts.repository.putEncoder(row);
    await this.refresh();
  }

  private async refresh(): Promise<void> {
    this.known = await this.parts.repository.encoders();
    for (const info of this.known) registerEncoder(specOfOwn(info));
    for (const observer of this.observers) observer(this.known);
  }
}
