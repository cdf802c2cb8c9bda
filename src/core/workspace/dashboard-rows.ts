/**
 * What a dashboard says, as pieces: one source for its tokens (running sums) and for its text. Layouts are those of
 * model.md §4 and systems.md §2.2 in our own words.
 */
import { BLOCK_KINDS } from '../trace/blocks-types';
import type { Piece } from './pieces';

export const DASHBOARD_KINDS = ['full', 'compact', 'status-board', 'acm-stats', 'none'] as const;
export type DashboardKind = (typeof DASHBOARD_KINDS)[number];

export interface DashboardChoice {
  kind: DashboardKind;
  /** Archived blocks fold into their handle's row; false = the seed's one row a block, handles without a row. */
  foldArchived: boolean;
}

export const ROW_STATUSES = ['pinned', 'visible', 'archived', 'offloaded_placeholder'] as const;
export const ROW_STATUS = { pinned: 0, visible: 1, archived: 2, offloaded: 3 } as const;

export interface RowFacts {
  item: number;
  tokens: number;
  /** What a handle or placeholder stands for; the block's own tokens otherwise. */
  payloadTokens: number;
  kind: number;
  level: number;
  parent: number;
  /** Index into ROW_STATUSES. */
  status: number;
  /** Blocks it stands for; 0 = a block of its own. */
  members: number;
}

/** A row around its age: the age is the only cell that changes from step to step. */
export interface RowPieces { left: Piece[]; aged: boolean; right: Piece[] }

const RIGHT_OF_AGE = 'r ';
export const ageTail = RIGHT_OF_AGE;

/** Which blocks have a row: all, or those that can be asked for by their label. */
export const hasRow = (kind: DashboardKind, row: RowFacts): boolean => kind !== 'acm-stats' || row.status === ROW_STATUS.archived;

/** The label of what a handle stands for: its id in words, so that the same archive has the same label everywhere. */
export const labelOf = (handle: number): string => `removed-${handle + 1}`;

export function rowPieces(kind: DashboardKind, row: RowFacts): RowPieces {
  if (kind === 'acm-stats') return { left: [' removed-', row.item + 1], aged: false, right: [] };
  const size: Piece[] = row.members > 0 ? [row.tokens, '>', row.payloadTokens] : [row.tokens];
  if (kind === 'status-board') return { left: [' B', row.item + 1, ' ', ...size, ';'], aged: false, right: [] };
  const left: Piece[] = ['B', row.item + 1, ' ', ...size, ' '];
  const right: Piece[] = [BLOCK_KINDS[row.kind] ?? ''];
  if (kind === 'full') {
    right.push(' L', row.level, ' ');
    if (row.parent < 0) right.push('-');
    else right.push('B', row.parent + 1);
  }
  right.push(` ${ROW_STATUSES[row.status] ?? ''}`);
  if (row.members > 1) right.push(' of ', row.members, ' blocks');
  right.push('\n');
  return { left, aged: true, right };
}

/** Numbers of the frame around the rows, all tokens or counts. */
export interface DashboardFigures {
  budget: number;
  /** |C| with this dashboard in it. */
  used: number;
  fixedOverhead: number;
  dashboard: number;
  log: number;
  visible: number;
  removed: number;
  pinned: number;
  /** By ROW_STATUSES: rows and their tokens. */
  groupRows: readonly number[];
  groupTokens: readonly number[];
}

const BAR_CELLS = 20;
const OPEN = '<context_workspace_status>\n';
const CLOSE = '</context_workspace_status>';

const percentUsed = (figures: DashboardFigures): number =>
  figures.budget > 0 ? Math.min(100, Math.floor((100 * figures.used) / figures.budget)) : 100;

/** Filled cells of the budget bar. */
export const barCells = (figures: DashboardFigures): number => Math.floor((percentUsed(figures) * BAR_CELLS) / 100);
const conversation = (figures: DashboardFigures): number => Math.max(0, figures.used - figures.fixedOverhead - figures.dashboard);

/** All numbers in the frame, in any order: what `framePieces` says without its words. */
export function frameNumbers(kind: DashboardKind, figures: DashboardFigures): number[] {
  const { budget, used, log, visible, removed, pinned, fixedOverhead, dashboard } = figures;
  if (kind === 'none') return [];
  if (kind === 'acm-stats') return [log, visible, removed, pinned, used, budget, percentUsed(figures)];
  const bar = [percentUsed(figures), used, budget, Math.max(0, budget - used), fixedOverhead, conversation(figures), dashboard];
  return kind === 'status-board' ? [...bar, ...figures.groupRows, ...figures.groupTokens] : bar;
}

function barPieces(figures: DashboardFigures): Piece[] {
  const filled = barCells(figures);
  return [
    'Context Budget\n', `[${'#'.repeat(filled)}${'-'.repeat(BAR_CELLS - filled)}] `, percentUsed(figures), '% (~', figures.used, ' / ', figures.budget,
    ' tokens, ~', Math.max(0, figures.budget - figures.used), ' left)\n',
    'fixed overhead ~', figures.fixedOverhead, ', conversation ~', conversation(figures), ', dashboard ~', figures.dashboard, '\n',
  ];
}

/** The parts of the frame in order; the rows of group g of a status board follow part g + 1, all other rows (and labels) the first. */
export function framePieces(kind: DashboardKind, figures: DashboardFigures): Piece[][] {
  switch (kind) {
    case 'none': return [];
    case 'acm-stats':
      return [
        [
          OPEN, 'messages in log: ', figures.log, '; visible: ', figures.visible, '; removed: ', figures.removed, '; pinned: ', figures.pinned,
          '; tokens used: ', figures.used, ' / ', figures.budget, ' (', percentUsed(figures), '%)\nlabels:',
        ],
        ['\n', CLOSE],
      ];
    case 'status-board':
      return [
        [OPEN, ...barPieces(figures)],
        ...ROW_STATUSES.map((status, g): Piece[] => [`\n${status} (`, figures.groupRows[g] ?? 0, ' blocks, ~', figures.groupTokens[g] ?? 0, ' tokens):']),
        ['\n', CLOSE],
      ];
    case 'full':
    case 'compact':
      return [
        [
          OPEN, ...barPieces(figures), 'Context Blocks (age: distance in root turns, 0r = newest)\n',
          kind === 'full' ? 'ID ~Tok Age Type Level Parent Status\n' : 'ID ~Tok Age Type Status\n',
        ],
        [CLOSE],
      ];
  }
}
