/** The dashboard of a step as text, from a finished replay: the same rows and numbers whose tokens were summed. */
import { TOKENS_PER_MESSAGE } from '../trace/blocks-types';
import { framePieces, hasRow, ROW_STATUSES, rowPieces, type DashboardChoice, type DashboardFigures, type RowFacts } from './dashboard-rows';
import { graphOf } from './block-graph';
import { STATUS } from './kinds';
import { ensurePolicy } from './policies';
import { NO_DASHBOARD } from './policies/policy';
import { piecesText, type Piece } from './pieces';
import type { StepState } from './state-at';
import type { Replay } from './types';
import { rowOf } from './workspace';

/** Which dashboard the replay's policy shows. */
const dashboardOf = (replay: Replay): DashboardChoice => ensurePolicy(replay.policy).dashboard?.(replay.params) ?? NO_DASHBOARD;

/** Pieces of the whole dashboard in order; empty when the policy shows none. */
export function dashboardPieces(replay: Replay, state: StepState): Piece[] {
  const choice = dashboardOf(replay);
  if (choice.kind === 'none') return [];
  const rows = rowsOf(replay, state, choice);
  const parts = framePieces(choice.kind, figuresOf(replay, state, rows));
  const groups: Piece[][] = ROW_STATUSES.map(() => []);
  const all: Piece[] = [];
  for (const row of rows) {
    const { left, aged, right } = rowPieces(choice.kind, row);
    const target = choice.kind === 'status-board' ? (groups[row.status] ?? all) : all;
    target.push(...left);
    if (aged) target.push(Math.max(0, state.step - (replay.blocks.bornStep[row.item] ?? 0)), 'r ');
    target.push(...right);
  }
  if (choice.kind !== 'status-board') return [...(parts[0] ?? []), ...all, ...parts.slice(1).flat()];
  return parts.flatMap((part, k) => (k >= 1 && k <= groups.length ? [...part, ...(groups[k - 1] ?? [])] : part));
}

export const dashboardText = (replay: Replay, state: StepState): string => piecesText(dashboardPieces(replay, state));

/** The dashboard message's tokens without its message overhead. */
export const dashboardTextTokens = (replay: Replay, step: number): number =>
  Math.max(0, (replay.steps.dashboardTokens[step - 1] ?? 0) - TOKENS_PER_MESSAGE);

function rowsOf(replay: Replay, state: StepState, choice: DashboardChoice): RowFacts[] {
  const { blocks } = replay;
  const graph = graphOf(blocks);
  const column = (values: ArrayLike<number>): { get(item: number): number } => ({ get: (item) => values[item] ?? 0 });
  const columns = {
    kind: column(blocks.kind), tokens: column(blocks.tokens), payloadTokens: column(blocks.payloadTokens), level: column(blocks.level),
    parent: column(blocks.parent), memberCount: graph.memberCount,
  };
  const rows: RowFacts[] = [];
  const add = (item: number): void => {
    const row = rowOf(columns, item, state.status[item] ?? STATUS.unborn, state.pinned[item] === 1, choice.foldArchived);
    if (row && hasRow(choice.kind, row)) rows.push(row);
  };
  if (choice.foldArchived) for (const item of state.visible) add(item);
  // One row a block: in order of ids, wherever they are.
  else for (let item = 0; item < blocks.n; item++) add(item);
  return rows;
}

function figuresOf(replay: Replay, state: StepState, rows: readonly RowFacts[]): DashboardFigures {
  const row = state.step - 1;
  let log = 0;
  let pinned = 0;
  for (const code of state.status) if (code !== STATUS.unborn) log++;
  for (const item of state.visible) pinned += state.pinned[item] ?? 0;
  const groupRows = ROW_STATUSES.map((_, g) => rows.reduce((sum, each) => sum + (each.status === g ? 1 : 0), 0));
  const groupTokens = ROW_STATUSES.map((_, g) => rows.reduce((sum, each) => sum + (each.status === g ? each.tokens : 0), 0));
  return {
    budget: replay.budget, used: replay.steps.contextTokens[row] ?? 0, fixedOverhead: replay.fixedOverhead, dashboard: replay.steps.dashboardTokens[row] ?? 0,
    log, visible: state.visible.length, removed: log - state.visible.length, pinned, groupRows, groupTokens,
  };
}
