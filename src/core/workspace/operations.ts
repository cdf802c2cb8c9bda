/**
 * The op vocabulary on a live workspace (model.md §3). Every function refuses what may not be touched (pins win; what is
 * not there cannot be taken out), makes the block that stands in, applies the transition and logs one op.
 */
import { checksumOf } from './checksum';
import { blockId, KIND, STATUS } from './kinds';
import { applyTransition } from './transition';
import type { Actor, Op, OpName } from './types';
import { handleText, offloadText, previewOf, recoveredMark, rejectText } from './wording';
import type { Workspace } from './workspace';

/** Who does it and why, in one line a person can read; `label` = the name under which it can be asked for. */
export interface By { actor: Actor; reason: string; label?: string }

/** No block was made, or nothing was left to do. */
export const NONE = -1;

const removable = (ws: Workspace, items: readonly number[]): number[] =>
  items.filter((item) => ws.isVisible(item) && !ws.isPinned(item));

function perform(ws: Workspace, op: OpName, items: readonly number[], result: number, by: By, before: number, range?: [number, number]): void {
  applyTransition(op, items, result, ws.graph, ws);
  const entry: Op = { step: ws.step, op, actor: by.actor, ids: items.map(blockId), reason: by.reason, tokensBefore: before, tokensAfter: ws.size };
  if (result >= 0) entry.result = blockId(result);
  if (range) entry.range = range;
  if (by.label !== undefined) entry.label = by.label;
  ws.ops.push(entry);
}

interface StandIn { kind: number; level: number; text: string; checksum?: string; tokens?: number }

function standIn(ws: Workspace, items: readonly number[], { kind, level, text, checksum, tokens }: StandIn): number {
  const single = items.length === 1 ? ws.columns.parent.get(items[0] ?? 0) : -1;
  return ws.addMade({
    kind, bornStep: ws.step, tokens: tokens ?? ws.setup.count(text), level, parent: single, text, members: items,
    ...(checksum === undefined ? {} : { checksum }),
  });
}

/** Admits base blocks (indices into the table) in order; returns their replay indices. */
export function admit(ws: Workspace, bases: readonly number[]): number[] {
  const before = ws.size;
  const items = bases.map((base) => ws.addBase(base));
  perform(ws, 'admit', items, NONE, { actor: 'engine', reason: 'arrived' }, before);
  return items;
}

/** Level of a handle over these blocks: one more than the highest among them. */
export function levelOver(ws: Workspace, items: readonly number[]): number {
  let level = 0;
  for (const item of items) level = Math.max(level, ws.columns.level.get(item));
  return level + 1;
}

/**
 * Puts blocks into the archive behind one handle at the place of the first. `summary` absent = first line of the largest;
 * `wording` absent = the handle says type, size and checksum.
 */
export function archive(ws: Workspace, items: readonly number[], by: By, summary?: string, wording: typeof handleText = handleText): number {
  const taken = removable(ws, items).sort((a, b) => ws.columns.slot.get(a) - ws.columns.slot.get(b));
  if (taken.length === 0) return NONE;
  const before = ws.size;
  const level = levelOver(ws, taken);
  const checksum = checksumOf(ws.columns, taken);
  const words = summary ?? previewOf(ws.columns, largest(ws, taken));
  const handle = standIn(ws, taken, { kind: KIND.handle, level, text: wording(ws.columns, taken, level, checksum, words), checksum });
  perform(ws, 'archive', taken, handle, by, before);
  return handle;
}

/** Puts blocks into the archive with nothing in their place: they are found by asking for them (a variable, a store). */
export function store(ws: Workspace, items: readonly number[], by: By): boolean {
  const taken = removable(ws, items);
  if (taken.length > 0) perform(ws, 'archive', taken, NONE, by, ws.size);
  return taken.length > 0;
}

function largest(ws: Workspace, items: readonly number[]): number {
  let best = items[0] ?? 0;
  for (const item of items) if (ws.columns.payloadTokens.get(item) > ws.columns.payloadTokens.get(best)) best = item;
  return best;
}

/** Stores one block behind a placeholder (`text` = its words). A recovered copy whose original is still stored is just put back. */
export function offload(ws: Workspace, item: number, by: By, text?: string): number {
  if (removable(ws, [item]).length === 0) return NONE;
  const before = ws.size;
  if (isSpareCopy(ws, item)) {
    perform(ws, 'offload', [item], NONE, by, before);
    return NONE;
  }
  const checksum = checksumOf(ws.columns, [item]);
  const words = text ?? offloadText(ws.columns, item, checksum);
  const placeholder = standIn(ws, [item], { kind: KIND.placeholder, level: ws.columns.level.get(item), text: words, checksum });
  perform(ws, 'offload', [item], placeholder, by, before);
  return placeholder;
}

/** Is it a recovered copy, every block of which is still stored behind its handle? */
export function isSpareCopy(ws: Workspace, item: number): boolean {
  if (ws.columns.kind.get(item) !== KIND.recovered) return false;
  if (ws.columns.memberCount(item) === 0) return ws.statusOf(ws.columns.parent.get(item)) !== STATUS.deleted;
  for (let k = 0; k < ws.columns.memberCount(item); k++) if (!ws.isStored(ws.columns.member(item, k))) return false;
  return true;
}

/** Refuses a block that does not fit: stored, with a notice in its place. */
export function reject(ws: Workspace, item: number, freeTokens: number, by: By): number {
  if (removable(ws, [item]).length === 0) return NONE;
  const before = ws.size;
  const checksum = checksumOf(ws.columns, [item]);
  const text = rejectText(ws.columns, item, checksum, freeTokens);
  const notice = standIn(ws, [item], { kind: KIND.notice, level: ws.columns.level.get(item), text, checksum });
  perform(ws, 'reject', [item], notice, by, before);
  return notice;
}

/** Tokens that bringing these blocks back in one read would add. */
export function recoverCost(ws: Workspace, holder: number, leaves: readonly number[]): number {
  let tokens = ws.setup.count(recoveredMark(holder));
  for (const leaf of leaves) tokens += ws.columns.tokens.get(leaf);
  return tokens;
}

/**
 * Brings back neighbouring members of `holder` as one new block at the end of the stream. The op's range is theirs in the
 * payload of `holder`; whole payloads have none.
 */
export function recover(ws: Workspace, holder: number, leaves: readonly number[], by: By): number {
  if (leaves.length === 0) return NONE;
  const before = ws.size;
  const range = rangeOf(ws, holder, leaves);
  const copy = ws.addMade({
    kind: KIND.recovered, bornStep: ws.step, tokens: recoverCost(ws, holder, leaves), level: 0, parent: holder, text: '', members: leaves,
    checksum: checksumOf(ws.columns, leaves), ...(range ? { range } : {}),
  });
  perform(ws, 'recover', [holder], copy, by, before, range);
  return copy;
}

/** The record shows the bytes that came back as a message of its own: logged, and no second copy is made. */
export function recoveredInto(ws: Workspace, holder: number, item: number, by: By): void {
  perform(ws, 'recover', [holder], item, by, ws.size);
}

/** Shows blocks again in their own places: what a rule left out of one request it may put into the next. */
export function showAgain(ws: Workspace, items: readonly number[], by: By): boolean {
  const hidden = items.filter((item) => ws.statusOf(item) !== STATUS.unborn && ws.statusOf(item) !== STATUS.deleted && !ws.isVisible(item));
  if (hidden.length > 0) perform(ws, 'recover', hidden, NONE, by, ws.size);
  return hidden.length > 0;
}

function rangeOf(ws: Workspace, holder: number, leaves: readonly number[]): [number, number] | undefined {
  if (leaves[0] === holder) return undefined;
  const { columns } = ws;
  let length = 0;
  for (const leaf of leaves) length += columns.payloadBytes.get(leaf);
  const from = columns.offset.get(leaves[0] ?? 0);
  return from === 0 && length === columns.payloadBytes.get(holder) ? undefined : [from, from + length];
}

/** Reads any byte range of a payload into the stream (user and agent reads); its tokens are a share of the payload's by bytes. */
export function recoverRange(ws: Workspace, holder: number, range: readonly [number, number], by: By): number {
  const bytes = ws.columns.payloadBytes.get(holder);
  const from = Math.min(Math.max(0, range[0]), bytes);
  const to = Math.min(Math.max(from, range[1]), bytes);
  if (ws.statusOf(holder) === STATUS.deleted || ws.columns.memberCount(holder) === 0) return NONE;
  const before = ws.size;
  const share = bytes > 0 ? (to - from) / bytes : 0;
  const tokens = ws.setup.count(recoveredMark(holder)) + Math.ceil(ws.columns.payloadTokens.get(holder) * share);
  const copy = ws.addMade({ kind: KIND.recovered, bornStep: ws.step, tokens, level: 0, parent: holder, text: '', members: [], range: [from, to] });
  perform(ws, 'recover', [holder], copy, by, before, [from, to]);
  return copy;
}

/** Replaces one block by a placeholder that promises no way back (mask, clear). `tokens` absent = those of the text. */
export function replaceBy(ws: Workspace, op: 'mask' | 'clear', item: number, text: string, by: By, tokens?: number): number {
  if (removable(ws, [item]).length === 0) return NONE;
  const before = ws.size;
  const made: StandIn = { kind: KIND.placeholder, level: ws.columns.level.get(item), text, checksum: checksumOf(ws.columns, [item]) };
  const placeholder = standIn(ws, [item], tokens === undefined ? made : { ...made, tokens });
  perform(ws, op, [item], placeholder, by, before);
  return placeholder;
}

/** Shows an assistant message without its reasoning: words and calls stay as they are. */
export function stripReasoning(ws: Workspace, item: number, by: By): number {
  const base = ws.columns.base.get(item);
  const reasoning = base < 0 ? 0 : (ws.columns.table.reasoningTokens[base] ?? 0);
  if (reasoning === 0 || removable(ws, [item]).length === 0) return NONE;
  const before = ws.size;
  const stripped = standIn(ws, [item], { kind: KIND.assistant, level: 0, text: '', tokens: ws.columns.tokens.get(item) - reasoning });
  perform(ws, 'clear', [item], stripped, by, before);
  return stripped;
}

/** Takes blocks out with nothing in their place (clear of a pair, trim). All or none: a pinned member keeps the whole. */
export function remove(ws: Workspace, op: 'clear' | 'trim', items: readonly number[], by: By): boolean {
  const taken = removable(ws, items);
  if (taken.length === 0 || taken.length < items.length) return false;
  perform(ws, op, taken, NONE, by, ws.size);
  return true;
}

/**
 * Replaces blocks by one summary at the place of the first; text null = the summary stands elsewhere in the stream.
 * `tokens`: those of the text where they are known already.
 */
export function summarise(ws: Workspace, op: 'summarise' | 'fold', items: readonly number[], text: string | null, by: By, tokens?: number): number {
  const taken = removable(ws, items).sort((a, b) => ws.columns.slot.get(a) - ws.columns.slot.get(b));
  if (taken.length === 0) return NONE;
  const before = ws.size;
  const made: StandIn = { kind: KIND.summary, level: levelOver(ws, taken), text: text ?? '' };
  const result = text === null ? NONE : standIn(ws, taken, tokens === undefined ? made : { ...made, tokens });
  perform(ws, op, taken, result, by, before);
  return result;
}

/** Shows the members of a visible summary or handle again, in their places. */
export function expand(ws: Workspace, item: number, by: By): boolean {
  // The original of a copy is shown by its own handle, or not at all.
  if (removable(ws, [item]).length === 0 || ws.columns.memberCount(item) === 0 || ws.columns.kind.get(item) === KIND.recovered) return false;
  perform(ws, 'expand', [item], NONE, by, ws.size);
  return true;
}

/** The only op that destroys: visible blocks, or what is stored behind a handle. */
export function destroy(ws: Workspace, items: readonly number[], by: By): boolean {
  const taken = items.filter((item) => {
    const status = ws.statusOf(item);
    return status !== STATUS.unborn && status !== STATUS.deleted && !ws.isPinned(item);
  });
  if (taken.length === 0) return false;
  perform(ws, 'delete', taken, NONE, by, ws.size);
  return true;
}

export function setPins(ws: Workspace, op: 'pin' | 'unpin', items: readonly number[], by: By): boolean {
  const taken = items.filter((item) => (op === 'pin' ? ws.isVisible(item) && !ws.isPinned(item) : ws.isPinned(item)));
  if (taken.length === 0) return false;
  perform(ws, op, taken, NONE, by, ws.size);
  return true;
}

/** A remark in the log; changes nothing. */
export function note(ws: Workspace, by: By, items: readonly number[] = []): void {
  perform(ws, 'note', items, NONE, by, ws.size);
}
