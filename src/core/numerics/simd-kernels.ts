/**
 * Inner loops on two float64 at a time (WebAssembly SIMD), for the products that dominate spectra and completion: about
 * 3–5 × plain TypeScript. Every caller has a plain path too, for a machine or a content policy without it.
 */
import { add, assemble, F64, get, I32, i32Add, i32Const, load, loadFloats, multiply, set, splat, store, storeSum, subtract, V128, whileBelow, type Code, type KernelSource } from './wasm-assembler';

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, i) => from + i);
const repeat = (type: number, count: number): number[] => range(0, count).map(() => type);
const advance = (local: number, bytes: number): Code => set(local, i32Add(get(local), i32Const(bytes)));
const accumulate = (sum: number, a: Code, b: Code): Code => set(sum, add(get(sum), multiply(a, b)));

/** floatRows(r0, r1, r2, r3, q, end, out): four rows of float32 against one float64 vector; q runs to `end`, 4 numbers a round. */
function floatRows(): KernelSource {
  const [q, end, out] = [4, 5, 6];
  const sums = range(7, 4);
  const [qa, qb] = [11, 12];
  const round: Code = [
    ...set(qa, load(get(q))), ...set(qb, load(get(q), 16)),
    ...sums.flatMap((sum, r) => [...accumulate(sum, loadFloats(get(r)), get(qa)), ...accumulate(sum, loadFloats(get(r), 8), get(qb)), ...advance(r, 16)]),
    ...advance(q, 32),
  ];
  return {
    name: 'floatRows', params: repeat(I32, 7), locals: repeat(V128, 6),
    body: [...whileBelow(q, end, round), ...sums.flatMap((sum, r) => storeSum(get(out), sum, 8 * r))],
  };
}

/** dotTile(a0, a1, b0, b1, b2, b3, end, out): 2 × 4 inner products; a0 runs to `end`, 2 numbers a round; out row-major. */
function dotTile(): KernelSource {
  const [end, out] = [6, 7];
  const sums = range(8, 8);
  const [x0, x1, y] = [16, 17, 18];
  const round: Code = [
    ...set(x0, load(get(0))), ...set(x1, load(get(1))),
    ...range(0, 4).flatMap((b) => [
      ...set(y, load(get(2 + b))), ...accumulate(sums[b]!, get(x0), get(y)), ...accumulate(sums[4 + b]!, get(x1), get(y)),
    ]),
    ...range(0, 6).flatMap((p) => advance(p, 16)),
  ];
  return {
    name: 'dotTile', params: repeat(I32, 8), locals: repeat(V128, 11),
    body: [...whileBelow(0, end, round), ...sums.flatMap((sum, i) => storeSum(get(out), sum, 8 * i))],
  };
}

/**
 * reducePair(a0, a1, w, u, v, y, end, out, u0, w0, v0, u1, w1, v1): for two rows of A at once, A ← A − u wᵀ − w uᵀ, then
 * y += A v (upper part) and out = the rows' products with v; a0 runs to `end`, 2 numbers a round.
 */
function reducePair(): KernelSource {
  const [a0, a1, w, u, v, y, end, out] = range(0, 8) as [number, number, number, number, number, number, number, number];
  const scalars = range(8, 6);
  const wide = range(14, 6);
  const [ux, wx, vx, x, s0, s1, yx] = range(20, 7) as [number, number, number, number, number, number, number];
  const row = (a: number, [ui, wi, vi]: readonly number[], sum: number): Code => [
    ...set(x, subtract(subtract(load(get(a)), multiply(get(ui!), get(wx))), multiply(get(wi!), get(ux)))),
    ...store(get(a), get(x)),
    ...accumulate(sum, get(x), get(vx)),
    ...accumulate(yx, get(x), get(vi!)),
  ];
  const round: Code = [
    ...set(ux, load(get(u))), ...set(wx, load(get(w))), ...set(vx, load(get(v))), ...set(yx, load(get(y))),
    ...row(a0, wide.slice(0, 3), s0), ...row(a1, wide.slice(3), s1),
    ...store(get(y), get(yx)),
    ...[a0, a1, w, u, v, y].flatMap((p) => advance(p, 16)),
  ];
  return {
    name: 'reducePair', params: [...repeat(I32, 8), ...repeat(F64, 6)], locals: repeat(V128, 13),
    body: [...scalars.flatMap((s, i) => set(wide[i]!, splat(get(s)))), ...whileBelow(a0, end, round), ...storeSum(get(out), s0), ...storeSum(get(out), s1, 8)],
  };
}

export interface SimdKernels {
  memory: WebAssembly.Memory;
  floatRows(r0: number, r1: number, r2: number, r3: number, q: number, end: number, out: number): void;
  dotTile(a0: number, a1: number, b0: number, b1: number, b2: number, b3: number, end: number, out: number): void;
  reducePair(a0: number, a1: number, w: number, u: number, v: number, y: number, end: number, out: number, u0: number, w0: number, v0: number, u1: number, w1: number, v1: number): void;
}

let compiled: WebAssembly.Module | null | undefined;

function moduleOrNull(): WebAssembly.Module | null {
  if (compiled === undefined) {
    try {
      compiled = new WebAssembly.Module(assemble([floatRows(), dotTile(), reducePair()]));
    } catch {
      // No SIMD, or a content policy that forbids compiling: the plain paths give the same numbers to rounding.
      compiled = null;
    }
  }
  return compiled;
}

/** A fresh instance with a memory of its own; null where WebAssembly SIMD cannot be used. */
export function createSimdKernels(): SimdKernels | null {
  const code = moduleOrNull();
  return code && (new WebAssembly.Instance(code).exports as unknown as SimdKernels);
}

const PAGE = 65_536;

/** Float64 view of at least `bytes` of the memory, grown when needed; null where the machine refuses. */
export function reserve(kernels: SimdKernels, bytes: number): ArrayBuffer | null {
  const { memory } = kernels;
  const missing = bytes - memory.buffer.byteLength;
  try {
    if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  } catch {
    return null;
  }
  return memory.buffer;
}

const shared = new Map<string, SimdKernels | null>();

/** The one instance for a kind of work that keeps nothing in memory between calls. */
export function sharedKernels(use: string): SimdKernels | null {
  let kernels = shared.get(use);
  if (kernels === undefined) shared.set(use, (kernels = createSimdKernels()));
  return kernels;
}
