/**
 * Copies views that show only a part of their buffer, at any depth. Structured cloning stores and sends the WHOLE
 * buffer behind a view, so a column cut from a growing array would cost up to twice its size.
 * Plain objects and arrays are rebuilt only where something below them changed.
 */
export function compactViews<T>(value: T): T {
  return compact(value) as T;
}

function compact(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (ArrayBuffer.isView(value)) {
    if (value.byteLength === value.buffer.byteLength || value instanceof DataView) return value;
    return (value as Uint8Array).slice();
  }
  if (Array.isArray(value)) {
    // Long arrays here are of numbers and strings; looking at the first tells.
    if (typeof value[0] !== 'object') return value;
    return rebuilt(value, value.map(compact));
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value);
  const next = entries.map(([, item]) => compact(item));
  if (next.every((item, i) => item === entries[i]![1])) return value;
  return Object.fromEntries(entries.map(([key], i) => [key, next[i]]));
}

function rebuilt(before: unknown[], after: unknown[]): unknown[] {
  return after.every((item, i) => item === before[i]) ? before : after;
}
