/** Tax by region, parts per ten thousand, with the day from which a rate holds. Newest first. */
export const RATES = {
  EU: [
    { from: '2025-07-01', bp: 2100 },
    { from: '2019-01-01', bp: 2000 },
  ],
  UK: [{ from: '2011-01-04', bp: 2000 }],
  US: [
    { from: '2026-02-01', bp: 725 },
    { from: '2018-01-01', bp: 700 },
  ],
  CA: [{ from: '2008-01-01', bp: 1300 }],
  JP: [{ from: '2019-10-01', bp: 1000 }],
};

export function rateOn(region, day) {
  const rates = RATES[region];
  if (!rates) throw new Error(`no tax rates for region ${region}`);
  const rate = rates.find((candidate) => candidate.from <= day);
  if (!rate) throw new Error(`no tax rate for ${region} on ${day}`);
  return rate.bp;
}
