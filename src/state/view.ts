/**
 * Where the user is: everything that a link must bring back (interface.md §3). UI state only; data that came from
 * workers or storage lives behind hooks. A plain store: React binds to it in react/app-context.ts.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { EncoderId } from '../core/embedding/types';
import type { Capacity } from '../core/selection/capacity';
import type { SelectMatch, SelectMode } from '../core/selection/types';
import type { EncodingName } from '../core/trace/blocks-types';
import type { ParameterValue } from '../core/workspace/types';

export const TABS = ['transcript', 'ledger', 'prompt', 'evidence', 'geometry', 'selectors', 'policies', 'cost', 'manual'] as const;
export type Tab = (typeof TABS)[number];
/** Views of the Policies tab. */
export const POLICY_PANES = ['table', 'strips', 'sweep', 'capabilities', 'difference', 'loss', 'invariants'] as const;
export type PolicyPane = (typeof POLICY_PANES)[number];
/** Column sets of the comparison table: ours, or those of VISTA's Tables 1, 2 and 7 (6 is the capabilities). */
export const TABLE_LAYOUTS = ['all', 'vista-1', 'vista-2', 'vista-7'] as const;
export type TableLayout = (typeof TABLE_LAYOUTS)[number];
/** Views of the Evidence tab. */
export const EVIDENCE_PANES = ['step', 'run', 'age', 'audit'] as const;
export type EvidencePane = (typeof EVIDENCE_PANES)[number];
/** Evidence arcs on the lifelines: none, those of the selected block or the step, or all of the run. */
export const ARC_MODES = ['off', 'selected', 'all'] as const;
export type ArcMode = (typeof ARC_MODES)[number];
/** What the key and the button go on to. */
export const nextArcs = (arcs: ArcMode): ArcMode => ARC_MODES[(ARC_MODES.indexOf(arcs) + 1) % ARC_MODES.length] ?? 'off';
/** Views of the Selectors tab: the matrix, then the parts of the laboratory. */
export const SELECTOR_PANES = ['matrix', 'capacity', 'target', 'ablation', 'replacement'] as const;
export type SelectorPane = (typeof SELECTOR_PANES)[number];
/** Tokenizers that blocks can be counted with. */
export const ENCODINGS = ['o200k_base', 'cl100k_base'] as const satisfies readonly EncodingName[];
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];
/** Steps a second while playing = speed × 2, so that 1× is a pace one can read numbers at. */
export const SPEEDS = [0.5, 1, 2, 4, 8, 16] as const;

/**
 * The selected block. `base` indices mean the same under every policy; blocks made by ops exist in one replay only,
 * so they are named by their replay index.
 */
export type BlockRef = { base: number } | { made: number };

/** What is shown while no run is open. */
export const PAGES = ['library', 'corpus'] as const;
export type Page = (typeof PAGES)[number];

export interface ViewState {
  page: Page;
  /** Trajectory id; null = none is open, `page` says what is shown. */
  run: string | null;
  /** Name of the file the link was made from, to ask for it where it is not loaded. */
  file: string | null;
  thread: string | null;
  branch: string | null;
  /** From 1. May lie beyond the run while it loads; readers clamp with `clampStep`. */
  step: number;
  block: BlockRef | null;
  /** Brushed blocks (base indices, ascending), marked on the map, in the ledger and on the lifelines. */
  brushed: readonly number[];
  policy: string;
  params: Record<string, ParameterValue>;
  /** Manual scenario in use; null = the one changed last. */
  scenario: string | null;
  /** Tokens; null = chosen from the size of the run. */
  budget: number | null;
  /** Tokenizer that every count of the page is made with. */
  encoding: EncodingName;
  encoder: EncoderId;
  k: number | 'auto';
  tau: number;
  seed: number;
  mode: SelectMode;
  /** Nominal capacity K of the evidence core. */
  capacity: Capacity;
  match: SelectMatch;
  selectorPane: SelectorPane;
  /** Selectors shown; null = the usual ones. */
  selectors: string[] | null;
  /** Selector the others are compared with. */
  reference: string;
  /** Policies compared; null = all there are. */
  compared: string[] | null;
  /** Of those, the ones that stand first whatever the order. */
  pinnedPolicies: string[];
  /** The two policies whose difference is shown; the first null = the replayed one. */
  difference: string | null;
  against: string;
  policyPane: PolicyPane;
  /** Second budget over the run, tokens of new content; null = none. */
  totalBudget: number | null;
  tableLayout: TableLayout;
  evidencePane: EvidencePane;
  arcs: ArcMode;
  tab: Tab;
  theme: Theme;
  speed: number;
}

export const DEFAULT_VIEW: ViewState = {
  page: 'library',
  run: null,
  file: null,
  thread: null,
  branch: null,
  step: 1,
  block: null,
  brushed: [],
  policy: 'recorded',
  params: {},
  scenario: null,
  budget: null,
  encoding: 'o200k_base',
  encoder: 'minilm-l6-v2-int8@1',
  k: 'auto',
  tau: 0.9,
  seed: 0,
  mode: 'core',
  capacity: 16,
  match: 'count',
  selectorPane: 'matrix',
  selectors: null,
  reference: 'gem',
  compared: null,
  pinnedPolicies: [],
  difference: null,
  against: 'keep-everything',
  policyPane: 'table',
  totalBudget: null,
  tableLayout: 'all',
  evidencePane: 'step',
  arcs: 'selected',
  tab: 'ledger',
  theme: 'system',
  speed: 1,
};

export type ViewStore = StoreApi<ViewState>;

export function createViewStore(initial: Partial<ViewState> = {}): ViewStore {
  return createStore<ViewState>(() => ({ ...DEFAULT_VIEW, ...initial }));
}

/** What goes with the run that is left; settings stay. */
const NO_RUN: Partial<ViewState> = { run: null, file: null, thread: null, branch: null, step: 1, block: null, brushed: [] };

/** Opens a run at its first step; what belonged to another run (thread, block) is forgotten, settings are kept. */
export function openRun(view: ViewStore, run: string, file: string): void {
  view.setState({ page: 'library', run, file, thread: null, branch: null, step: 1, block: null, brushed: [], budget: null, scenario: null });
}

/** Leaves the open run, if there is one, in one change: two would leave a page in the history that nobody looked at. */
export function showPage(view: ViewStore, page: Page): void {
  view.setState({ ...NO_RUN, page });
}

export function closeRun(view: ViewStore): void {
  view.setState(NO_RUN);
}

export function clampStep(step: number, steps: number): number {
  return Math.max(1, Math.min(Math.round(step) || 1, Math.max(1, steps)));
}
