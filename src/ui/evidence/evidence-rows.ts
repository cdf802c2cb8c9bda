/** The demands of one step with their sources, each source judged at that step under the replay shown. */
import { demandsOfStep } from '../../core/evidence';
import { EvidenceStatus, type Availability } from '../../core/workspace/evidence-status';
import { BLOCK_STATUSES, type BlockStatus, type Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';

export type { Availability };
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
const built = new WeakMap<Replay, EvidenceStatus>();

/** Once a replay. */
function evidenceStatus(line: OpenLine, replay: Replay): EvidenceStatus {
  let status = built.get(replay);
  if (!status) built.set(replay, (status = new EvidenceStatus(replay, line.blocks.n)));
  return status;
}

/**
 * Heaviest first; prompt-satisfied demands last. Judged as the replay does: after the policy's own ops and before the
 * engine brings back what this very step needs (model.md §3, order within a step).
 */
export function evidenceRows(line: OpenLine, replay: Replay, step: number): EvidenceDemand[] {
  const at = evidenceStatus(line, replay);
  const demands = demandsOfStep(line.evidence, step).map(({ lexeme, weight, df, inPrompt, sources: held }): EvidenceDemand => {
    const sources = held.map(({ block: base, echo }): EvidenceSource => {
      const index = at.itemOfBase[base] ?? -1;
      const status: BlockStatus = index < 0 ? 'unborn' : (BLOCK_STATUSES[at.statusAt(index, step)] ?? 'unborn');
      const copy = index < 0 || status === 'visible' ? -1 : at.copyOf(index, step);
      return { id: index < 0 ? '' : `B${index + 1}`, index, base, echo, status, copy, availability: at.ofItem(index, step) };
    });
    const best = sources.reduce<Availability>((a, { availability }) => (RANK[availability] < RANK[a] ? availability : a), 'lost');
    return { lexeme, weight, df, inPrompt, availability: inPrompt ? 'visible' : best, sources };
  });
  return demands.sort((a, b) => Number(a.inPrompt) - Number(b.inPrompt) || b.weight - a.weight);
}
