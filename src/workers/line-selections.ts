import type { EncoderId } from '../core/embedding/types';
import type { LineSelection } from '../core/selection/line-selection';
import type { JobOptions } from './api';
import type { LineEmbedding } from './line-embedding';
import type { SelectAnswer } from './line-vectors';
import { addressKey, type LineAddress } from './lines';
import type { RpcClient } from './rpc-client';
import { ShareRunning } from './share-running';

export interface LineSelectionsParts {
  analysis: Pick<RpcClient, 'call'>;
  selection: Pick<RpcClient, 'call'>;
  embeddings: Pick<LineEmbedding, 'embedLine' | 'embedTexts'>;
  /** Tells the workers of an encoder that is not among the bundled ones. */
  introduce: (encoder: EncoderId) => Promise<unknown>;
}

/** Brings the vectors of a line from the selection worker to the one that replays: embedded first where they are missing. */
export class LineSelections {
  private readonly sharing = new ShareRunning();

  constructor(private readonly parts: LineSelectionsParts) {}

  /** Afterwards the replaying worker has the encoder's vectors. `calls`: message position of each model call. */
  ensure(address: LineAddress, encoder: EncoderId, calls: ArrayLike<number>, options: JobOptions = {}): Promise<void> {
    const bring = (): Promise<void> => this.bring(address, encoder, Array.from(calls), options);
    // Who can cancel or is told of progress has a run of their own: what is embedded already is not embedded again.
    return options.signal || options.onProgress ? bring() : this.sharing.run(`${addressKey(address)} ${encoder}`, bring);
  }

  private async bring(address: LineAddress, encoder: EncoderId, calls: number[], options: JobOptions): Promise<void> {
    const { analysis, selection, embeddings, introduce } = this.parts;
    const { signal } = options;
    await introduce(encoder);
    if (!(await analysis.call('lacksSelection', [address, encoder], { signal }))) return;
    await embeddings.embedLine(address, encoder, [], options);
    const ask = async (): Promise<SelectAnswer<LineSelection>> => (await selection.call('forwarding', [address, encoder, calls], { signal })) as SelectAnswer<LineSelection>;
    let answer = await ask();
    while ('missing' in answer) {
      await embeddings.embedTexts(address, encoder, answer.missing, { signal });
      answer = await ask();
    }
    await analysis.call('bringSelection', [address, answer.report], { signal });
  }
}
