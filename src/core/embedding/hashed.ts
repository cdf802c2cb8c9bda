import { throwIfCancelled } from '../base/errors';
import { fnv1aLow32Ascii } from './fnv';
import { encoderById } from './registry';
import type { Encoder } from './types';

const HALF = 512;
/** Weights of the two halves' squares: letter pairs 0.8, word pieces 0.2. */
const PAIR_WEIGHT = Math.sqrt(0.8);
const PIECE_WEIGHT = Math.sqrt(0.2);

/** ASCII lower case; every maximal run outside `[a-z0-9]` becomes one space, also at the ends. */
export function collapseText(text: string): string {
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase()).replace(/[^a-z0-9]+/g, ' ');
}

/**
 * Maximal runs of ASCII letters, split before an upper-case letter after a lower-case one and before the last of several
 * upper-case letters that a lower-case one follows; lower-cased, at least two letters, in order, repeats kept.
 */
export function wordPieces(text: string): string[] {
  const pieces = text.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+/g) ?? [];
  return pieces.filter((piece) => piece.length >= 2).map((piece) => piece.toLowerCase());
}

function add(half: Float64Array, hash: number, amount: number): void {
  const slot = hash & (HALF - 1);
  half[slot] = (half[slot] ?? 0) + ((hash & HALF) === 0 ? amount : -amount);
}

function countOf(features: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1);
  return counts;
}

function* pairsOf(collapsed: string): Iterable<string> {
  for (let i = 0; i + 1 < collapsed.length; i++) yield collapsed.slice(i, i + 2);
}

const lengthOf = (vector: Float64Array): number => Math.sqrt(vector.reduce((sum, x) => sum + x * x, 0));

/** `hashed-1024@1` (embedding.md §2): 512 numbers of letter pairs, 512 of word pieces; float32, unit length or zero. */
export function hashedVector(text: string): Float32Array {
  const pairs = new Float64Array(HALF);
  for (const [pair, count] of countOf(pairsOf(collapseText(text)))) add(pairs, fnv1aLow32Ascii(pair), count);
  const pieces = new Float64Array(HALF);
  for (const [piece, count] of countOf(wordPieces(text))) add(pieces, fnv1aLow32Ascii(piece), Math.sqrt(count));

  const whole = new Float64Array(2 * HALF);
  const place = (half: Float64Array, offset: number, weight: number): void => {
    const length = lengthOf(half);
    if (length > 0) for (let i = 0; i < HALF; i++) whole[offset + i] = ((half[i] ?? 0) / length) * weight;
  };
  place(pairs, 0, PAIR_WEIGHT);
  place(pieces, HALF, PIECE_WEIGHT);
  const length = lengthOf(whole);
  return length > 0 ? Float32Array.from(whole, (x) => x / length) : new Float32Array(2 * HALF);
}

/** The encoder that needs no model; `tokens` counts word pieces. */
export function createHashedEncoder(): Encoder {
  return {
    spec: encoderById('hashed-1024@1'),
    embed: async (text, signal) => {
      throwIfCancelled(signal);
      return { vector: hashedVector(text), tokens: wordPieces(text).length };
    },
    dispose: () => Promise.resolve(),
  };
}
