/** Numbers as charts and tables print them: thin-space thousands, no more digits than can be read. */
// U+202F: thin, and never broken over two lines.
const THIN_SPACE = '\u202f';
const MINUS = '\u2212';

/** Integer with thin-space thousands from 1 000 on ("25 139"); "–" where there is no number. */
export function formatCount(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const digits = Math.abs(Math.round(value)).toString();
  const grouped = digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
  return value < 0 && digits !== '0' ? MINUS + grouped : grouped;
}

/** Share of a whole as a percentage: "79 %", below ten with one decimal, "< 0.1 %" instead of a zero that is not one. */
export function formatShare(share: number): string {
  if (!Number.isFinite(share)) return '–';
  const percent = share * 100;
  if (percent > 0 && percent < 0.1) return `<${THIN_SPACE}0.1${THIN_SPACE}%`;
  return `${formatFixed(percent, percent !== 0 && Math.abs(percent) < 10 ? 1 : 0)}${THIN_SPACE}%`;
}

/** Fixed decimals with a true minus sign; null and NaN print as "–". */
export function formatFixed(value: number | null, decimals: number): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = Math.abs(value).toFixed(decimals);
  return value < 0 && Number(text) !== 0 ? MINUS + text : text;
}

/** A difference always carries its sign: "+0.05", "−0.31", "±0.00". */
export function formatDifference(value: number | null, decimals: number): string {
  if (value === null || !Number.isFinite(value)) return '–';
  const text = formatFixed(value, decimals);
  if (Number(Math.abs(value).toFixed(decimals)) === 0) return `±${Math.abs(value).toFixed(decimals)}`;
  return value > 0 ? `+${text}` : text;
}
