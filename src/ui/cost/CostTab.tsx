import { useMemo, useState } from 'react';
import type { CacheReproduction } from '../../core/workspace/cache-reproduction';
import type { ReplayCost } from '../../core/workspace/cost';
import type { PriceTable } from '../../core/workspace/prices';
import type { Replay } from '../../core/workspace/types';
import type { Replays } from '../../state/react/use-replays';
import { CopyButton } from '../shared/CopyButton';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count, percent, plural } from '../shared/format';
import { toTsv } from '../shared/table-text';
import { InputChart, SpentChart } from './CostCharts';
import { PriceForm } from './PriceForm';
import { COST_COLUMNS, cacheBreaks, costTable, costValue, orderCosts, type CostColumn, type CostRow } from './cost-model';
import './cost.css';

const TITLES: Record<CostColumn, string> = {
  policy: 'Policy', input: 'Input', cached: 'Cached', written: 'Written', uncached: 'New input', output: 'Output', cacheRate: 'Cache %', usd: 'USD', managementUsd: 'Mgmt USD', allUsd: 'USD in all', tokensRatio: 'Tokens ×', usdRatio: 'USD ×',
};
const HELP: Record<CostColumn, string> = {
  policy: 'Replayed over the same recorded calls', input: 'Prompt tokens over all calls', cached: 'Of which in the longest common prefix with the call before, in whole granules', written: 'Of which written to the cache, where that has a price',
  uncached: 'The rest', output: 'From the record, else counted', cacheRate: 'Cached ÷ input', usd: 'The recorded calls alone', managementUsd: 'Management calls; their input counts as uncached: an upper bound', allUsd: 'Both', tokensRatio: 'Input tokens against the recorded run', usdRatio: 'USD in all against the recorded run: fewer tokens are not always cheaper',
};
/** Breaks listed. */
const MAX_BREAKS = 12;

interface Props {
  replay: Replay;
  cost: ReplayCost;
  rows: readonly CostRow[];
  comparison: Replays;
  /** Cached input tokens that the provider recorded, and in how many calls; null = none. */
  measured: { cached: number; input: number; steps: number } | null;
  /** How near this arithmetic comes to it under the recorded policy; null = another policy, or nothing recorded. */
  reproduced: CacheReproduction | null;
  step: number;
  prices: PriceTable;
  onPrices: (prices: PriceTable) => void;
  onPolicy: (policy: string) => void;
  onStep: (step: number) => void;
}

/** What the run would cost under each policy at one price book, and where the cache broke. */
export function CostTab({ replay, cost, rows, comparison, measured, reproduced, step, prices, onPrices, onPolicy, onStep }: Props) {
  const [order, setOrder] = useState<{ sort: CostColumn; descending: boolean }>({ sort: 'allUsd', descending: false });
  const base = rows.find(({ policy }) => policy === 'recorded');
  const ordered = useMemo(() => orderCosts(rows, base, order.sort, order.descending), [rows, base, order]);
  const breaks = useMemo(() => cacheBreaks(replay, cost), [replay, cost]);
  const spent = useMemo(() => rows.filter(({ replayed, policy }) => replayed || policy === 'recorded'), [rows]);
  const table = (): ReturnType<typeof costTable> => costTable(ordered, base);
  return (
    <div className="pane">
      <PriceForm prices={prices} onPrices={onPrices} />
      <div className="cost-scroll" tabIndex={0} role="region" aria-label="Cost">
        <p className="cost-sum">
          <strong className="mono">{replay.policy}</strong>: {cost.totals.usdWithManagement.toFixed(4)} USD, of which management {(cost.totals.usdWithManagement - cost.totals.usd).toFixed(4)} · {count(cost.totals.input)} input tokens, {percent(cost.totals.cacheRate ?? NaN)} % from the cache{cost.totals.expiredSteps > 0 ? ` · the cache had expired before ${plural(cost.totals.expiredSteps, 'call')}` : ''}
          {measured !== null && <span className="muted"> · the provider recorded {count(measured.cached)} cached of {count(measured.input)} input tokens in {plural(measured.steps, 'call')}{reproduced?.ratio == null ? '' : reproducedWords(reproduced, reproduced.ratio)}</span>}
        </p>
        <div className="cost-charts"><InputChart policy={replay.policy} cost={cost} step={step} onStep={onStep} /><SpentChart rows={spent} step={step} onStep={onStep} /></div>
        <div className="cost-head"><h3>By policy</h3><span className="muted">{plural(rows.length, 'policy', 'policies')}{comparison.state === 'running' ? ' · replaying…' : ''}, ratios against the recorded run</span><span className="spacer" />
          {comparison.state === 'cancelled' && <button type="button" onClick={comparison.resume}>Go on</button>}
          <TableMenu name={() => fileName('cost', prices.id, 'budget', replay.budget)} rows={table} /><CopyButton label="Copy as TSV" text={() => toTsv(table())} /></div>
        <div className="cost-table">
          <table aria-label="Cost by policy">
            <thead><tr>{COST_COLUMNS.map((column) => (
              <th key={column} scope="col" className={column === 'policy' ? '' : 'num'} title={HELP[column]} aria-sort={order.sort !== column ? 'none' : order.descending ? 'descending' : 'ascending'}>
                <button type="button" className="sort" onClick={() => setOrder({ sort: column, descending: order.sort === column && !order.descending })}>{TITLES[column]}<span aria-hidden="true">{order.sort !== column ? '' : order.descending ? ' ↓' : ' ↑'}</span></button>
              </th>))}</tr></thead>
            <tbody>
              {ordered.map((row) => (
                <tr key={row.policy} aria-current={row.replayed ? 'true' : undefined} className={row.current ? '' : 'muted'}>
                  {COST_COLUMNS.map((column) => <td key={column} className={column === 'policy' ? '' : 'num'}>{column === 'policy' ? <button type="button" className="link mono" onClick={() => onPolicy(row.policy)}>{row.policy}</button> : words(costValue(row, base, column), column)}</td>)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <div className="cost-head"><h3>Where the cache broke</h3><span className="muted">{plural(breaks.length, 'call')} of <span className="mono">{replay.policy}</span> had to send again what was cached</span></div>
        {breaks.length > 0 && (
          <div className="cost-table"><table aria-label="Cache breaks">
            <thead><tr><th scope="col">Step</th><th scope="col" className="num">Sent again</th><th scope="col" className="num">USD more</th><th scope="col">What happened in it</th></tr></thead>
            <tbody>{breaks.slice(0, MAX_BREAKS).map(({ step: at, lost, usd, expired, ops }) => (
              <tr key={at}><td><button type="button" className="link" onClick={() => onStep(at)}>step {count(at)}</button></td><td className="num">{count(lost)}</td><td className="num">{usd.toFixed(4)}</td>
                <td className="cut cost-why">{expired ? <span className="muted">the cache had expired</span> : ops.length === 0 ? <span className="muted">no operation in this step: a placeholder or dashboard that stood before it changed</span> : ops.slice(0, 4).map(({ op, ids }) => `${op} ${ids.slice(0, 3).join(' ')}${ids.length > 3 ? ` +${ids.length - 3}` : ''}`).join(' · ')}{ops.length > 4 ? ` · and ${ops.length - 4} more` : ''}</td></tr>))}</tbody>
          </table></div>
        )}
      </div>
    </div>
  );
}

function words(value: number | string | null, column: CostColumn): string {
  if (typeof value !== 'number') return value ?? '–';
  if (column === 'cacheRate') return percent(value);
  if (column === 'tokensRatio' || column === 'usdRatio') return value.toFixed(2);
  return column === 'usd' || column === 'managementUsd' || column === 'allUsd' ? value.toFixed(4) : count(value);
}

/** In the provider's tokens: its tokenizer and an unrecorded system prompt are taken out by one factor over the run. */
function reproducedWords({ scale, missedSteps, ratioElsewhere }: CacheReproduction, ratio: number): string {
  const misses = missedSteps > 0 && ratioElsewhere !== null ? `; ${plural(missedSteps, 'call')} recorded as a miss though nothing before had changed, ${ratioElsewhere.toFixed(3)} × over the others` : '';
  return `; this arithmetic gives ${ratio.toFixed(3)} × that (estimated: our counts × ${scale.toFixed(2)}${misses})`;
}
