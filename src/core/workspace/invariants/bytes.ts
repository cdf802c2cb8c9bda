/** Invariants 2 and 3: what is stored reads back byte for byte; only a deletion destroys, and it destroys the store too. */
import { sha256Hex } from '../../base/sha256';
import { graphOf, standsForOthers, type BlockGraph } from '../block-graph';
import { combineChecksums } from '../checksum';
import { blockId, blockIndex, STATUS } from '../kinds';
import { readPayload } from '../payload';
import { stateAt } from '../state-at';
import type { Replay } from '../types';
import { holds, violated } from './sample';
import type { InvariantResult, InvariantSource } from './types';

/** Stored payloads whose bytes are really read; the checksums of all are compared. */
const READ_PAYLOADS = 12;
/** A payload larger than this is checked by its checksum alone. */
const MAX_READ_BYTES = 4_000_000;

/** Handles, placeholders and notices that carry a checksum. */
function stores({ blocks }: Replay): number[] {
  return Array.from({ length: blocks.n }, (_, i) => i).filter((i) => blocks.checksum[i] !== undefined && standsForOthers(blocks.kind[i] ?? 0));
}

export async function bytesReadBack({ replay, input, textsOf }: InvariantSource): Promise<InvariantResult> {
  const { blocks } = replay;
  const graph = graphOf(blocks);
  const all = stores(replay);
  const nothingDeleted = new Uint8Array(0);
  const checksum = checksums(replay, graph, input.blocks.contentHash);
  const checked = (read: number): string => `checksums of ${all.length} stored payloads, bytes of ${read}`;
  for (const item of all) {
    const bytes = sumOf(members(graph, item), (member) => blocks.payloadBytes[member] ?? 0);
    const at = blocks.bornStep[item] ?? 1;
    if (checksum(item) !== blocks.checksum[item]) return violated(2, at, `${blockId(item)} carries another checksum than what it stands for`, checked(0));
    if (bytes !== blocks.payloadBytes[item]) return violated(2, at, `${blockId(item)} says ${blocks.payloadBytes[item]} bytes and stands for ${bytes}`, checked(0));
  }
  // The highest levels first: what goes through most hands.
  const chosen = all.filter((item) => (blocks.payloadBytes[item] ?? 0) <= MAX_READ_BYTES).sort((a, b) => (blocks.level[b] ?? 0) - (blocks.level[a] ?? 0) || a - b).slice(0, READ_PAYLOADS);
  const bases = [...new Set(chosen.flatMap((item) => leaves(graph, item).map((leaf) => blocks.base[leaf] ?? -1)))].filter((base) => base >= 0);
  const textOf = await textsOf(bases);
  for (const base of bases) if (sha256Hex(textOf(base)) !== input.blocks.contentHash[base]) return violated(2, input.blocks.bornStep[base] ?? 1, `recorded block ${base} is no longer what was hashed`, checked(0));
  for (const item of chosen) {
    const whole = readPayload(replay, nothingDeleted, item, textOf).bytes;
    if (whole.length !== blocks.payloadBytes[item]) return violated(2, blocks.bornStep[item] ?? 1, `reading ${blockId(item)} gave ${whole.length} bytes`, checked(chosen.length));
    const [from, to] = [Math.floor(whole.length / 3), Math.ceil((whole.length * 2) / 3)];
    const slice = readPayload(replay, nothingDeleted, item, textOf, [from, to]).bytes;
    if (slice.length !== to - from || slice.some((byte, i) => byte !== whole[from + i])) return violated(2, blocks.bornStep[item] ?? 1, `bytes ${from} to ${to} of ${blockId(item)} are not those of the whole`, checked(chosen.length));
  }
  return holds(2, checked(chosen.length), all.length === 0 ? 'nothing was stored' : '');
}

const members = (graph: BlockGraph, item: number): number[] => Array.from({ length: graph.memberCount(item) }, (_, k) => graph.member(item, k));
const sumOf = (items: readonly number[], value: (item: number) => number): number => items.reduce((sum, item) => sum + value(item), 0);

function leaves(graph: BlockGraph, item: number): number[] {
  const out: number[] = [];
  const waiting = [item];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (graph.memberCount(at) === 0 || !standsForOthers(graph.kindOf(at))) out.push(at);
    else waiting.push(...members(graph, at));
  }
  return out;
}

/** What a stored block's checksum must be, from the recorded content hashes up (checksum.ts); each once. */
function checksums({ blocks }: Replay, graph: BlockGraph, contentHash: readonly string[]): (item: number) => string {
  const known = new Map<number, string>();
  const own = (item: number): string => {
    const base = blocks.base[item] ?? -1;
    return base >= 0 ? (contentHash[base] ?? '') : sha256Hex(blocks.text[item] ?? '');
  };
  return (wanted) => {
    const waiting = [wanted];
    while (waiting.length > 0) {
      const at = waiting.at(-1) ?? wanted;
      const below = standsForOthers(blocks.kind[at] ?? 0) ? members(graph, at) : [];
      const missing = below.filter((member) => !known.has(member));
      if (missing.length > 0) {
        waiting.push(...missing);
        continue;
      }
      known.set(at, below.length === 0 ? own(at) : combineChecksums(below.map((member) => known.get(member) ?? '')));
      waiting.pop();
    }
    return known.get(wanted) ?? '';
  };
}

export function deletions(replay: Replay): InvariantResult {
  const { history, ops, steps, blocks } = replay;
  const deletes = ops.filter(({ op }) => op === 'delete');
  const byStep = new Set(deletes.map(({ step }) => step));
  const checked = `${deletes.length} ${deletes.length === 1 ? 'deletion' : 'deletions'}, status of ${blocks.n} blocks`;
  for (let i = 0; i < blocks.n; i++) {
    for (let h = history.start[i] ?? 0; h < (history.start[i + 1] ?? 0); h++) {
      if (history.status[h] === STATUS.deleted && !byStep.has(history.step[h] ?? 0)) return violated(3, history.step[h] ?? 1, `${blockId(i)} is deleted and no op deleted it`, checked);
    }
  }
  const last = stateAt(replay, steps.n + 1);
  for (const { ids, step } of deletes) for (const id of ids) {
    const item = blockIndex(id);
    if (last.status[item] !== STATUS.deleted) return violated(3, step, `${id} was deleted and is ${last.status[item] === STATUS.visible ? 'visible' : 'stored'} again`, checked);
    if (!throws(() => readPayload(replay, last.status, item, () => ''))) return violated(3, step, `the payload of ${id} can be read after its deletion`, checked);
  }
  return holds(3, checked, deletes.length === 0 ? 'nothing was deleted' : '');
}

function throws(read: () => unknown): boolean {
  try {
    read();
    return false;
  } catch {
    return true;
  }
}
