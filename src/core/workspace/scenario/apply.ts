/**
 * One operation of a scenario on the live workspace: all or nothing. What may not be done is refused with the reason; what
 * is done goes through `operations.ts`, as for every policy.
 */
import { TOKENS_PER_MESSAGE } from '../../trace/blocks-types';
import { blockId, STATUS } from '../kinds';
import { archive, destroy, isSpareCopy, NONE, offload, recover, recoverCost, setPins, type By } from '../operations';
import { roundOf } from '../policies/parts/oldest-rounds';
import { isStandIn } from '../preflight';
import { roomFor } from '../recovery';
import { labelledHandleText } from '../wording';
import type { Workspace } from '../workspace';
import type { NameBook } from './names';
import { namesOf, readOf, type Read } from './reads';
import { whyNotDeleted, whyNotPinned, whyNotRemoved, whyNotUnpinned } from './refusals';
import type { ScenarioOp, ScenarioOutcome } from './types';

export interface ApplyOptions {
  /** Must a read fit beside what has to stay? */
  bound: boolean;
}

type Done = { made: number[]; notes: string[] };
type Verdict = { refused: string } | Done;

export function applyScenarioOp(ws: Workspace, names: NameBook, op: ScenarioOp, { bound }: ApplyOptions): ScenarioOutcome {
  const tokensBefore = ws.size;
  const asked = resolveAll(names, op);
  const chosen = asked.items;
  const all = inOrder(ws, asked.problem === null && cascades(op) ? withPartners(ws, chosen) : chosen);
  const verdict: Verdict = asked.problem === null ? perform(ws, names, op, chosen, all, bound) : { refused: asked.problem };
  const added = all.filter((item) => !chosen.includes(item));
  const outcome = { id: op.id, ids: all.map(blockId), bases: all.map((item) => ws.columns.base.get(item)), cascade: added.map(blockId), tokensBefore, tokensAfter: ws.size };
  if ('refused' in verdict) return { ...outcome, applied: false, refused: sentence(verdict.refused), notes: [], made: [] };
  names.noteMade(op.id, verdict.made);
  return { ...outcome, applied: true, refused: null, notes: verdict.notes.map(sentence), made: verdict.made.map(blockId) };
}

export const cascades = ({ op, cascade }: Pick<ScenarioOp, 'op' | 'cascade'>): boolean => (op === 'archive' || op === 'delete') && cascade !== false;

function resolveAll(names: NameBook, op: ScenarioOp): { items: number[]; problem: string | null } {
  if (op.op === 'recover' && op.blocks.length === 0) {
    const label = op.label ?? '';
    const item = names.ofLabel(label);
    if (item !== undefined) return { items: [item], problem: null };
    const known = names.knownLabels.map((one) => `“${one}”`).join(', ');
    return { items: [], problem: `nothing was put away under the label “${label}”; ${known === '' ? 'there is no label so far' : `labels so far: ${known}`}` };
  }
  const items = new Set<number>();
  const problems: string[] = [];
  for (const name of op.blocks) {
    const found = names.resolve(name);
    if ('item' in found) items.add(found.item);
    else problems.push(found.problem);
  }
  if (op.blocks.length === 0) problems.push('it names no block');
  return { items: [...items], problem: problems.length === 0 ? null : firstOf(problems) };
}

function perform(ws: Workspace, names: NameBook, op: ScenarioOp, chosen: readonly number[], all: readonly number[], bound: boolean): Verdict {
  const added = all.length - chosen.length;
  const by: By = { actor: 'user', reason: added > 0 ? `by hand; ${added} ${added === 1 ? 'block goes' : 'blocks go'} along as call or result` : 'by hand' };
  switch (op.op) {
    case 'archive': return refusalOf(chosen, all, (item) => whyNotRemoved(ws, item)) ?? archiveAll(ws, names, op, all, by);
    case 'delete': return refusalOf(chosen, all, (item) => whyNotDeleted(ws, item)) ?? deleteAll(ws, all, by);
    case 'pin': case 'unpin': {
      const refused = refusalOf(chosen, all, (item) => (op.op === 'pin' ? whyNotPinned(ws, item) : whyNotUnpinned(ws, item)));
      if (refused) return refused;
      setPins(ws, op.op, all, by);
      return { made: [], notes: [] };
    }
    case 'recover': return recoverAll(ws, chosen, { ...by, ...(op.label === undefined ? {} : { label: op.label }) }, bound);
  }
}

function archiveAll(ws: Workspace, names: NameBook, op: ScenarioOp, all: readonly number[], by: By): Verdict {
  const label = op.label === '' ? undefined : op.label;
  const holder = label === undefined ? undefined : names.ofLabel(label);
  if (label !== undefined && holder !== undefined && ws.statusOf(holder) !== STATUS.deleted) return { refused: `the label “${label}” is taken by ${blockId(holder)}` };
  const before = ws.size;
  const copies = all.filter((item) => isSpareCopy(ws, item));
  const others = all.filter((item) => !copies.includes(item));
  const fresh = others.filter((item) => ws.isFresh(item));
  for (const copy of copies) offload(ws, copy, by);
  const handle = others.length === 0 ? NONE : archive(ws, others, label === undefined ? by : { ...by, label }, op.summary, labelledHandleText(label));
  if (label !== undefined && handle !== NONE) names.noteLabel(label, handle);
  const notes = [
    ...(copies.length > 0 ? [`${namesOf(copies)} ${copies.length === 1 ? 'is a copy whose original is' : 'are copies whose originals are'} still stored: put back without a handle of ${copies.length === 1 ? 'its' : 'their'} own`] : []),
    ...(fresh.length > 0 ? [`${namesOf(fresh)} ${fresh.length === 1 ? 'has' : 'have'} just arrived: no call has seen ${fresh.length === 1 ? 'it' : 'them'}`] : []),
    ...(ws.size >= before ? ['it frees nothing: the handle is at least as large as what it stands for'] : []),
  ];
  return { made: handle === NONE ? [] : [handle], notes };
}

function deleteAll(ws: Workspace, all: readonly number[], by: By): Verdict {
  const stored = all.filter((item) => !ws.isVisible(item) || isStandIn(ws, item));
  const fresh = all.filter((item) => ws.isFresh(item));
  destroy(ws, all, by);
  return {
    made: [],
    notes: [
      ...(stored.length > 0 ? [`stored bytes are destroyed as well (${namesOf(stored)})`] : []),
      ...(fresh.length > 0 ? [`${namesOf(fresh)} ${fresh.length === 1 ? 'has' : 'have'} just arrived: no call has seen ${fresh.length === 1 ? 'it' : 'them'}`] : []),
    ],
  };
}

function recoverAll(ws: Workspace, chosen: readonly number[], by: By, bound: boolean): Verdict {
  const reads: Read[] = [];
  const problems: string[] = [];
  for (const item of chosen) {
    const read = readOf(ws, item);
    if ('problem' in read) problems.push(read.problem);
    else reads.push(read);
  }
  if (problems.length > 0) return { refused: firstOf(problems) };
  const cost = reads.reduce((sum, read) => sum + recoverCost(ws, read.holder, read.leaves) + TOKENS_PER_MESSAGE, 0);
  const room = bound ? roomFor(ws) : Infinity;
  if (cost > room) return { refused: `it needs about ${cost} tokens, but beside what must stay about ${Math.max(0, Math.floor(room))} are free` };
  return { made: reads.map((read) => recover(ws, read.holder, read.leaves, by)), notes: [] };
}

/** Calls and results of what is chosen, as far as they are shown; stand-ins and stored blocks have none. */
function withPartners(ws: Workspace, chosen: readonly number[]): number[] {
  const all = new Set<number>();
  for (const item of chosen) for (const member of ws.isVisible(item) ? roundOf(ws, item) : [item]) all.add(member);
  for (const item of chosen) all.add(item);
  return [...all];
}

const inOrder = (ws: Workspace, items: readonly number[]): number[] => [...items].sort((a, b) => ws.columns.slot.get(a) - ws.columns.slot.get(b) || a - b);

function refusalOf(chosen: readonly number[], all: readonly number[], why: (item: number) => string | null): { refused: string } | null {
  const problems: string[] = [];
  for (const item of all) {
    const problem = why(item);
    if (problem !== null) problems.push(chosen.includes(item) ? problem : `${problem} (it goes along as call or result: take only what you chose, or unpin it)`);
  }
  return problems.length === 0 ? null : { refused: firstOf(problems) };
}

const firstOf = (problems: readonly string[]): string => (problems.length > 1 ? `${problems[0] ?? ''}; and ${problems.length - 1} more` : (problems[0] ?? ''));
const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;
