import { sha256Word } from '../base/sha256';
import { cos, log, sin } from '../base/elementary';

/** What a stream of random numbers is for; each purpose has its own stream (embedding.md §4). */
export type RandomPurpose =
  | 'feature-shift' | 'gaussian' | 'random-completion' | 'random-all' | 'size-noise' | 'bootstrap' | 'monte-carlo' | 'umap';

const TWO_32 = 4294967296;

/** One output of splitmix32 for state `z` (already advanced by the golden ratio). */
function splitmix32(z: number): number {
  let x = z;
  x ^= x >>> 16;
  x = Math.imul(x, 0x21f0aaad);
  x ^= x >>> 15;
  x = Math.imul(x, 0x735a2d97);
  x ^= x >>> 15;
  return x >>> 0;
}

/** xoshiro128** over 32-bit words, seeded by four outputs of splitmix32 (embedding.md §4; Blackman and Vigna). */
export class RandomStream {
  private a: number;
  private b: number;
  private c: number;
  private d: number;
  private spare = NaN;

  constructor(seed: number) {
    const at = (k: number): number => splitmix32((seed + k * 0x9e3779b9) | 0);
    this.a = at(1);
    this.b = at(2);
    this.c = at(3);
    this.d = at(4);
  }

  /** Unsigned 32-bit integer. */
  word(): number {
    let x = Math.imul(this.b, 5);
    x = (x << 7) | (x >>> 25);
    const out = Math.imul(x, 9) >>> 0;
    const t = this.b << 9;
    this.c ^= this.a;
    this.d ^= this.b;
    this.b ^= this.c;
    this.a ^= this.d;
    this.c ^= t;
    this.d = (this.d << 11) | (this.d >>> 21);
    return out;
  }

  /** Real number in [0, 1). */
  uniform(): number {
    return this.word() / TWO_32;
  }

  /** Integer in [0, n). */
  integer(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** Standard normal (Box–Muller; the sine half of a pair is kept for the next call). */
  normal(): number {
    if (!Number.isNaN(this.spare)) {
      const z = this.spare;
      this.spare = NaN;
      return z;
    }
    const u1 = (this.word() + 1) / TWO_32;
    const u2 = this.word() / TWO_32;
    const r = Math.sqrt(-2 * log(u1));
    this.spare = r * sin(2 * Math.PI * u2);
    return r * cos(2 * Math.PI * u2);
  }

  /** `k` of `items` without replacement (all when k is larger): partial Fisher–Yates from the front. */
  sample<T>(items: readonly T[], k: number): T[] {
    const list = [...items];
    const count = Math.max(0, Math.min(k, list.length));
    for (let i = 0; i < count; i++) {
      const j = i + this.integer(list.length - i);
      [list[i], list[j]] = [list[j]!, list[i]!];
    }
    return list.slice(0, count);
  }
}

/** Seed of a purpose's stream: first 32 bits of SHA-256(`seed:purpose:index`). */
export function purposeSeed(seed: number, purpose: RandomPurpose, index: number): number {
  return sha256Word(`${seed}:${purpose}:${index}`);
}

/** The stream of one purpose; `index` is a draw or step. */
export function purposeStream(seed: number, purpose: RandomPurpose, index: number): RandomStream {
  return new RandomStream(purposeSeed(seed, purpose, index));
}
