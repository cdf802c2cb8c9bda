import { createColumnHelper, rowSortingFeature, tableFeatures } from '@tanstack/react-table';
import { count } from '../shared/format';
import { CLASS_HELP, classWords } from '../shared/replay-class';
import { PolicyName, FirstLoss, EvidenceShare } from './cells';
import { COMPARISON_KEYS, eventWords, familyOf, opsWords, valueOf, type ComparisonKey, type ComparisonRow } from './comparison-model';

export const comparisonFeatures = tableFeatures({ rowSortingFeature });
const column = createColumnHelper<typeof comparisonFeatures, ComparisonRow>();

export const COMPARISON_TITLES: Record<ComparisonKey, string> = {
  policy: 'Policy', class: 'Replay class', peak: 'Peak |C|', mean: 'Mean |C|', trajectory: 'Trajectory tokens', ops: 'Operations', overflow: 'Overflow steps', over: 'Over budget', infeasible: 'Infeasible steps',
  visible: 'Visible %', recoverable: 'Recoverable %', lost: 'Lost %', firstLoss: 'First loss', obligations: 'Obligations', reads: 'Reads', cacheRate: 'Cache %', usd: 'USD',
  managementUsd: 'Mgmt USD', managementCalls: 'Mgmt calls', managementTokens: 'Mgmt tokens', totalBudget: 'Total spent at',
  faults: 'Faults', faultRate: 'Fault rate %', readAmplification: 'Read ampl. ×', amplification: 'Amplification ×',
  family: 'Family', state: 'State', control: 'Ctrl', recovery: 'Recov', steps: 'Steps', inputM: 'Input (M)', outputM: 'Output (M)', events: 'Mgmt. events', notes: 'Notes',
};
export const COMPARISON_HELP: Record<ComparisonKey, string> = {
  policy: 'Its name replays the whole page under it (policies.md)',
  class: 'Exact, recorded words, stand-in summaries or sizes only',
  peak: 'Largest context of any call, tokens (VISTA Table 1)',
  mean: 'Mean context over the calls, tokens',
  trajectory: 'Prompt tokens summed over all calls, without management calls',
  ops: 'What the policy did to the context, by kind',
  overflow: 'Steps in which the budget was enforced from outside, or was exceeded, under a policy that is bound by B',
  over: 'Steps above B under a policy that B does not bind (keep everything, as recorded): nothing enforced it',
  infeasible: 'Steps that cannot be within B whatever the policy does',
  visible: 'Share of the evidence that the recorded actions used, by weight, that was in the context (evidence.md §1)',
  recoverable: 'Share that was out of the context but could be brought back byte for byte',
  lost: 'Share that was neither: the model would not have had it',
  firstLoss: 'First step whose recorded action uses something that is lost; opens that step under that policy',
  obligations: 'Blocks that had to come back because an action used them (VISTA Theorem 1)',
  reads: 'Grouped reads that brought them back',
  cacheRate: 'Input tokens in the longest common prefix with the call before, share of all',
  usd: 'Input and output of the recorded calls at the prices of VISTA (0.50 / 0.05 cached / 3.00 USD per million), without management',
  managementUsd: 'Management calls: their input at the uncached price (an upper bound) and their output',
  managementCalls: 'Additional model calls for managing the context',
  managementTokens: 'Input and output of those calls',
  faults: 'Page faults: blocks that recorded calls use while they are out of the context, recoverable or lost (Pichay, arXiv 2603.09023)',
  faultRate: 'Faults ÷ evictions, where an eviction is a recorded block or copy taken out (Pichay: 0.0254 % of 1.4 M replayed evictions)',
  readAmplification: 'Tokens read back ÷ tokens of the missing strings that calls repeat (these estimated, bytes ÷ 4)',
  amplification: 'Prompt tokens over all calls ÷ tokens admitted once: how often each was sent (Pichay: median 84.4 for stale results)',
  family: 'Groups of VISTA Table 1, told from the capability row',
  state: 'The agent sees the sizes of its own context (VISTA Table 1)',
  control: 'The agent decides what goes and comes back',
  recovery: 'What went can come back byte for byte',
  steps: 'Model calls of the run',
  inputM: 'Prompt tokens over all calls, millions, cached ones included (VISTA Table 2)',
  outputM: 'Output tokens of the recorded calls, millions',
  events: 'Operations that took something out, and reads that brought it back (VISTA Table 7)',
  notes: 'Replay class, infeasible steps, steps above B',
  totalBudget: 'Step at which new content summed over the run passes the total budget (VISTA App. G)',
};
/** CSS pixels. */
export const COMPARISON_WIDTHS: Record<ComparisonKey, number> = {
  policy: 246, class: 152, peak: 72, mean: 74, trajectory: 120, ops: 210, overflow: 104, over: 96, infeasible: 112, visible: 124, recoverable: 112, lost: 62, firstLoss: 172,
  obligations: 90, reads: 60, cacheRate: 70, usd: 70, managementUsd: 98, managementCalls: 84, managementTokens: 98, totalBudget: 106, faults: 66, faultRate: 94, readAmplification: 98, amplification: 120,
  family: 190, state: 56, control: 50, recovery: 60, steps: 60, inputM: 84, outputM: 92, events: 250, notes: 240,
};
export const COMPARISON_NUMERIC: ReadonlySet<ComparisonKey> = new Set(COMPARISON_KEYS.filter((key) => !['policy', 'class', 'ops', 'firstLoss', 'family', 'state', 'control', 'recovery', 'events', 'notes'].includes(key)));

const number = (key: ComparisonKey, show: (value: number) => string) =>
  column.accessor((row) => valueOf(row, key), {
    id: key, header: COMPARISON_TITLES[key],
    cell: ({ row }) => {
      const value = valueOf(row.original, key);
      return typeof value === 'number' ? show(value) : row.original.summary ? '–' : '';
    },
  });
const percent = (value: number): string => (value * 100).toFixed(1);
const usd = (value: number): string => value.toFixed(value < 0.1 ? 4 : 2);

const mark = (key: 'state' | 'control' | 'recovery') =>
  column.accessor((row) => valueOf(row, key), {
    id: key, header: COMPARISON_TITLES[key],
    cell: ({ row }) => { const has = valueOf(row.original, key) === 1; return <span className={has ? 'has' : 'has-not'} role="img" aria-label={has ? 'yes' : 'no'}>{has ? '✓' : '✗'}</span>; },
  });
const times = (value: number): string => (value >= 100 ? count(value) : value.toFixed(value < 10 ? 2 : 1));

const COLUMNS = column.columns([
  column.accessor((row) => row.info.id, { id: 'policy', header: COMPARISON_TITLES.policy, cell: ({ row }) => <PolicyName row={row.original} /> }),
  column.accessor((row) => valueOf(row, 'class'), {
    id: 'class', header: COMPARISON_TITLES.class,
    cell: ({ row }) => {
      const { replayClass } = row.original.summary ?? row.original.info;
      return <span className={`class-tag class-${replayClass}`} title={CLASS_HELP[replayClass]}>{classWords(row.original.info.id, replayClass)}</span>;
    },
  }),
  column.accessor((row) => valueOf(row, 'firstLoss'), {
    id: 'firstLoss', header: COMPARISON_TITLES.firstLoss,
    cell: ({ row }) => (row.original.error === null ? <FirstLoss row={row.original} /> : <span className="danger" title={row.original.error}>{row.original.error}</span>),
  }),
  column.accessor((row) => valueOf(row, 'visible'), { id: 'visible', header: COMPARISON_TITLES.visible, cell: ({ row }) => <EvidenceShare row={row.original} /> }),
  number('recoverable', percent), number('lost', percent), number('peak', count), number('mean', count), number('trajectory', count), number('cacheRate', percent), number('usd', usd),
  number('managementUsd', usd), number('managementCalls', count), number('managementTokens', count), number('obligations', count), number('reads', count),
  number('faults', count), number('faultRate', (value) => (value * 100).toFixed(value < 0.01 ? 3 : 1)), number('readAmplification', times), number('amplification', times),
  column.accessor((row) => valueOf(row, 'ops'), {
    id: 'ops', header: COMPARISON_TITLES.ops,
    cell: ({ row }) => { const { summary } = row.original; const words = summary ? opsWords(summary.totals) : ''; return <span title={words}>{words || (summary ? '–' : '')}</span>; },
  }),
  number('overflow', count), number('over', count), number('infeasible', count), number('totalBudget', count),
  column.accessor((row) => familyOf(row.info), { id: 'family', header: COMPARISON_TITLES.family, cell: ({ row }) => <span>{familyOf(row.original.info)}</span> }),
  mark('state'), mark('control'), mark('recovery'),
  number('steps', count), number('inputM', (value) => value.toFixed(3)), number('outputM', (value) => value.toFixed(3)),
  column.accessor((row) => valueOf(row, 'events'), {
    id: 'events', header: COMPARISON_TITLES.events,
    cell: ({ row }) => { const { summary } = row.original; const words = summary ? eventWords(summary.totals) : ''; return <span title={words}>{words || (summary ? '–' : '')}</span>; },
  }),
  column.accessor((row) => valueOf(row, 'notes'), { id: 'notes', header: COMPARISON_TITLES.notes, cell: ({ row }) => <span title={String(valueOf(row.original, 'notes') ?? '')}>{valueOf(row.original, 'notes')}</span> }),
]);

/** The columns of these keys, in their order. */
export const comparisonColumns = (keys: readonly ComparisonKey[]) => keys.flatMap((key) => COLUMNS.filter(({ id }) => id === key));
