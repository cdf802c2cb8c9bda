import type { ByteSource } from './byte-source';

/** Several sources read as one, in order, without copying them together. */
export function concatSource(name: string, sources: readonly ByteSource[]): ByteSource {
  const starts: number[] = [];
  let size = 0;
  for (const source of sources) {
    starts.push(size);
    size += source.size;
  }
  const pieces = <T>(from: number, to: number, take: (source: ByteSource, a: number, b: number) => T): T[] => {
    const taken: T[] = [];
    for (let i = pieceAt(starts, from); i < sources.length && starts[i]! < to; i++) {
      const source = sources[i]!;
      const a = Math.max(from, starts[i]!) - starts[i]!;
      const b = Math.min(to - starts[i]!, source.size);
      if (a < b) taken.push(take(source, a, b));
    }
    return taken;
  };
  const blobs = sources.map((source) => source.blob);
  return {
    name,
    size,
    read: async (from, to) => {
      const read: Uint8Array[] = [];
      for (const piece of pieces(from, to, (source, a, b) => () => source.read(a, b))) read.push(await piece());
      return joinBytes(read);
    },
    ...(sources.every((source) => source.readSync) ? { readSync: (from: number, to: number) => joinBytes(pieces(from, to, (source, a, b) => source.readSync!(a, b))) } : {}),
    ...(blobs.every((blob): blob is Blob => blob !== undefined) ? { blob: new Blob(blobs) } : {}),
  };
}

/** Index of the last piece that starts at or before `at`. */
function pieceAt(starts: readonly number[], at: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** One array of all pieces; a single piece is returned as it is. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  if (pieces.length === 1) return pieces[0]!;
  const out = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    out.set(piece, at);
    at += piece.length;
  }
  return out;
}
