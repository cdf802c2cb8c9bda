/**
 * Long arrays of strings and objects are sent in pieces. Reading one message is one task of the page's thread, and a
 * run of 60 000 blocks read at once held it for two seconds. Numbers in typed arrays stay whole: a copy of them is made
 * here and moved over, which costs the page nothing (cloned, tens of megabytes of columns are copied on its thread).
 */
export interface Piece { path: string[]; items: unknown[] }

/** Items a piece: each is read in a few milliseconds. */
const STRINGS = 1_000;
const OBJECTS = 250;
/** Smaller columns are cloned with the rest. */
const MOVED_BYTES = 4_096;
/** How deep arrays are looked for in plain objects. */
const DEPTH = 4;

/** What is left to send after the pieces: `value` with its long arrays emptied, and the buffers of its columns, to be moved. */
export interface Skeleton { value: unknown; transfer: ArrayBuffer[] }

/** Items of long arrays go to `onPiece` in order. `value` itself is not changed: its columns are copied. */
export function splitIntoPieces(value: unknown, onPiece: (piece: Piece) => void): Skeleton {
  const transfer: ArrayBuffer[] = [];
  return { value: split(value, [], onPiece, transfer), transfer };
}

function split(value: unknown, path: string[], onPiece: (piece: Piece) => void, transfer: ArrayBuffer[]): unknown {
  if (isColumn(value)) {
    if (value.byteLength < MOVED_BYTES) return value;
    const copy = value.slice();
    transfer.push(copy.buffer);
    return copy;
  }
  if (Array.isArray(value)) {
    const size = typeof value.find((item) => item !== undefined) === 'object' ? OBJECTS : STRINGS;
    if (value.length <= size) return value;
    for (let from = 0; from < value.length; from += size) onPiece({ path, items: value.slice(from, from + size) });
    return [];
  }
  if (path.length >= DEPTH || typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, split(item, [...path, key], onPiece, transfer)]));
}

type Column = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array | Float64Array;
const isColumn = (value: unknown): value is Column & { slice(): Column & { buffer: ArrayBuffer } } => ArrayBuffer.isView(value) && !(value instanceof DataView);

/** Gathers pieces until the rest of the value arrives. */
export class PieceCollector {
  private readonly arrays = new Map<string, Piece>();

  add({ path, items }: Piece): void {
    const key = JSON.stringify(path);
    const known = this.arrays.get(key);
    if (!known) this.arrays.set(key, { path, items });
    else for (const item of items) known.items.push(item);
  }

  /** Puts the arrays where they were. `skeleton` is changed and returned, or replaced where it was itself an array. */
  join(skeleton: unknown): unknown {
    let whole = skeleton;
    for (const { path, items } of this.arrays.values()) {
      if (path.length === 0) whole = items;
      else {
        const holder = path.slice(0, -1).reduce((at, key) => at[key] as Record<string, unknown>, whole as Record<string, unknown>);
        holder[path.at(-1)!] = items;
      }
    }
    return whole;
  }
}
