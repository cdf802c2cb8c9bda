import { PRICE_PRESETS, type PriceTable } from '../../core/workspace/prices';
import { NumberDial } from '../charts/NumberDial';

/** Price book: a preset to start from, every number editable. USD per million tokens. */
export function PriceForm({ prices, onPrices }: { prices: PriceTable; onPrices: (prices: PriceTable) => void }) {
  const known = PRICE_PRESETS.find(({ id }) => id === prices.id);
  const edited = known === undefined || !samePrices(known, prices);
  const price = (key: 'uncachedInput' | 'cachedInput' | 'cacheWrite' | 'output', label: string) => (
    <label className="field"><span className="muted">{label}</span><NumberDial value={prices[key] ?? null} min={0} max={10_000} step={0.01} onChange={(value) => onPrices({ ...prices, [key]: value })} /></label>
  );
  return (
    <div className="pane-bar cost-prices" role="group" aria-label="Price book">
      <label className="field"><span className="muted">Prices</span>
        <select aria-label="Price book" value={prices.id} onChange={(event) => onPrices(PRICE_PRESETS.find(({ id }) => id === event.target.value) ?? prices)}>
          {known === undefined && <option value={prices.id}>{prices.name}</option>}
          {PRICE_PRESETS.map(({ id, name, date }) => <option key={id} value={id}>{name}, {date}</option>)}
        </select>
      </label>
      {price('uncachedInput', 'input')}{price('cachedInput', 'cached')}{price('cacheWrite', 'cache write')}{price('output', 'output')}
      <span className="muted">USD / M tokens</span>
      <label className="field"><span className="muted">granule</span><NumberDial value={prices.cache.granularity} min={1} max={1_000_000} step={1} onChange={(granularity) => onPrices({ ...prices, cache: { ...prices.cache, granularity } })} /></label>
      <label className="field"><span className="muted">least</span><NumberDial value={prices.cache.minimum} min={0} max={1_000_000} step={1} onChange={(minimum) => onPrices({ ...prices, cache: { ...prices.cache, minimum } })} /></label>
      <label className="field"><span className="muted">expires, min</span><NumberDial value={prices.cacheExpiryMs === undefined ? null : prices.cacheExpiryMs / 60_000} min={0.1} max={100_000} step={0.1} onChange={(minutes) => onPrices({ ...prices, cacheExpiryMs: minutes * 60_000 })} /></label>
      {known?.source !== undefined && <span className="muted cut price-source" title={`${known.source}, as of ${known.date}`}>{edited ? 'edited; was from' : 'from'} {known.source}, {known.date}</span>}
      {edited && <button type="button" onClick={() => onPrices(known ?? PRICE_PRESETS[0] ?? prices)}>Reset</button>}
    </div>
  );
}

/** Field by field: a book that was saved has no source, and its fields in another order. */
function samePrices(a: PriceTable, b: PriceTable): boolean {
  return (['name', 'date', 'uncachedInput', 'cachedInput', 'cacheWrite', 'output', 'cacheExpiryMs'] as const).every((key) => a[key] === b[key]) && a.cache.granularity === b.cache.granularity && a.cache.minimum === b.cache.minimum;
}
