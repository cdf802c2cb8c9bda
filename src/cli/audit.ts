/** `inspect --audit`: what the recorded manager of every thread took out, and what became of it (evidence.md §1), as JSON and as Markdown. */
import { evidenceByAge, type UseByAge } from '../core/evidence/evidence-by-age';
import type { TraceReader } from '../core/import/types';
import type { TokenCounter } from '../core/tokens/types';
import type { Trajectory } from '../core/trace/model';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { auditOf, type AuditRow, type ManagerAudit } from '../core/workspace/audit';
import { replay } from '../core/workspace/replay';
import type { InspectJson } from './inspect';

export interface InspectAudit extends Omit<ManagerAudit, 'rows'> {
  thread: string;
  encoding: string;
  rows: Omit<AuditRow, 'opIndex'>[];
  useByAge: { newest: UseByAge; origin: UseByAge };
}

/** Each thread's main line under `recorded`, which no budget binds. */
export async function auditOfTrajectory(trajectory: Trajectory, reader: TraceReader, counter: TokenCounter, only?: string): Promise<InspectAudit[]> {
  const audits: InspectAudit[] = [];
  for (const thread of trajectory.threads) {
    if (only !== undefined && thread.id !== only) continue;
    const input = await analyseRecordedLine(reader, trajectory, { thread: thread.id }, counter);
    const recorded = replay(input, { policy: 'recorded', budget: Number.MAX_SAFE_INTEGER }, (text) => counter.count(text));
    const { policy, rows, totals } = auditOf(recorded, input.evidence, input.blocks);
    audits.push({
      thread: thread.id, encoding: counter.encoding, policy, totals, rows: rows.map(({ opIndex: _, ...row }) => row),
      useByAge: { newest: evidenceByAge(input.evidence, input.blocks, 'newest'), origin: evidenceByAge(input.evidence, input.blocks, 'origin') },
    });
  }
  return audits;
}

/** Rows of one audit printed for people. */
const MAX_ROWS = 200;
const REASON_CHARACTERS = 60;

const cell = (value: string | number | null): string => (value === null || value === '' ? '–' : String(value).replace(/\s+/g, ' ').replaceAll('\\', '\\\\').replaceAll('|', '\\|'));
const line = (cells: readonly (string | number | null)[]): string => `| ${cells.map(cell).join(' | ')} |`;
const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const real = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(4)));

/** One section a thread: the removals, then use against age. */
export function auditMarkdown(json: InspectJson): string {
  return json.files.flatMap(({ file, trajectories }) => trajectories.flatMap(({ name, audit }) => (audit ?? []).map((one) => section(`${file} · ${name} · thread ${one.thread}`, one)))).join('\n\n');
}

function section(title: string, { rows, totals, encoding, useByAge }: InspectAudit): string {
  const { removals, blocks, tokensFreed, usedAgain, missed, cameBack, undone, medianDelay } = totals;
  const out = [
    `## ${title}`, '',
    removals === 0
      ? 'Nothing was taken out of the context in this record.'
      : `${removals} removals of ${blocks} blocks freed ${tokensFreed} tokens (${encoding}). Used again after ${usedAgain}, missed by a call after ${missed}, came back after ${cameBack}${medianDelay === null ? '' : ` (median delay ${medianDelay} steps)`}, undone ${undone}. Verbatim reuse is a lower bound.`,
  ];
  if (removals > 0) {
    const columns = ['step', 'op', 'reason', 'blocks', 'tokensFreed', 'usedAt', 'uses', 'missedAt', 'misses', 'missedLexeme', 'backAt', 'back', 'delaySteps', 'tokensBack', 'undone'] as const;
    out.push('', line(columns), line(columns.map(() => '---')), ...rows.slice(0, MAX_ROWS).map((row) => line(columns.map((key) => (typeof row[key] === 'string' ? short(row[key], REASON_CHARACTERS) : row[key])))));
    if (rows.length > MAX_ROWS) out.push('', `… and ${rows.length - MAX_ROWS} more removals.`);
  }
  out.push('', 'Evidence weight by the age of its source, in steps (newest holder; then the first that did not repeat it):', '');
  const head = ['age', 'weight', 'per 1000 block-steps', 'weight (origin)', 'per 1000 block-steps (origin)'];
  out.push(line(head), line(head.map(() => '---')));
  useByAge.newest.rows.forEach(({ from, to, weight, rate }, i) => {
    const origin = useByAge.origin.rows[i];
    out.push(line([from === to ? from : `${from}–${to}`, real(weight), real(rate), real(origin?.weight ?? null), real(origin?.rate ?? null)]));
  });
  out.push('', `Older half of the blocks: ${real(useByAge.newest.olderHalf) ?? '–'} of the weight (origin ${real(useByAge.origin.olderHalf) ?? '–'}); 0.5 if use did not depend on age.`);
  return out.join('\n');
}
