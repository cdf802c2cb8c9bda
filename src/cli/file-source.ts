import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { bytesSource } from '../core/base/byte-source';
import type { ByteSource } from '../core/base/byte-source';
import { joinBytes } from '../core/base/concat-source';
import { ContextscopeError } from '../core/base/errors';
import type { Hasher } from '../core/base/hasher';

export interface FileSource extends ByteSource { close(): Promise<void> }

/** A file read by slices; `-` is standard input (held in memory). Throws 'not-found' or 'bad-argument'. */
export async function openFileSource(path: string): Promise<FileSource> {
  if (path === '-') {
    const pieces: Uint8Array[] = [];
    for await (const piece of process.stdin) pieces.push(piece as Uint8Array);
    return { ...bytesSource('-', joinBytes(pieces)), close: () => Promise.resolve() };
  }
  const handle = await openHandle(path);
  const { size } = await handle.stat();
  return {
    name: path,
    size,
    read: async (from, to) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    },
    readSync: (from, to) => {
      const bytes = new Uint8Array(Math.max(0, Math.min(to, size) - from));
      let filled = 0;
      while (filled < bytes.length) {
        const count = readSync(handle.fd, bytes, filled, bytes.length - filled, from + filled);
        if (count === 0) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    },
    close: () => handle.close(),
  };
}

async function openHandle(path: string): Promise<FileHandle> {
  try {
    if ((await stat(path)).isDirectory()) throw new ContextscopeError('bad-argument', `Expected a file, found a folder: ${path}. Name the files in it.`, { file: path });
    return await open(path, 'r');
  } catch (error) {
    if (error instanceof ContextscopeError) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
    throw new ContextscopeError('not-found', `${path} cannot be opened (${code}): check the path and its permissions.`, { file: path });
  }
}

/** SHA-256 of Node, several times faster than the one in plain TypeScript. */
export function nodeHasher(): Hasher {
  const hash = createHash('sha256');
  return { update: (bytes) => { hash.update(bytes); }, digest: () => hash.digest('hex') };
}
