/** Evidence of the whole run under one policy: facts for the head, block values for the table. */
import type { Replay, ReplaySteps } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import { ledgerColumns, ledgerRow, type LedgerRow } from '../ledger/ledger-model';
import { count } from '../shared/format';
import type { TableRows } from '../shared/table-text';

export interface Fact { name: string; value: string; help: string }

/** Obligations, reads and faults of one step (row = step − 1). */
export function paging(steps: ReplaySteps, row: number): Fact[] {
  return [
    { name: 'obligations', value: count(steps.obligations[row]), help: 'Blocks that had to come back for this call (VISTA Theorem 1)' },
    { name: 'reads', value: `${count(steps.reads[row])}${(steps.readTokens[row] ?? 0) > 0 ? ` (${count(steps.readTokens[row])} tokens)` : ''}`, help: 'Grouped reads that brought them back: one may discharge several obligations' },
    { name: 'faults', value: count(steps.faults[row]), help: 'Blocks that this call uses while they are out of the context, recoverable or lost: page faults (Pichay, arXiv 2603.09023)' },
  ];
}

const ratio = (value: number | null, digits: number): string => (value === null ? '–' : value >= 1000 ? count(value) : value.toFixed(digits));

/** The run's evidence and paging totals under the policy. */
export function runFacts({ totals, steps }: Replay): Fact[] {
  const { evidenceVisible, evidenceRecoverable, evidenceLost, paging: pages } = totals;
  const all = evidenceVisible + evidenceRecoverable + evidenceLost;
  const share = (part: number): string => (all > 0 ? `${((part / all) * 100).toFixed(1)} %` : '–');
  return [
    { name: 'evidence', value: count(all), help: 'Weight of what the recorded calls repeat from earlier blocks; the system prompt and the task apart' },
    { name: 'visible', value: share(evidenceVisible), help: 'Availability: weighted share that was in the context' },
    { name: 'recoverable', value: share(evidenceRecoverable), help: 'Out of the context; its bytes could be brought back' },
    { name: 'lost', value: share(evidenceLost), help: 'Neither' },
    { name: 'obligations', value: count(totals.obligations), help: 'Blocks that had to come back because a call used them' },
    { name: 'reads', value: `${count(totals.reads)} (${count(pages.tokensRead)} tokens)`, help: 'Grouped reads, and the tokens they brought back' },
    { name: 'faults', value: `${count(pages.faults)} (${ratio(pages.faultsPerStep, 2)} a step)`, help: `Blocks used while out of the context, recoverable or lost, over ${steps.n} steps` },
    { name: 'fault rate', value: pages.faultRate === null ? '–' : `${(pages.faultRate * 100).toFixed(2)} %`, help: `Faults ÷ ${pages.evictions} evictions (Pichay, arXiv 2603.09023: 0.0254 % over 1.4 M replayed evictions)` },
    { name: 'read amplification', value: pages.readAmplification === null ? '–' : `${ratio(pages.readAmplification, 1)} ×`, help: `Tokens read back ÷ tokens of the missing strings (${count(pages.tokensNeeded)}, estimated as bytes ÷ 4)` },
    { name: 'amplification', value: pages.amplification === null ? '–' : `${ratio(pages.amplification, 1)} ×`, help: 'Prompt tokens over all calls ÷ tokens admitted once: how often each was sent (Pichay: median 84.4 × for stale results)' },
  ];
}

/** Recorded blocks by what they cost after their last use, up to the end of the run; those that cost nothing are left out. */
export function blockValues(line: OpenLine, replay: Replay): LedgerRow[] {
  const columns = ledgerColumns(line, replay, replay.steps.n);
  return [...columns.blocks].map((index) => ledgerRow(line, replay, columns, index)).filter(({ base, stale }) => base >= 0 && stale > 0).sort((a, b) => b.stale - a.stale || a.index - b.index);
}

export function blockValueTable(rows: readonly LedgerRow[]): TableRows {
  return [
    ['id', 'kind', 'tool', 'tokens', 'born', 'uses', 'last use', 'stale token-steps', 'status at the end', 'preview'],
    ...rows.map(({ id, kind, tool, tokens, born, uses, lastUse, stale, status, preview }) => [id, kind, tool, tokens, born, uses, lastUse || null, stale, status, preview]),
  ];
}
