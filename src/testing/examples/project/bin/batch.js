import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { invoiceLine } from '../src/invoice.js';
import { formatAmount } from '../src/money.js';

const month = process.argv[process.argv.indexOf('--month') + 1];
const verbose = process.argv.includes('--verbose');
const records = JSON.parse(readFileSync(new URL(`../data/usage-${month}.json`, import.meta.url), 'utf8'));
const day = `${month}-28`;
const batch = createHash('sha1').update(JSON.stringify(records)).digest('hex').slice(0, 12).toUpperCase();
console.log(`batch ${batch} month ${month} records ${records.length} ledger-ref LR-${batch.slice(0, 4)}-${batch.slice(8)}`);
let drift = 0;
for (const record of records) {
  const line = invoiceLine(record, day);
  const off = line.total - record.expected;
  if (off !== 0) drift += 1;
  const mark = off === 0 ? 'ok   ' : `DRIFT ${off > 0 ? '+' : ''}${off}`;
  console.log(`${mark} ${record.customer} ${record.region} units=${record.units} unit-price=${record.unitPrice} net=${formatAmount(line.net)} tax=${formatAmount(line.tax)} total=${formatAmount(line.total)}`);
  if (verbose) console.log(`      expected=${formatAmount(record.expected)} trace=${createHash('sha1').update(record.customer + month).digest('hex').slice(0, 16)}`);
}
console.log(`done: ${records.length} invoices, ${drift} drifting`);
process.exitCode = drift > 0 ? 3 : 0;
