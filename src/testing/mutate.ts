/**
 * Seeded damage to trajectory files, as disks, pipes, editors and hostile people do it. Everything is a function of the
 * random stream that is handed in: a mutant is named by its seed.
 */

export type Random = () => number;

/** mulberry32: 32 bits of state are plenty for picking what to break. [0, 1). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const below = (random: Random, limit: number): number => Math.floor(random() * Math.max(1, limit));
const pick = <T>(random: Random, items: readonly T[]): T => items[below(random, items.length)]!;
const encoder = new TextEncoder();

function splice(bytes: Uint8Array, from: number, to: number, put: Uint8Array = new Uint8Array(0)): Uint8Array {
  const out = new Uint8Array(from + put.length + bytes.length - to);
  out.set(bytes.subarray(0, from));
  out.set(put, from);
  out.set(bytes.subarray(to), from + put.length);
  return out;
}

/** Lines with their ends. */
function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline + 1;
    lines.push(bytes.subarray(at, end));
    at = end;
  }
  return lines;
}

function joinAll(pieces: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}

/** Start of a value at or after a random place: what follows `:` `[` or `,`. */
function valueAt(bytes: Uint8Array, random: Random): [from: number, to: number] | null {
  const start = below(random, bytes.length);
  for (let i = start; i < Math.min(bytes.length, start + 4096); i++) {
    const byte = bytes[i];
    if (byte !== 0x3a && byte !== 0x5b && byte !== 0x2c) continue;
    let from = i + 1;
    while (bytes[from] === 0x20 || bytes[from] === 0x0a) from++;
    if (from >= bytes.length) return null;
    return [from, valueEnd(bytes, from)];
  }
  return null;
}

/** Roughly: strings to their quote, brackets to their partner, else to the next separator. Wrong ends are mutations too. */
function valueEnd(bytes: Uint8Array, from: number): number {
  const limit = Math.min(bytes.length, from + 65_536);
  let depth = 0;
  let inString = false;
  for (let i = from; i < limit; i++) {
    const byte = bytes[i]!;
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) {
        inString = false;
        if (depth === 0) return i + 1;
      }
      continue;
    }
    if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) depth++;
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return i;
      if (--depth === 0) return i + 1;
    } else if (depth === 0 && byte === 0x2c) return i;
  }
  return limit;
}

const ODD_VALUES = ['null', 'true', '0', '-1', '1e999', '9007199254740993', 'NaN', '-Infinity', '""', '"x"', '[]', '{}', '[null]', '[[]]', '{"":{}}', '{"__proto__":{"a":1}}', '"\\ud83d"', '"\\u0000"', '[1,"a",{}]', '{"type":"text"}', '"constructor"', '1.5', ''];

/** 'small' keeps mutants cheap, for many of them. */
export type MutantSize = 'small' | 'full';
export interface Mutator { name: string; mutate(bytes: Uint8Array, random: Random, other: Uint8Array, size: MutantSize): Uint8Array }

export const MUTATORS: readonly Mutator[] = [
  { name: 'cut', mutate: (bytes, random) => (random() < 0.6 ? bytes.slice(0, below(random, bytes.length)) : splice(bytes, ...ordered(bytes, random))) },
  {
    name: 'glue',
    mutate(bytes, random, other) {
      if (random() < 0.5) {
        const newline = bytes.indexOf(0x0a, below(random, bytes.length));
        if (newline >= 0) return splice(bytes, newline, newline + 1);
      }
      const lines = linesOf(other);
      return random() < 0.5 ? joinAll([bytes, other]) : splice(bytes, ...at(bytes, random), pick(random, lines.length > 0 ? lines : [other]));
    },
  },
  {
    name: 'flip',
    mutate(bytes, random) {
      const out = bytes.slice();
      for (let left = 1 + below(random, 8); left > 0 && out.length > 0; left--) out[below(random, out.length)] = random() < 0.5 ? below(random, 256) : pick(random, [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a, 0x0a, 0x00]);
      return out;
    },
  },
  {
    name: 'duplicate',
    mutate(bytes, random) {
      const lines = linesOf(bytes);
      if (lines.length > 1) {
        const line = pick(random, lines);
        lines.splice(below(random, lines.length), 0, ...Array.from({ length: 1 + below(random, 4) }, () => line));
        return joinAll(lines);
      }
      const value = valueAt(bytes, random);
      return value ? splice(bytes, value[1], value[1], joinAll([encoder.encode(','), bytes.subarray(...value)])) : joinAll([bytes, bytes]);
    },
  },
  {
    name: 'reorder',
    mutate(bytes, random) {
      const lines = linesOf(bytes);
      for (let left = lines.length < 2 ? 0 : 1 + below(random, lines.length); left > 0; left--) {
        const [a, b] = [below(random, lines.length), below(random, lines.length)];
        [lines[a], lines[b]] = [lines[b]!, lines[a]!];
      }
      return joinAll(lines);
    },
  },
  {
    name: 'retype',
    mutate(bytes, random) {
      let out = bytes;
      for (let left = 1 + below(random, 3); left > 0; left--) {
        const value = valueAt(out, random);
        if (value) out = splice(out, ...value, encoder.encode(pick(random, ODD_VALUES)));
      }
      return out;
    },
  },
  {
    name: 'deep-nest',
    mutate(bytes, random, _other, size) {
      const value = valueAt(bytes, random);
      if (!value) return bytes;
      const depth = pick(random, size === 'small' ? [3, 10, 100] : [10, 100, 2000, 10_000]);
      const [open, close] = pick(random, [['[', ']'], ['{"a":', '}'], ['[[', ']'], ['{"content":[', ']}']] as const);
      return splice(bytes, ...value, joinAll([encoder.encode(open.repeat(depth)), bytes.subarray(...value), encoder.encode(close.repeat(depth))]));
    },
  },
  {
    name: 'huge-line',
    mutate(bytes, random, _other, size) {
      if (random() < 0.3) return bytes.map((byte) => (byte === 0x0a ? 0x20 : byte));
      const filler = encoder.encode(pick(random, ['a', '\\n', 'é', '\\"', '[', '\\u2028', '  ']).repeat(pick(random, size === 'small' ? [10, 100, 400] : [1000, 20_000, 100_000])));
      const value = valueAt(bytes, random);
      return value && random() < 0.7 ? splice(bytes, ...value, joinAll([encoder.encode('"'), filler, encoder.encode('"')])) : splice(bytes, ...at(bytes, random), filler);
    },
  },
];

function at(bytes: Uint8Array, random: Random): [number, number] {
  const place = below(random, bytes.length + 1);
  return [place, place];
}

function ordered(bytes: Uint8Array, random: Random): [number, number] {
  const [a, b] = [below(random, bytes.length + 1), below(random, bytes.length + 1)];
  return [Math.min(a, b), Math.max(a, b)];
}

export interface Mutant { bytes: Uint8Array; /** Names of what was done, in order. */ how: string }

/** One to three mutations of `bytes`; `other` is what may be glued in. */
export function mutant(bytes: Uint8Array, other: Uint8Array, random: Random, size: MutantSize = 'full'): Mutant {
  const how: string[] = [];
  let out = bytes;
  for (let left = 1 + below(random, 3); left > 0; left--) {
    const { name, mutate } = pick(random, MUTATORS);
    how.push(name);
    out = mutate(out, random, other, size);
  }
  return { bytes: out, how: how.join('+') };
}
