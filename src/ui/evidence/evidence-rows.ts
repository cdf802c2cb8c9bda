/** The demands of one step with their sources, each source judged at that step under the replay shown. */
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
  /** Held by the system prompt or task: counted apart. */
  inPrompt: boolean;
  /** The best of its sources. */
  availability: Availability;
  sources: EvidenceSource[];
}

const RANK: Record<Availability, number> = { visible: 0, recoverable: 1, lost: 2 };
const ALWAYS_STORED: ReadonlySet<BlockStatus> = new Set(['archived', 'offloaded']);
const STORED_WITH_RECOVERY: ReadonlySet<BlockStatus> = new Set(['masked', 'cleared', 'summarised', 'rejected']);

/** Heaviest first; prompt-satisfied demands last. */
export function evidenceRows(line: OpenLine, replay: Replay, indexOfBase: Int32Array, step: number): EvidenceDemand[] {
  const { evidence } = line;
  const copies = visibleCopies(replay, step);
  const demands: EvidenceDemand[] = [];
  for (let d = evidence.demandStart[step - 1] ?? 0; d < (evidence.demandStart[step] ?? 0); d++) {
    const sources: EvidenceSource[] = [];
    for (let s = evidence.sourceStart[d] ?? 0; s < (evidence.sourceStart[d + 1] ?? 0); s++) {
      const base = evidence.sources[s] ?? 0;
      const index = indexOfBase[base] ?? -1;
      const status: BlockStatus = index < 0 ? 'unborn' : statusAt(replay.history, index, step).status;
      const copy = status === 'visible' ? -1 : (copies.get(index) ?? -1);
      sources.push({ id: index < 0 ? '' : `B${index + 1}`, index, base, echo: evidence.sourceIsEcho[s] === 1, status, copy, availability: availabilityOf(status, copy, replay.exactRecovery) });
    }
    const inPrompt = evidence.demandInPrompt[d] === 1;
    const best = sources.reduce<Availability>((a, { availability }) => (RANK[availability] < RANK[a] ? availability : a), 'lost');
    demands.push({ lexeme: evidence.lexemes[evidence.demandLexeme[d] ?? 0] ?? '', weight: evidence.demandWeight[d] ?? 0, inPrompt, availability: inPrompt ? 'visible' : best, sources });
  }
  return demands.sort((a, b) => Number(a.inPrompt) - Number(b.inPrompt) || b.weight - a.weight);
}

function availabilityOf(status: BlockStatus, copy: number, exactRecovery: boolean): Availability {
  if (status === 'visible' || copy >= 0) return 'visible';
  if (ALWAYS_STORED.has(status) || (exactRecovery && STORED_WITH_RECOVERY.has(status))) return 'recoverable';
  return 'lost';
}

/** Block → the visible recovered copy of it at the step. A copy of a bundle counts for every block in it. */
function visibleCopies(replay: Replay, step: number): Map<number, number> {
  const { blocks } = replay;
  const recovered = BLOCK_KINDS.indexOf('recovered');
  const out = new Map<number, number>();
  for (let i = 0; i < blocks.n; i++) {
    if (blocks.kind[i] !== recovered || statusAt(replay.history, i, step).status !== 'visible') continue;
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
