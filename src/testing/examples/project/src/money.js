/** Amounts are integer cents. Nothing in this project may keep a price as a float across a function boundary. */
export function parseAmount(text) {
  const match = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) throw new Error(`not an amount: ${JSON.stringify(text)}`);
  const [, sign, whole, part = ''] = match;
  const cents = Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return sign ? -cents : cents;
}

export function formatAmount(cents) {
  const sign = cents < 0 ? '-' : '';
  const abs = Math.abs(cents);
  return `${sign}${Math.floor(abs / 100)}.${String(abs % 100).padStart(2, '0')}`;
}

export function sum(amounts) {
  return amounts.reduce((total, amount) => {
    if (!Number.isInteger(amount)) throw new Error(`fractional cents: ${amount}`);
    return total + amount;
  }, 0);
}
