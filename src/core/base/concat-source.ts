import type { ByteSource } from './byte-source';

/** Several sources read as one, in order, without copying them together. */
export function concatSource(name: string, sources: readonly ByteSource[]): ByteSource {
  const starts: number[] = [];
  let size = 0;
  for (const source of sources) {
    starts.push(size);
    size += source.size;
  }
  return {
    name,
    size,
    read: async (from, to) => {
      const pieces: Uint8Array[] = [];
      for (let i = 0; i < sources.length; i++) {
        const source = sources[i]!;
        const start = starts[i]!;
        const a = Math.max(from, start);
        const b = Math.min(to, start + source.size);
        if (a < b) pieces.push(await source.read(a - start, b - start));
      }
      return joinBytes(pieces);
    },
  };
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
