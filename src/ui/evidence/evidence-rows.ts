/** The demands of one step with their sources, each source judged at that step under the replay shown. */
import { demandsOfStep } from '../../core/evidence';
import { statusAt } from '../../core/layout/status-at';
import { sourceOfBlock } from '../../core/layout/names';
import { BLOCK_KINDS } from '../../core/trace/blocks-types';
import type { BlockStatus, Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';

export type Availability = 'visible' | 'recoverable' | 'lost';
export interface EvidenceSource { id: string; index: number; base: number; echo: boolean; status: BlockStatus; availability: Availability; /** Replay index of the copy that brought it back, −1 = none. */ copy: number }
export interface EvidenceDemand {
  lexeme: string;
  weight: number;
  /** Blocks that held it then; `sources` may list fewer. */
  df: number;
  /** Held by the system prompt or task: counted apart. */
  inPrompt: boolean;
  /** The best of its sources. */
  availability: Availability;
  sources: EvidenceSource[];
}

const RANK: Record<Availability, number> = { visible: 0, recoverable: 1, lost: 2 };
const ALWAYS_STORED: ReadonlySet<BlockStatus> = new Set(['archived', 'offloaded']);
const STORED_WITH_RECOVERY: ReadonlySet<BlockStatus> = new Set(['masked', 'cleared', 'summarised', 'rejected']);

/**
 * Heaviest first; prompt-satisfied demands last. Judged as the replay does: after the policy's own ops and before the
 * engine brings back what this very step needs (model.md §3, order within a step).
 */
export function evidenceRows(line: OpenLine, replay: Replay, indexOfBase: Int32Array, step: number): EvidenceDemand[] {
  const late = afterMeasuring(replay, step);
  const copies = visibleCopies(replay, step, late.recovered);
  const demands = demandsOfStep(line.evidence, step).map(({ lexeme, weight, df, inPrompt, sources: held }): EvidenceDemand => {
    const sources = held.map(({ block: base, echo }): EvidenceSource => {
      const index = indexOfBase[base] ?? -1;
      const status: BlockStatus = index < 0 ? 'unborn' : late.removed.has(index) ? 'visible' : statusAt(replay.history, index, step).status;
      const copy = status === 'visible' ? -1 : (copies.get(index) ?? -1);
      return { id: index < 0 ? '' : `B${index + 1}`, index, base, echo, status, copy, availability: availabilityOf(status, copy, replay.exactRecovery) };
    });
    const best = sources.reduce<Availability>((a, { availability }) => (RANK[availability] < RANK[a] ? availability : a), 'lost');
    return { lexeme, weight, df, inPrompt, availability: inPrompt ? 'visible' : best, sources };
  });
  return demands.sort((a, b) => Number(a.inPrompt) - Number(b.inPrompt) || b.weight - a.weight);
}

/** What changed in the step after its evidence was measured: copies the engine brought back, blocks that made room for them. */
function afterMeasuring(replay: Replay, step: number): { recovered: Set<number>; removed: Set<number> } {
  const recovered = new Set<number>();
  const removed = new Set<number>();
  const indexOf = (id: string): number => Number(id.slice(1)) - 1;
  let measured = false;
  for (let at = replay.steps.opStart[step - 1] ?? 0; at < (replay.steps.opStart[step] ?? 0); at++) {
    const op = replay.ops[at];
    if (op === undefined) continue;
    if (op.op === 'recover' && op.actor === 'engine') {
      measured = true;
      if (op.result !== undefined) recovered.add(indexOf(op.result));
    } else if (measured && op.op !== 'admit' && op.op !== 'note') for (const id of op.ids) removed.add(indexOf(id));
  }
  return { recovered, removed };
}

function availabilityOf(status: BlockStatus, copy: number, exactRecovery: boolean): Availability {
  if (status === 'visible' || copy >= 0) return 'visible';
  if (ALWAYS_STORED.has(status) || (exactRecovery && STORED_WITH_RECOVERY.has(status))) return 'recoverable';
  return 'lost';
}

/** Block → the visible recovered copy of it at the step. A copy of a bundle counts for every block in it. */
function visibleCopies(replay: Replay, step: number, without: ReadonlySet<number>): Map<number, number> {
  const { blocks } = replay;
  const recovered = BLOCK_KINDS.indexOf('recovered');
  const out = new Map<number, number>();
  for (let i = 0; i < blocks.n; i++) {
    if (blocks.kind[i] !== recovered || without.has(i) || statusAt(replay.history, i, step).status !== 'visible') continue;
    const source = sourceOfBlock(blocks, i);
    for (const block of descendants(blocks.memberStart, blocks.members, source)) out.set(block, i);
  }
  return out;
}

function descendants(memberStart: Uint32Array, members: Uint32Array, root: number): number[] {
  const out = [root];
  for (let at = 0; at < out.length; at++) {
    const block = out[at] ?? 0;
    for (let m = memberStart[block] ?? 0; m < (memberStart[block + 1] ?? 0); m++) out.push(members[m] ?? 0);
  }
  return out;
}
