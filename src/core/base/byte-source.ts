/** Random access to bytes: a File or Blob in the browser, a file descriptor in Node, an array in tests. */
export interface ByteSource {
  /** File name or path as given, for messages only; detection never trusts it. */
  readonly name: string;
  readonly size: number;
  /** Bytes [from, to), clamped to the source. */
  read(from: number, to: number): Promise<Uint8Array>;
}

export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (from, to) => Promise.resolve(bytes.subarray(Math.max(0, from), Math.min(bytes.length, to))),
  };
}

export function blobSource(name: string, blob: Blob): ByteSource {
  return {
    name,
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
  };
}
