/**
 * Just enough of a WebAssembly assembler for straight kernels over float64 pairs: expressions are byte lists in stack
 * order, so `add(a, b)` is a, b, the opcode. Encodings: WebAssembly core specification 2.0, chapter 5.
 */
export type Code = readonly number[];
export const I32 = 0x7f;
export const F64 = 0x7c;
export const V128 = 0x7b;

export interface KernelSource {
  name: string;
  /** Value types of parameters, then of further locals; numbered in this order. */
  params: readonly number[];
  locals: readonly number[];
  body: Code;
}

function unsigned(value: number): number[] {
  const out: number[] = [];
  let left = value;
  do {
    const byte = left & 0x7f;
    left >>>= 7;
    out.push(left === 0 ? byte : byte | 0x80);
  } while (left !== 0);
  return out;
}

function signed(value: number): number[] {
  const out: number[] = [];
  for (let left = value; ; left >>= 7) {
    const byte = left & 0x7f;
    if ((left >> 7 === 0 && (byte & 0x40) === 0) || (left >> 7 === -1 && (byte & 0x40) !== 0)) return [...out, byte];
    out.push(byte | 0x80);
  }
}

const simd = (opcode: number): number[] => [0xfd, ...unsigned(opcode)];
/** Alignment is a hint of 2^0: any address will do. */
const at = (offset: number): number[] => [0, ...unsigned(offset)];

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [...value, 0x21, local];
export const i32Add = (a: Code, b: Code): Code => [...a, ...b, 0x6a];
export const i32Const = (value: number): Code => [0x41, ...signed(value)];
export const add = (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf0)];
export const subtract = (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf1)];
export const multiply = (a: Code, b: Code): Code => [...a, ...b, ...simd(0xf2)];
/** Two float64 at address + offset. */
export const load = (address: Code, offset = 0): Code => [...address, ...simd(0), ...at(offset)];
export const store = (address: Code, value: Code, offset = 0): Code => [...address, ...value, ...simd(0x0b), ...at(offset)];
/** Two float32 at address + offset, widened. */
export const loadFloats = (address: Code, offset = 0): Code => [...address, ...simd(0x5d), ...at(offset), ...simd(0x5f)];
export const splat = (value: Code): Code => [...value, ...simd(0x14)];
/** Sum of the two lanes, stored as one float64. */
export const storeSum = (address: Code, local: number, offset = 0): Code => [
  ...address, ...get(local), ...simd(0x21), 0, ...get(local), ...simd(0x21), 1, 0xa0, 0x39, ...at(offset),
];
/** Repeats `body` while local `counter` (unsigned) is below local `end`; skipped when it is not at the start. */
export const whileBelow = (counter: number, end: number, body: Code): Code => {
  const below = [...get(counter), ...get(end), 0x49];
  return [...below, 0x04, 0x40, 0x03, 0x40, ...body, ...below, 0x0d, 0, 0x0b, 0x0b];
};

const section = (id: number, content: Code): number[] => [id, ...unsigned(content.length), ...content];
const vector = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()];
const text = (value: string): number[] => [...unsigned(value.length), ...Array.from(value, (c) => c.charCodeAt(0))];

/** A module that exports its memory as `memory` and each kernel (no results) by name. */
export function assemble(kernels: readonly KernelSource[]): Uint8Array<ArrayBuffer> {
  const types = kernels.map((k) => [0x60, ...vector(k.params.map((t) => [t])), 0]);
  const bodies = kernels.map((k) => {
    const code = [...vector(k.locals.map((t) => [1, t])), ...k.body, 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return Uint8Array.from([
    0, 0x61, 0x73, 0x6d, 1, 0, 0, 0,
    ...section(1, vector(types)),
    ...section(3, vector(kernels.map((_, i) => [i]))),
    ...section(5, vector([[0, 1]])),
    ...section(7, vector([[...text('memory'), 2, 0], ...kernels.map((k, i) => [...text(k.name), 0, i])])),
    ...section(10, vector(bodies)),
  ]);
}
