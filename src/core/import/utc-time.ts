import { timestampMs } from './content-parts';

/** A time as `timestampMs`, but ISO text without a zone is UTC: Python writes it so, and Date.parse would take local time. */
export function utcMs(value: unknown): number | undefined {
  if (typeof value !== 'string') return timestampMs(value);
  const isBare = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/.test(value);
  return timestampMs(isBare ? `${value.replace(' ', 'T')}Z` : value);
}
