/** The pressure sweep as lines: one a policy, one point a window (VISTA Figs. 4 and 6). */
import { schemeTableau10 } from 'd3';
import type { PolicyInfo } from '../../core/workspace/types';
import type { ReplaySummary } from '../../core/workspace/summary';
import type { HeldOutcome, WantedReplay } from '../../state/react/use-replays';
import { evidenceWeight } from './comparison-model';

/** Tokens: 4 k to 256 k. */
export const SWEEP_WINDOWS: readonly number[] = [4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000];

export const windowWords = (window: number): string => `${window / 1000}k`;
const sweepSlot = (policy: string, window: number): string => `${policy} ${window}`;

export interface SweepMetric { key: string; title: string; what: string; definition: string; isShare: boolean; value: (summary: ReplaySummary) => number }

const part = (of: (summary: ReplaySummary) => number) => (summary: ReplaySummary): number => {
  const all = evidenceWeight(summary.totals);
  return all > 0 ? of(summary) / all : NaN;
};
export const SWEEP_METRICS: readonly SweepMetric[] = [
  { key: 'kept', title: 'Evidence kept', what: 'share visible or recoverable, by window', definition: 'Weight of the evidence that the recorded actions used and the policy still had, in the context or byte for byte outside of it.', isShare: true, value: part(({ totals }) => totals.evidenceVisible + totals.evidenceRecoverable) },
  { key: 'visible', title: 'Evidence visible', what: 'share in the context, by window', definition: 'Weight of the evidence that stood in the context when its action was made.', isShare: true, value: part(({ totals }) => totals.evidenceVisible) },
  { key: 'tokens', title: 'Trajectory tokens', what: 'prompt tokens over all calls, by window', definition: 'Sum of the context over the recorded calls, without management calls.', isShare: false, value: ({ totals }) => totals.trajectoryTokens },
  { key: 'management', title: 'Management share', what: 'tokens of management calls of all tokens, by window', definition: 'Management tokens ÷ (trajectory + management tokens).', isShare: true, value: ({ totals }) => (totals.trajectoryTokens > 0 ? totals.managementTokens / (totals.trajectoryTokens + totals.managementTokens) : NaN) },
  { key: 'dashboard', title: 'Dashboard share', what: 'dashboard tokens of the trajectory, by window', definition: 'Tokens of the dashboard summed over all calls ÷ trajectory tokens.', isShare: true, value: ({ totals, dashboardTokens }) => (totals.trajectoryTokens > 0 ? dashboardTokens / totals.trajectoryTokens : NaN) },
];

/** Policies that matter most first, so that their lines are whole while the others still grow. */
export function sweepWanted(policies: readonly string[], first: readonly string[], windows: readonly number[], request: (policy: string, budget: number) => WantedReplay['request']): WantedReplay[] {
  const ordered = [...policies].sort((a, b) => Number(first.includes(b)) - Number(first.includes(a)));
  return ordered.flatMap((policy) => windows.map((window) => ({ slot: sweepSlot(policy, window), request: request(policy, window) })));
}

export interface SweepPoint { window: number; value: number; infeasible: boolean }
export interface SweepLine { policy: string; colour: string; dash: string; strong: boolean; points: SweepPoint[] }

const DASHES = ['', '6 3', '2 3', '9 3 2 3', '4 2 1 2 1 2', '12 4'];

/** Colour and line style are fixed by the place in the registry, so that a policy looks the same whatever is shown. */
export function lineStyle(at: number): { colour: string; dash: string } {
  return { colour: schemeTableau10[at % schemeTableau10.length] ?? '', dash: DASHES[Math.floor(at / schemeTableau10.length) % DASHES.length] ?? '' };
}

export function sweepLines(all: readonly PolicyInfo[], shown: readonly string[], strong: ReadonlySet<string>, windows: readonly number[], outcomes: ReadonlyMap<string, HeldOutcome>, metric: SweepMetric): SweepLine[] {
  return all.flatMap(({ id }, at) => {
    if (!shown.includes(id)) return [];
    const points = windows.flatMap((window): SweepPoint[] => {
      const held = outcomes.get(sweepSlot(id, window));
      if (!held || !('summary' in held.outcome)) return [];
      const { summary } = held.outcome;
      return [{ window, value: metric.value(summary), infeasible: summary.totals.infeasibleSteps > 0 }];
    });
    return [{ policy: id, ...lineStyle(at), strong: strong.has(id), points }];
  });
}

export interface Crossing { window: number; value: number; a: string; b: string }

/** Windows where the order of two lines changes, between measured ones in proportion on the logarithmic axis. */
export function crossingsOf(lines: readonly SweepLine[]): Crossing[] {
  const out: Crossing[] = [];
  lines.forEach((a, i) => lines.slice(i + 1).forEach((b) => {
    const common = a.points.flatMap((p) => {
      const q = b.points.find(({ window }) => window === p.window);
      return q && Number.isFinite(p.value - q.value) ? [{ window: p.window, p: p.value, difference: p.value - q.value }] : [];
    });
    common.slice(1).forEach((next, k) => {
      const before = common[k]!;
      if (before.difference * next.difference >= 0) return;
      const share = before.difference / (before.difference - next.difference);
      out.push({ window: 2 ** (Math.log2(before.window) + share * (Math.log2(next.window) - Math.log2(before.window))), value: before.p + share * (next.p - before.p), a: a.policy, b: b.policy });
    });
  }));
  return out;
}

export function sweepTsv(lines: ReadonlyMap<string, readonly SweepLine[]>): string {
  const rows = [['policy', 'window', ...lines.keys()]];
  const [first = []] = lines.values();
  for (const line of first) for (const { window } of line.points) {
    rows.push([line.policy, String(window), ...[...lines.values()].map((of) => String(of.find(({ policy }) => policy === line.policy)?.points.find((point) => point.window === window)?.value ?? ''))]);
  }
  return rows.map((row) => row.join('\t')).join('\n') + '\n';
}
