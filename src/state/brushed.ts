/** Brushed blocks between views: interaction blocks of the map, context blocks of ledger and lifelines. */
import type { OpenLine } from '../workers/api';

/** The brush with some blocks put in or taken out: in if any of them was not. Ascending. */
export function toggleBrush(brushed: readonly number[], bases: readonly number[]): number[] {
  const set = new Set(brushed);
  const all = bases.every((base) => set.has(base));
  for (const base of bases) {
    if (all) set.delete(base);
    else set.add(base);
  }
  return [...set].sort((a, b) => a - b);
}

/** Context blocks (base) of the messages of interaction blocks. */
export function basesOfInteractions(line: OpenLine, indices: readonly number[]): number[] {
  const messages = new Set(indices.flatMap((index) => line.interactionBlocks[index] ?? []));
  const out: number[] = [];
  for (let base = 0; base < line.blocks.n; base++) if (messages.has(line.blocks.messageIndex[base] ?? -1)) out.push(base);
  return out;
}

/** Interaction blocks with at least one brushed context block. */
export function interactionsOfBases(line: OpenLine, bases: readonly number[]): number[] {
  const messages = new Set(bases.map((base) => line.blocks.messageIndex[base] ?? -1));
  return line.interactionBlocks.flatMap((positions, index) => (positions.some((position) => messages.has(position)) ? [index] : []));
}
