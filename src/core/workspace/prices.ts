/**
 * Price books: prices per million tokens, USD, and the cache rules that go with them. Presets carry their date, because
 * prices change; every field can be edited.
 */
import type { CacheRules } from './provider-cache';

export interface PriceTable {
  id: string;
  name: string;
  /** Month the prices are of. */
  date: string;
  /** Page or paper they were read from; absent in a book of one's own. */
  source?: string;
  uncachedInput: number;
  cachedInput: number;
  /** Writing a prefix into the cache; absent = written like any uncached input. */
  cacheWrite?: number;
  output: number;
  cache: CacheRules;
  /** A prefix is forgotten when no call used it for so long; absent = never. */
  cacheExpiryMs?: number;
}

const FIVE_MINUTES_MS = 300_000;
/** Whole granules of 128 from 1 024 on, no price for writing. */
const IN_GRANULES: CacheRules = { granularity: 128, minimum: 1024 };
const fromTokens = (minimum: number): CacheRules => ({ granularity: 1, minimum });

/** The prices of VISTA's cost tables (systems.md §2.7): the default for totals. */
export const PAPER_PRICES: PriceTable = { id: 'vista-paper', name: 'VISTA paper', date: '2026-06', source: 'arXiv 2606.30005, cost table', uncachedInput: 0.5, cachedInput: 0.05, output: 3, cache: IN_GRANULES };

const ANTHROPIC = 'platform.claude.com/docs/en/docs/about-claude/pricing, 5-minute writes';

/** List prices as their pages had them in the month given, each looked up: a start for editing, not an invoice. */
export const PRICE_PRESETS: readonly PriceTable[] = [
  PAPER_PRICES,
  { id: 'gpt-5-codex', name: 'OpenAI GPT-5-Codex', date: '2026-10', source: 'developers.openai.com/api/docs/models/gpt-5-codex; 1 024 tokens and granules of 128: OpenAI cookbook, Prompt Caching 201', uncachedInput: 1.25, cachedInput: 0.125, output: 10, cache: IN_GRANULES },
  { id: 'gpt-5-mini', name: 'OpenAI GPT-5 mini', date: '2026-10', source: 'github/docs, data/tables/copilot/models-and-pricing.yml', uncachedInput: 0.25, cachedInput: 0.025, output: 2, cache: IN_GRANULES },
  { id: 'claude-sonnet-4-5', name: 'Anthropic Claude Sonnet 4.5', date: '2026-02', source: ANTHROPIC, uncachedInput: 3, cachedInput: 0.3, cacheWrite: 3.75, output: 15, cache: fromTokens(1024), cacheExpiryMs: FIVE_MINUTES_MS },
  { id: 'claude-haiku-4-5', name: 'Anthropic Claude Haiku 4.5', date: '2026-02', source: ANTHROPIC, uncachedInput: 1, cachedInput: 0.1, cacheWrite: 1.25, output: 5, cache: fromTokens(4096), cacheExpiryMs: FIVE_MINUTES_MS },
  { id: 'claude-opus-4-5', name: 'Anthropic Claude Opus 4.5', date: '2026-02', source: ANTHROPIC, uncachedInput: 5, cachedInput: 0.5, cacheWrite: 6.25, output: 25, cache: fromTokens(4096), cacheExpiryMs: FIVE_MINUTES_MS },
];

/** Price of one call without writes to the cache. */
export function costUsd(prices: Pick<PriceTable, 'uncachedInput' | 'cachedInput' | 'output'>, uncachedInput: number, cachedInput: number, output: number): number {
  return (uncachedInput * prices.uncachedInput + cachedInput * prices.cachedInput + output * prices.output) / 1e6;
}
