/** Codes of the enumerations in columns, and what follows from a kind. */
import { BLOCK_KINDS, type BlockKind } from '../trace/blocks-types';
import { BLOCK_STATUSES, SWATCHES, type BlockStatus, type Swatch } from './types';

const codes = <T extends string>(names: readonly T[]): Record<T, number> =>
  Object.fromEntries(names.map((name, code) => [name, code])) as Record<T, number>;

export const KIND = codes<BlockKind>(BLOCK_KINDS);
export const STATUS = codes<BlockStatus>(BLOCK_STATUSES);
export const SWATCH = codes<Swatch>(SWATCHES);

/** Kind code → swatch code; a recovered block takes the swatch of what it brings back. */
export const SWATCH_OF_KIND: readonly number[] = BLOCK_KINDS.map((kind) => {
  switch (kind) {
    case 'handle': case 'placeholder': case 'summary': return SWATCH.summary;
    case 'recovered': return SWATCH.tool_result;
    default: return SWATCH[kind];
  }
});

/** `B12` for replay index 11. */
export const blockId = (item: number): string => `B${item + 1}`;

/** Replay index of `B12`, or -1 when it is no block id. */
export function blockIndex(id: string): number {
  return /^B[1-9]\d*$/.test(id) ? Number(id.slice(1)) - 1 : -1;
}
