/** Random access to bytes: a File or Blob in the browser, a file descriptor in Node, an array in tests. */
export interface ByteSource {
  /** File name or path as given, for messages only; detection never trusts it. */
  readonly name: string;
  readonly size: number;
  /** Bytes [from, to), clamped to the source. */
  read(from: number, to: number): Promise<Uint8Array>;
  /** The same at once, where the platform can: what a document too large for memory is read by. */
  readSync?(from: number, to: number): Uint8Array;
  /** The Blob that holds exactly these bytes, where there is one: it can be stored and hashed elsewhere. */
  readonly blob?: Blob;
}

export function bytesSource(name: string, bytes: Uint8Array): ByteSource {
  const readSync = (from: number, to: number): Uint8Array => bytes.subarray(Math.max(0, from), Math.min(bytes.length, to));
  return { name, size: bytes.length, read: (from, to) => Promise.resolve(readSync(from, to)), readSync };
}

/** What dedicated workers, and only they, have for reading a Blob at once. */
interface SyncReader { readAsArrayBuffer(blob: Blob): ArrayBuffer }

export function blobSource(name: string, blob: Blob): ByteSource {
  const source: ByteSource = {
    name,
    size: blob.size,
    read: async (from, to) => new Uint8Array(await blob.slice(from, to).arrayBuffer()),
    blob,
  };
  const { FileReaderSync } = globalThis as { FileReaderSync?: new () => SyncReader };
  if (!FileReaderSync) return source;
  const reader = new FileReaderSync();
  return { ...source, readSync: (from, to) => new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, to))) };
}

/** Bytes [from, to) of a source as a source of its own, without copying. */
export function sliceSource(name: string, source: ByteSource, from: number, to: number): ByteSource {
  const size = Math.max(0, Math.min(to, source.size) - from);
  const end = (at: number): number => from + Math.min(size, at);
  const { readSync, blob } = source;
  return {
    name,
    size,
    read: (a, b) => source.read(from + Math.max(0, a), end(b)),
    ...(readSync ? { readSync: (a: number, b: number) => readSync.call(source, from + Math.max(0, a), end(b)) } : {}),
    ...(blob ? { blob: blob.slice(from, from + size) } : {}),
  };
}
