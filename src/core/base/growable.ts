type Numbers = Uint8Array | Uint16Array | Uint32Array | Int32Array | Float64Array;

/** Typed array that doubles when full: one number an entry, no boxing. */
export class Growable<T extends Numbers> {
  length = 0;
  private data: T;

  constructor(private readonly make: (length: number) => T, capacity = 256) {
    this.data = make(capacity);
  }

  push(value: number): number {
    if (this.length === this.data.length) {
      const larger = this.make(this.data.length * 2);
      larger.set(this.data);
      this.data = larger;
    }
    this.data[this.length] = value;
    return this.length++;
  }

  get(index: number): number {
    return this.data[index] ?? NaN;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  /** A copy of what has been pushed so far. */
  toArray(): T {
    const copy = this.make(this.length);
    copy.set(this.data.subarray(0, this.length));
    return copy;
  }
}

export const growU8 = (): Growable<Uint8Array> => new Growable((n) => new Uint8Array(n));
export const growU16 = (): Growable<Uint16Array> => new Growable((n) => new Uint16Array(n));
export const growU32 = (): Growable<Uint32Array> => new Growable((n) => new Uint32Array(n));
export const growI32 = (): Growable<Int32Array> => new Growable((n) => new Int32Array(n));
export const growF64 = (): Growable<Float64Array> => new Growable((n) => new Float64Array(n));
