/**
 * Long arrays of strings and objects are sent in pieces. Reading one message is one task of the page's thread, and a
 * run of 60 000 blocks read at once held it for two seconds; numbers in typed arrays cost nothing and stay whole.
 */
export interface Piece { path: string[]; items: unknown[] }

/** Items a piece: each is read in a few milliseconds. */
const STRINGS = 1_000;
const OBJECTS = 250;
/** How deep arrays are looked for in plain objects. */
const DEPTH = 4;

/** `value` with its long arrays emptied; their items go to `onPiece` in order. `value` itself is not changed. */
export function splitIntoPieces(value: unknown, onPiece: (piece: Piece) => void): unknown {
  return split(value, [], onPiece);
}

function split(value: unknown, path: string[], onPiece: (piece: Piece) => void): unknown {
  if (Array.isArray(value)) {
    const size = typeof value.find((item) => item !== undefined) === 'object' ? OBJECTS : STRINGS;
    if (value.length <= size) return value;
    for (let from = 0; from < value.length; from += size) onPiece({ path, items: value.slice(from, from + size) });
    return [];
  }
  if (path.length >= DEPTH || typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, split(item, [...path, key], onPiece)]));
}

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
