/**
 * The words of what stands in the stream for something else, our own (shapes: systems.md §2.3). Each carries the id,
 * the size and a checksum, so that it can be acted on.
 */
import { BLOCK_KINDS } from '../trace/blocks-types';
import type { BlockColumns } from './block-columns';
import { blockId } from './kinds';

/** Characters of the checksum that are shown; the whole one is in the replay's columns. */
const CHECKSUM_SHOWN = 12;
/** Characters of a first line quoted in a handle. */
const PREVIEW_SHOWN = 72;

export const describeBlock = (columns: BlockColumns, item: number): string => {
  const base = columns.base.get(item);
  const kind = BLOCK_KINDS[columns.kind.get(item)] ?? 'block';
  const tool = base < 0 ? '' : (columns.table.strings[columns.table.toolName[base] ?? 0] ?? '');
  return tool === '' ? kind : `${kind} ${tool}`;
};

export function previewOf(columns: BlockColumns, item: number): string {
  const base = columns.base.get(item);
  const line = (base < 0 ? '' : (columns.table.preview[base] ?? '')).replace(/\s+/g, ' ').trim();
  return line.length > PREVIEW_SHOWN ? `${line.slice(0, PREVIEW_SHOWN - 1)}…` : line;
}

const quoted = (line: string): string => (line === '' ? '' : ` "${line}"`);
const shown = (checksum: string): string => checksum.slice(0, CHECKSUM_SHOWN);

export function handleText(columns: BlockColumns, items: readonly number[], level: number, checksum: string, summary: string): string {
  const first = items[0] ?? 0;
  const lastItem = items.at(-1) ?? first;
  let tokens = 0;
  for (const item of items) tokens += columns.payloadTokens.get(item);
  const name = items.length === 1 ? blockId(first) : `${blockId(first)}..${blockId(lastItem)}`;
  const what = items.length === 1 ? describeBlock(columns, first) : `${items.length} blocks`;
  return `[ARCHIVED:${name} L${level}] ${what}, ~${tokens} tokens, sha256 ${shown(checksum)}, exact text by recover.${quoted(summary)}`;
}

/** A handle that says the name it was put away under. */
export const labelledHandleText = (label: string | undefined): typeof handleText =>
  label === undefined ? handleText : (...args) => handleText(...args).replace('] ', () => `] label ${JSON.stringify(label)}: `);

export function offloadText(columns: BlockColumns, item: number, checksum: string): string {
  return `[OFFLOADED:${blockId(item)}] ${describeBlock(columns, item)}, ~${columns.payloadTokens.get(item)} tokens, sha256 ${shown(checksum)}, exact text by recover.`;
}

export function rejectText(columns: BlockColumns, item: number, checksum: string, freeTokens: number): string {
  return `[CONTEXT_LIMIT_REJECTED:${blockId(item)}] ${describeBlock(columns, item)} of ~${columns.payloadTokens.get(item)} tokens does not fit (free: ~${Math.max(0, freeTokens)}). `
    + `Ask with a narrower query, or archive something first and read a range of it; sha256 ${shown(checksum)}.`;
}

/** Before every message where an agent names its messages by id. */
export const idMark = (item: number): string => `[${blockId(item)}] `;
export const recoveredMark = (source: number): string => `[RECOVERED:${blockId(source)}]\n`;
/** Before a tool result whose call is no longer in the stream. */
export const visibleMark = (item: number): string => `[VISIBLE:${blockId(item)}]\n`;
/** Before a call whose results are no longer in the stream. */
export const callMark = (item: number): string => `[TOOL_CALL_CONTEXT:${blockId(item)}]\n`;

/** The ablation's handle: an id, and nothing about what is behind it. */
export function bareHandleText(_columns: BlockColumns, items: readonly number[], level: number): string {
  const first = items[0] ?? 0;
  return `[ARCHIVED:${blockId(first)} L${level}]`;
}
