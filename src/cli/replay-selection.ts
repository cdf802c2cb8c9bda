/** The vectors that forwarding policies read, for `replay --encoder`: loaded only where a chosen policy needs them. */
import { lineSelection, textsOfForwarding, type LineSelection } from '../core/selection/line-selection';
import { readSelectionLine } from '../core/selection/selection-line';
import { interactionBlocks } from '../core/trace/interaction';
import { ensurePolicy } from '../core/workspace/policies';
import { readAll, type LoadedLine } from './load-line';
import { openVectorsSource } from './vectors-source';

export interface SelectionOptions {
  /** `static`, `minilm`, … or `vectors:PATH`. */
  encoder: string;
  warn: (text: string) => void;
  onProgress: (done: number, total: number) => void;
}

export const needVectors = (policies: readonly string[]): boolean => policies.some((id) => ensurePolicy(id).needsVectors);

/** `calls`: message position of each model call. Throws what the encoder or the vectors file is missing. */
export async function readLineSelection(loaded: LoadedLine, calls: ArrayLike<number>, { encoder: name, warn, onProgress }: SelectionOptions): Promise<LineSelection> {
  const source = await openVectorsSource(name, { warn });
  try {
    const messages = await readAll(loaded);
    const line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 0);
    const { encoder, vectorOf } = await source.vectorsOf(loaded.file, line, textsOfForwarding(line, calls), onProgress);
    return lineSelection(line, encoder, calls, vectorOf);
  } finally {
    await source.dispose();
  }
}
