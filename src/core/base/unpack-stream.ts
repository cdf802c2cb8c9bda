import type { ByteSource } from './byte-source';
import { ContextscopeError } from './errors';
import { Crc32 } from './crc32';
import type { UnpackGuard } from './unpack-guard';

export type PackedFormat = 'gzip' | 'deflate-raw' | 'zstd' | 'store';

export interface Unpacked { source: ByteSource; /** Why the end is missing; absent = all is there. */ broken?: string }

const STEP_BYTES = 1 << 20;
/** A zstd frame may ask for a window of 2 GB; `zstd --ultra -22` asks for 128 MB. */
const MAX_ZSTD_WINDOW_BYTES = 256 * 1024 ** 2;

/**
 * Unpacks one stream into the guard's spool. What comes before damage is kept and `broken` says where it ends; throws
 * 'corrupt' when nothing came out, 'too-large' from the guard. `crc`, where known, is compared.
 */
export async function unpack(packed: ByteSource, format: PackedFormat, guard: UnpackGuard, name: string, crc?: number): Promise<Unpacked> {
  const spool = guard.spool();
  const sum = crc === undefined ? null : new Crc32();
  const take = (bytes: Uint8Array): void => {
    guard.add(bytes.length);
    sum?.update(bytes);
    spool.write(bytes);
  };
  let broken: string | undefined;
  try {
    if (format === 'store') await copy(packed, take);
    else if (format === 'zstd') await unzstd(packed, take, guard.file);
    else await inflate(packed, format, take);
    if (sum && sum.value() !== crc) broken = `the check sum of its ${spool.size} bytes is wrong`;
  } catch (error) {
    if (error instanceof ContextscopeError) throw error;
    if (spool.size === 0) throw new ContextscopeError('corrupt', `${name} starts like ${format === 'deflate-raw' ? 'a ZIP member' : format} but does not unpack: fetch it again.`, { file: guard.file });
    broken = `the packed data is damaged or cut off after ${spool.size} bytes of content`;
  }
  return { source: spool.finish(name), ...(broken === undefined ? {} : { broken }) };
}

async function copy(packed: ByteSource, take: (bytes: Uint8Array) => void): Promise<void> {
  for (let at = 0; at < packed.size; at += STEP_BYTES) take(await packed.read(at, at + STEP_BYTES));
}

async function inflate(packed: ByteSource, format: 'gzip' | 'deflate-raw', take: (bytes: Uint8Array) => void): Promise<void> {
  let at = 0;
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (at >= packed.size) controller.close();
      // A copy: the stream may keep or transfer what it is given.
      else controller.enqueue(new Uint8Array(await packed.read(at, (at += STEP_BYTES))));
    },
  });
  const reader = input.pipeThrough(new DecompressionStream(format)).getReader();
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) take(next.value);
  } catch (error) {
    await reader.cancel().catch(() => undefined);
    throw error;
  }
}

async function unzstd(packed: ByteSource, take: (bytes: Uint8Array) => void, file: string): Promise<void> {
  const window = zstdWindow(await packed.read(0, 18));
  if (window > MAX_ZSTD_WINDOW_BYTES) throw new ContextscopeError('too-large', `${file} asks for a zstd window of ${Math.round(window / 1024 ** 2)} MiB; up to ${MAX_ZSTD_WINDOW_BYTES / 1024 ** 2} are given. Unpack it first (zstd -d --long=31 FILE).`, { file });
  const { Decompress } = await import('fzstd');
  const stream = new Decompress((bytes) => { take(bytes); });
  for (let at = 0; at < packed.size; ) {
    // Small steps: everything that a step unpacks to comes in one turn of the event loop.
    const step = await packed.read(at, at + (1 << 16));
    at += step.length;
    // A copy: the decoder keeps what it is given for the next step.
    stream.push(new Uint8Array(step), at >= packed.size);
  }
}

/** Window size that a zstd frame header asks for, bytes (RFC 8878 §3.1.1.1); 0 = none is stated. */
function zstdWindow(head: Uint8Array): number {
  const descriptor = head[4] ?? 0;
  if ((descriptor & 0x20) === 0) {
    const value = head[5] ?? 0;
    const base = 2 ** (10 + (value >> 3));
    return base + (base / 8) * (value & 7);
  }
  // Single segment: the window is the content, whose size follows the dictionary id.
  let at = 5 + [0, 1, 2, 4][descriptor & 3]!;
  const bytes = [1, 2, 4, 8][descriptor >> 6]!;
  let size = bytes === 2 ? 256 : 0;
  for (let i = 0; i < bytes; i++) size += (head[at++] ?? 0) * 2 ** (8 * i);
  return size;
}
