/** What belongs to this person and not to a link: sizes of panes, shortcuts on or off, columns. Saved with a version. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { PAPER_PRICES, type PriceTable } from '../core/workspace/prices';
import { choiceOf, DEFAULT_CHOICE, type CorpusChoice } from './corpus-choice';
import { THEMES, type Theme } from './view';

const KEY = 'contextscope.preferences';
const VERSION = 1;

export interface Preferences {
  theme: Theme;
  /** Single-key shortcuts; combinations and keys inside a focused control always work. */
  shortcuts: boolean;
  /** CSS pixels; null = a share of the window. The inspector has a width beside the tabs and a height below them. */
  timelinePx: number | null;
  inspectorPx: number | null;
  inspectorHeightPx: number | null;
  timelineOpen: boolean;
  inspectorOpen: boolean;
  /** Ledger columns that are hidden. */
  hiddenColumns: string[];
  /** Price book of the Cost tab. */
  prices: PriceTable;
  /** Choice of the corpus page. */
  corpus: CorpusChoice;
}

export const DEFAULT_PREFERENCES: Preferences = {
  theme: 'system',
  shortcuts: true,
  timelinePx: null,
  inspectorPx: null,
  inspectorHeightPx: null,
  timelineOpen: true,
  inspectorOpen: true,
  hiddenColumns: ['parent', 'level'],
  prices: PAPER_PRICES,
  corpus: DEFAULT_CHOICE,
};

export type PreferencesStore = StoreApi<Preferences>;
type SavedIn = Pick<Storage, 'getItem' | 'setItem'>;

/** Storage may be missing or refuse (private mode): preferences then last as long as the page. */
export function createPreferencesStore(storage: SavedIn | null): PreferencesStore {
  const store = createStore<Preferences>(() => load(storage));
  store.subscribe((state) => {
    try {
      storage?.setItem(KEY, JSON.stringify({ version: VERSION, ...state }));
    } catch {
      // Full or forbidden: losing a pane size is not worth a message.
    }
  });
  return store;
}

function load(storage: SavedIn | null): Preferences {
  let saved: unknown = null;
  try {
    saved = JSON.parse(storage?.getItem(KEY) ?? 'null');
  } catch {
    saved = null;
  }
  if (typeof saved !== 'object' || saved === null || !('version' in saved) || saved.version !== VERSION) return DEFAULT_PREFERENCES;
  const from = saved as Partial<Record<keyof Preferences, unknown>>;
  const d = DEFAULT_PREFERENCES;
  return {
    theme: THEMES.find((theme) => theme === from.theme) ?? d.theme,
    shortcuts: flag(from.shortcuts, d.shortcuts),
    timelinePx: pixels(from.timelinePx),
    inspectorPx: pixels(from.inspectorPx),
    inspectorHeightPx: pixels(from.inspectorHeightPx),
    timelineOpen: flag(from.timelineOpen, d.timelineOpen),
    inspectorOpen: flag(from.inspectorOpen, d.inspectorOpen),
    hiddenColumns: Array.isArray(from.hiddenColumns) ? from.hiddenColumns.filter((one): one is string => typeof one === 'string') : d.hiddenColumns,
    prices: priceBook(from.prices) ?? d.prices,
    corpus: choiceOf(from.corpus),
  };
}

const flag = (value: unknown, otherwise: boolean): boolean => (typeof value === 'boolean' ? value : otherwise);
const pixels = (value: unknown): number | null => (typeof value === 'number' && value >= 80 && value <= 4000 ? value : null);
const amount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;

/** A saved price book, or null when any of its numbers is none. */
function priceBook(value: unknown): PriceTable | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, date, uncachedInput, cachedInput, cacheWrite, output, cache, cacheExpiryMs } = value as Partial<Record<keyof PriceTable, unknown>>;
  if (typeof id !== 'string' || typeof name !== 'string' || typeof date !== 'string' || typeof cache !== 'object' || cache === null) return null;
  const { granularity, minimum } = cache as { granularity?: unknown; minimum?: unknown };
  if (!amount(uncachedInput) || !amount(cachedInput) || !amount(output) || !amount(minimum) || !amount(granularity) || granularity < 1) return null;
  return {
    id, name, date, uncachedInput, cachedInput, output, cache: { granularity, minimum },
    ...(amount(cacheWrite) ? { cacheWrite } : {}), ...(amount(cacheExpiryMs) ? { cacheExpiryMs } : {}),
  };
}
