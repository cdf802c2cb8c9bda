/** Writes the usage records with the totals that the ledger expects (computed with exact integers, by region mode). */
import { writeFileSync } from 'node:fs';
import { REGION_MODE } from '../src/rounding.js';
import { STEPS } from '../src/discount.js';
import { rateOn } from '../src/tax.js';

let state = 20260101;
const next = (n) => ((state = (state * 48271) % 2147483647) % n);
const NAMES = ['Ardent', 'Birchwood', 'Cobalt', 'Dunmore', 'Eastgate', 'Fernhill', 'Granite', 'Harbour', 'Ironside', 'Juniper', 'Kestrel', 'Lakeland', 'Meridian', 'Northgate', 'Orchard', 'Pinnacle'];
const REGIONS = ['EU', 'UK', 'US', 'CA', 'JP'];

function round(numerator, denominator, mode) {
  const q = numerator / denominator;
  const rest = numerator % denominator;
  if (mode === 'floor' || rest * 2n < denominator) return q;
  if (rest * 2n > denominator) return q + 1n;
  return mode === 'half-even' && q % 2n === 0n ? q : q + 1n;
}

for (const month of ['2026-01', '2026-02', '2026-03']) {
  const records = [];
  for (let i = 0; i < 48; i += 1) {
    const region = REGIONS[next(5)];
    const units = [120, 500, 1000, 2500, 4200, 10000][next(6)] + next(7);
    const unitPrice = 5 + next(95);
    const share = STEPS.find((step) => units >= step.atLeast).share;
    const keep = BigInt(Math.round((1 - share) * 10000));
    const net = round(BigInt(units * unitPrice) * keep, 10000n, REGION_MODE[region]);
    const tax = round(net * BigInt(rateOn(region, `${month}-28`)), 10000n, REGION_MODE[region]);
    records.push({ customer: `${NAMES[i % 16]}-${String(100 + i)}`, region, units, unitPrice, expected: Number(net + tax) });
  }
  writeFileSync(new URL(`usage-${month}.json`, import.meta.url), `${JSON.stringify(records, null, 1)}\n`);
}
