/** Prices per million tokens, USD. Presets carry their date, because prices change. */
export interface PriceTable {
  id: string;
  name: string;
  date: string;
  uncachedInput: number;
  cachedInput: number;
  output: number;
}

/** The prices of VISTA's cost tables (systems.md §2.7): the default for totals. */
export const PAPER_PRICES: PriceTable = { id: 'vista-paper', name: 'VISTA paper', date: '2026-06', uncachedInput: 0.5, cachedInput: 0.05, output: 3 };

export function costUsd(prices: PriceTable, uncachedInput: number, cachedInput: number, output: number): number {
  return (uncachedInput * prices.uncachedInput + cachedInput * prices.cachedInput + output * prices.output) / 1e6;
}
