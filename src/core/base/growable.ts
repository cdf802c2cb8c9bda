type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Bytes are kept as 16-bit numbers until they are asked for. */
type Stored = Uint16Array | Uint32Array | Int32Array | Float64Array;

/**
 * Typed array that doubles when full: one number an entry, no boxing. Four kinds and no more: with a fifth, V8 gives up
 * specialising `push`, which then costs more than parsing.
 */
export class Growable<T extends Numbers> {
  length = 0;
  private data: Stored;

  constructor(private readonly store: (length: number) => Stored, private readonly result: (length: number) => T, capacity = 256) {
    this.data = store(capacity);
  }

  push(value: number): number {
    if (this.length === this.data.length) this.grow();
    this.data[this.length] = value;
    return this.length++;
  }

  pushRepeated(value: number, count: number): void {
    while (this.length + count > this.data.length) this.grow();
    this.data.fill(value, this.length, this.length + count);
    this.length += count;
  }

  get(index: number): number {
    return this.data[index] ?? NaN;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  private grow(): void {
    const larger = this.store(this.data.length * 2);
    larger.set(this.data);
    this.data = larger;
  }

  /** A copy of what has been pushed so far. */
  toArray(): T {
    const copy = this.result(this.length);
    copy.set(this.data.subarray(0, this.length));
    return copy;
  }
}

const u16 = (length: number): Uint16Array => new Uint16Array(length);
const u32 = (length: number): Uint32Array => new Uint32Array(length);
const i32 = (length: number): Int32Array => new Int32Array(length);
const f64 = (length: number): Float64Array => new Float64Array(length);

export const growU8 = (): Growable<Uint8Array> => new Growable(u16, (length) => new Uint8Array(length));
export const growU16 = (): Growable<Uint16Array> => new Growable(u16, u16);
export const growU32 = (): Growable<Uint32Array> => new Growable(u32, u32);
export const growI32 = (): Growable<Int32Array> => new Growable(i32, i32);
export const growF64 = (): Growable<Float64Array> => new Growable(f64, f64);
