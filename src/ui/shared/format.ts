/** Numbers for people: narrow no-break spaces between thousands, units, one decimal where it says something. */

/** U+202F: a thin space that never breaks a number over two lines. */
const THIN = '\u202f';
const MISSING = '–';

/** 25139 → "25 139"; NaN and null → "–". */
export function count(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, THIN);
}

/** Bytes in decimal units, as file managers and the quota show them: 980159 → "980 kB". */
export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return MISSING;
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  let amount = value;
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit++;
  }
  return `${unit > 0 && amount < 9.95 ? amount.toFixed(1) : Math.round(amount)} ${units[unit] ?? ''}`.replace(' ', THIN);
}

/** Share in percent with one decimal: 0.3378 → "33.8". */
export function percent(share: number): string {
  return Number.isFinite(share) ? (share * 100).toFixed(1) : MISSING;
}

/** Seconds left: "8 s", "3 min", "1 h 20 min". */
export function seconds(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return MISSING;
  if (value < 90) return `${Math.max(1, Math.round(value))}${THIN}s`;
  const minutes = Math.round(value / 60);
  return minutes < 60 ? `${minutes}${THIN}min` : `${Math.floor(minutes / 60)}${THIN}h ${minutes % 60}${THIN}min`;
}

/** Local date, and the time where it is today's. */
export function when(ms: number | null | undefined, now = Date.now()): string {
  if (ms === null || ms === undefined || !Number.isFinite(ms)) return MISSING;
  const date = new Date(ms);
  const today = new Date(now).toDateString() === date.toDateString();
  return today ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }) : date.toLocaleDateString('sv-SE');
}

/** Long names are cut in the middle: the end of a path says more than its start. */
export function middleCut(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.ceil((max - 1) * 0.45);
  return `${text.slice(0, head)}…${text.slice(text.length - (max - 1 - head))}`;
}

export function plural(n: number, one: string, many = `${one}s`): string {
  return `${count(n)} ${n === 1 ? one : many}`;
}
