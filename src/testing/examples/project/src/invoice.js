import { discounted } from './discount.js';
import { sum } from './money.js';
import { roundCents } from './rounding.js';
import { rateOn } from './tax.js';

/** One invoice line: units × unit price, discount, tax. Amounts are cents. */
export function invoiceLine(record, day) {
  const gross = record.units * record.unitPrice;
  const net = roundCents(discounted(gross, record.units));
  const tax = roundCents((net * rateOn(record.region, day)) / 10_000);
  return { customer: record.customer, region: record.region, net, tax, total: net + tax };
}

export function invoice(records, day) {
  const lines = records.map((record) => invoiceLine(record, day));
  return { day, lines, total: sum(lines.map((line) => line.total)) };
}
