/** Swatch, letter and word of every block kind: the same in every legend, table, tooltip and export (design.md). */
import { BLOCK_KINDS, type BlockTable } from '../trace/blocks-types';
import { SWATCHES, type BlockStatus, type ReplayBlocks, type Swatch } from '../workspace/types';

export const SWATCH_LETTERS: Record<Swatch, string> = {
  system: 'S', task: 'T', user: 'U', assistant: 'A', reasoning: 'R', tool_result: 'O', summary: 'Σ', notice: '!',
};
/** As a chart labels an area (plural where it adds up several blocks). */
export const SWATCH_WORDS: Record<Swatch, string> = {
  system: 'system, tools', task: 'task', user: 'user', assistant: 'assistant', reasoning: 'reasoning', tool_result: 'tool results', summary: 'summaries', notice: 'notices, errors',
};
/** One sentence a kind, for hover cards. */
export const SWATCH_DEFINITIONS: Record<Swatch, string> = {
  system: 'System prompt, tool schemas and per-request overhead.',
  task: 'The first instruction of the run.',
  user: 'Later messages a person or the harness wrote.',
  assistant: 'Text and tool calls the model wrote.',
  reasoning: 'Reasoning of the model that is sent back to it.',
  tool_result: 'Observations that tools returned, also recovered ones.',
  summary: 'Summaries, handles and placeholders that stand for what was taken out.',
  notice: 'Notices of the context engine and results that report an error.',
};
export const STATUS_WORDS: Record<BlockStatus, string> = {
  unborn: 'not yet there', visible: 'visible', archived: 'archived', offloaded: 'offloaded to a placeholder', masked: 'masked', cleared: 'cleared',
  summarised: 'summarised', trimmed: 'trimmed', deleted: 'deleted', rejected: 'rejected',
};
export const KIND_WORDS: Record<(typeof BLOCK_KINDS)[number], string> = {
  system: 'system', task: 'task', user: 'user', assistant: 'assistant', tool_result: 'tool result', recovered: 'recovered', handle: 'handle', placeholder: 'placeholder', summary: 'summary', notice: 'notice',
};

const SWATCH_OF_KIND: Record<(typeof BLOCK_KINDS)[number], Swatch> = {
  system: 'system', task: 'task', user: 'user', assistant: 'assistant', tool_result: 'tool_result', recovered: 'tool_result', handle: 'summary', placeholder: 'summary', summary: 'summary', notice: 'notice',
};

const RECOVERED = BLOCK_KINDS.indexOf('recovered');
const PLACEHOLDER = BLOCK_KINDS.indexOf('placeholder');

/** The one block that a placeholder stands in for (its dotted stretch is drawn on that row); -1 = none or several. */
export function placeheldBlock(blocks: ReplayBlocks, block: number): number {
  const from = blocks.memberStart[block] ?? 0;
  const isOne = blocks.kind[block] === PLACEHOLDER && (blocks.memberStart[block + 1] ?? from) - from === 1;
  return isOne ? (blocks.members[from] ?? -1) : -1;
}

/**
 * The block on whose row a recovered one lies: what it brings back when that is one block, else the handle it came
 * from. Replay index; the block itself when it is not a recovered one or its source is unknown.
 */
export function sourceOfBlock(blocks: ReplayBlocks, block: number): number {
  let at = block;
  // Levels are finite; the bound only keeps a broken table from looping.
  for (let hops = 0; hops < 64 && blocks.kind[at] === RECOVERED; hops++) {
    const from = blocks.memberStart[at] ?? 0;
    const count = (blocks.memberStart[at + 1] ?? from) - from;
    const next = count === 1 ? (blocks.members[from] ?? -1) : (blocks.parent[at] ?? -1);
    if (next < 0) return at;
    at = next;
  }
  return at;
}

/** Index into SWATCHES: the hue of what a recovered block brings back; results that report an error are notices. */
export function swatchOfBlock(blocks: ReplayBlocks, table: BlockTable, block: number): number {
  let at = block;
  for (let hops = 0; hops < 64 && blocks.kind[at] === RECOVERED; hops++) {
    const from = blocks.memberStart[at] ?? 0;
    if ((blocks.memberStart[at + 1] ?? from) === from) break;
    at = blocks.members[from] ?? at;
  }
  const base = blocks.base[at] ?? -1;
  if (base >= 0 && table.isError[base] === 1) return SWATCHES.indexOf('notice');
  return SWATCHES.indexOf(SWATCH_OF_KIND[BLOCK_KINDS[blocks.kind[at] ?? 0] ?? 'notice']);
}
