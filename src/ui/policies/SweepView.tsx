import type { PolicyInfo } from '../../core/workspace/types';
import type { Replays } from '../../state/react/use-replays';
import { CopyButton } from '../shared/CopyButton';
import { Notice } from '../shared/Notice';
import { count } from '../shared/format';
import { SweepChart } from './SweepChart';
import { SWEEP_METRICS, SWEEP_WINDOWS, sweepLines, sweepTsv, windowWords } from './sweep-model';

interface Props {
  all: readonly PolicyInfo[];
  shown: readonly string[];
  /** Drawn on top, named first, their crossings marked. */
  strong: ReadonlySet<string>;
  windows: readonly number[];
  onWindows: (windows: number[]) => void;
  budget: number;
  onBudget: (budget: number) => void;
  sweep: Replays;
}

/** The comparison over a list of windows: how pressure changes what each policy keeps and costs. */
export function SweepView({ all, shown, strong, windows, onWindows, budget, onBudget, sweep }: Props) {
  const lines = new Map(SWEEP_METRICS.map((metric) => [metric.key, sweepLines(all, shown, strong, windows, sweep.outcomes, metric)]));
  const total = windows.length * shown.length;
  const arrived = [...sweep.outcomes.values()].filter(({ current }) => current).length;
  const toggle = (window: number): void => onWindows(windows.includes(window) ? windows.filter((one) => one !== window) : [...windows, window].sort((a, b) => a - b));
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">Windows</span>
        <span className="segments" role="group" aria-label="Windows of the sweep">
          {SWEEP_WINDOWS.map((window) => <button key={window} type="button" aria-pressed={windows.includes(window)} onClick={() => toggle(window)}>{windowWords(window)}</button>)}
        </span>
        <span className="muted">{count(arrived)} of {count(total)} replays{strong.size > 0 ? ' · ○ hollow: infeasible steps · ring: two strong lines cross' : ''}</span>
        {sweep.state === 'cancelled' && <button type="button" onClick={sweep.resume}>Go on</button>}
        <span className="spacer" />
        <CopyButton label="Copy as TSV" text={() => sweepTsv(lines)} />
      </div>
      {sweep.state === 'failed' && <Notice tone="failed" title="The sweep stopped" action={{ label: 'Try again', run: sweep.resume }}>{sweep.error?.message}</Notice>}
      {windows.length < 2
        ? <Notice title="A line needs two windows" action={{ label: 'All windows', run: () => onWindows([...SWEEP_WINDOWS]) }} />
        : <div className="sweep-charts" tabIndex={0} role="region" aria-label="Pressure sweep">{SWEEP_METRICS.map((metric) => <SweepChart key={metric.key} metric={metric} lines={lines.get(metric.key) ?? []} windows={windows} budget={budget} onWindow={onBudget} />)}</div>}
    </div>
  );
}
