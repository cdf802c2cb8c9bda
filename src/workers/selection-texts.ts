import { sha256Hex } from '../core/base/sha256';
import { checkpointOfBlocks, checkpointTexts, type SelectionLine } from '../core/selection/selection-line';
import type { EmbedTextItem } from './embedding-protocol';

/** Hashes of texts, each text hashed once. */
export class TextHashes {
  private readonly known = new Map<string, string>();

  constructor(line: SelectionLine) {
    for (const block of line.blocks) this.known.set(block.text, block.hash);
  }

  of(text: string): string {
    let hash = this.known.get(text);
    if (hash === undefined) this.known.set(text, (hash = sha256Hex(text)));
    return hash;
  }
}

/** Every text of a line that any checkpoint may need, each once, none empty. */
export interface LineTexts {
  /** Blocks (`firstBlocks` first, in that order), goals, next actions, final text. */
  main: EmbedTextItem[];
  /** State queries: nearly one a checkpoint and long where the task is, so a slow encoder embeds them when asked for. */
  stateQueries: EmbedTextItem[];
}

export function lineTexts(line: SelectionLine, hashes: TextHashes, firstBlocks: readonly number[] = []): LineTexts {
  const taken = new Set<string>();
  const item = (text: string | undefined): EmbedTextItem[] => {
    if (text === undefined || text === '') return [];
    const hash = hashes.of(text);
    if (taken.has(hash)) return [];
    taken.add(hash);
    return [{ hash, text }];
  };
  const main = [
    ...firstBlocks.flatMap((index) => item(line.blocks[index]?.text)),
    ...line.blocks.flatMap((block) => item(block.text)),
    ...line.instructions.flatMap((instruction) => item(instruction.text)),
    ...line.blocks.flatMap((_, n) => item(checkpointTexts(line, checkpointOfBlocks(line, n)).action)),
    ...item(line.finalText),
  ];
  const stateQueries = Array.from({ length: line.blocks.length + 1 }, (_, n) => item(checkpointTexts(line, checkpointOfBlocks(line, n)).stateQuery)).flat();
  return { main, stateQueries };
}
