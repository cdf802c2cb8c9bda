import { ContextscopeError } from '../../base/errors';
import type { ByteSource } from '../../base/byte-source';

/**
 * The write-ahead log beside an SQLite database (`FILE-wal`; layout: https://www.sqlite.org/fileformat2.html#walformat):
 * newest pages that have not been moved into the file yet. Its committed frames are laid over the file's pages here,
 * because the WebAssembly build has no shared memory to read a log with.
 */

const HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Check sums are taken over little-endian words with the first, big-endian words with the second. */
const MAGIC_LITTLE = 0x377f0682;
const MAGIC_BIG = 0x377f0683;

export function isWal(head: Uint8Array): boolean {
  if (head.length < HEADER_BYTES) return false;
  const magic = viewOf(head).getUint32(0);
  return magic === MAGIC_LITTLE || magic === MAGIC_BIG;
}

export interface AppliedWal { bytes: Uint8Array; /** Committed page images that were laid over the file. */ pages: number; /** Bytes after the last whole commit, which SQLite would not read either. */ leftBytes: number }

/** Throws 'corrupt' when the log is not one of this database. The database's bytes may be changed. */
export async function applyWal(database: Uint8Array, wal: ByteSource): Promise<AppliedWal> {
  const head = await wal.read(0, HEADER_BYTES);
  const pageBytes = databasePageBytes(database);
  const view = viewOf(head);
  const walPageBytes = isWal(head) ? view.getUint32(8) : 0;
  const sum = new CheckSum(view.getUint32(0) === MAGIC_LITTLE);
  sum.add(head.subarray(0, 24));
  if (walPageBytes !== pageBytes || !sum.equals(view.getUint32(24), view.getUint32(28))) {
    throw new ContextscopeError('corrupt', `${wal.name} is not the write-ahead log of this database (pages of ${walPageBytes} bytes, the database has ${pageBytes}), or its header is damaged: copy both files again while the program is closed.`, { file: wal.name });
  }
  const frameBytes = FRAME_HEADER_BYTES + pageBytes;
  let pending: { page: number; bytes: Uint8Array }[] = [];
  let bytes = database;
  let pages = 0;
  let committedTo = HEADER_BYTES;
  for (let at = HEADER_BYTES; at + frameBytes <= wal.size; at += frameBytes) {
    const frame = await wal.read(at, at + frameBytes);
    const frameView = viewOf(frame);
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(FRAME_HEADER_BYTES));
    const sameSalt = frameView.getUint32(8) === view.getUint32(16) && frameView.getUint32(12) === view.getUint32(20);
    // Frames of an older round of the log stand behind the newest ones.
    if (!sameSalt || !sum.equals(frameView.getUint32(16), frameView.getUint32(20))) break;
    const page = frameView.getUint32(0);
    if (page < 1) break;
    pending.push({ page, bytes: frame.subarray(FRAME_HEADER_BYTES) });
    const sizeAfter = frameView.getUint32(4);
    if (sizeAfter === 0) continue;
    // A commit says how large the database is then; it cannot have grown by more pages than the log holds.
    if (sizeAfter * pageBytes > database.length + wal.size) break;
    bytes = resized(bytes, sizeAfter * pageBytes);
    for (const { page: number, bytes: image } of pending) if (number <= sizeAfter) bytes.set(image, (number - 1) * pageBytes);
    pages += pending.length;
    pending = [];
    committedTo = at + frameBytes;
  }
  return { bytes, pages, leftBytes: wal.size - committedTo };
}

function resized(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length === length) return bytes;
  const out = new Uint8Array(length);
  out.set(bytes.subarray(0, length));
  return out;
}

/** Of the file header; 1 stands for 65 536. */
function databasePageBytes(database: Uint8Array): number {
  const stated = database.length < 18 ? 0 : viewOf(database).getUint16(16);
  return stated === 1 ? 65_536 : stated;
}

class CheckSum {
  private first = 0;
  private second = 0;
  constructor(private readonly little: boolean) {}

  add(bytes: Uint8Array): void {
    const view = viewOf(bytes);
    for (let i = 0; i + 8 <= bytes.length; i += 8) {
      this.first = (this.first + view.getUint32(i, this.little) + this.second) >>> 0;
      this.second = (this.second + view.getUint32(i + 4, this.little) + this.first) >>> 0;
    }
  }

  equals(first: number, second: number): boolean { return this.first === first && this.second === second; }
}

function viewOf(bytes: Uint8Array): DataView { return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength); }
