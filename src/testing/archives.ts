import { gzipSync } from 'node:zlib';
import { Crc32 } from '../core/base/crc32';

/** Archives of our own making, byte by byte, so that tests need no packer and can build what no packer writes. */

const encoder = new TextEncoder();
export const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? encoder.encode(content) : content);

export function join(...pieces: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(pieces));
}

export const gzip = (content: string | Uint8Array): Uint8Array => new Uint8Array(gzipSync(bytesOf(content)));

function little(value: number, size: number): Uint8Array {
  return Uint8Array.from({ length: size }, (_, i) => Math.floor(value / 256 ** i) % 256);
}

/** zstd of raw blocks: valid, though nothing gets smaller. `window` overrides the window descriptor byte. */
export function zstd(content: string | Uint8Array, window = 0x58): Uint8Array {
  const bytes = bytesOf(content);
  const blocks: Uint8Array[] = [];
  for (let at = 0; at === 0 || at < bytes.length; at += 100_000) {
    const block = bytes.subarray(at, at + 100_000);
    blocks.push(little((block.length << 3) | (at + 100_000 >= bytes.length ? 1 : 0), 3), block);
  }
  return join(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, window), ...blocks);
}

/** A zstd frame of `blocks` blocks, 4 bytes each, that unpack to 128 KiB of one byte each. */
export function zstdBomb(blocks: number): Uint8Array {
  const size = 128 * 1024;
  return join(Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58), ...Array.from({ length: blocks }, (_, i) => join(little((size << 3) | 2 | (i === blocks - 1 ? 1 : 0), 3), Uint8Array.of(0x61))));
}

export interface ZipMember { name: string; /** As it stands in the archive. */ packed: Uint8Array; /** Unpacked. */ content: Uint8Array; method: number; /** Wrong on purpose. */ crc?: number; flags?: number }

export function zipMember(name: string, content: string | Uint8Array, method: 0 | 8 | 93 = 0): ZipMember {
  const bytes = bytesOf(content);
  // gzip is deflate between a header of 10 bytes and a trailer of 8.
  const packed = method === 8 ? gzip(bytes).slice(10, -8) : method === 93 ? zstd(bytes) : bytes;
  return { name, packed, content: bytes, method };
}

/** `directory: false` = cut before its central directory, as while it is being written. */
export function zip(members: readonly ZipMember[], { directory = true } = {}): Uint8Array {
  const locals: Uint8Array[] = [];
  const centrals: Uint8Array[] = [];
  let at = 0;
  for (const member of members) {
    const sum = new Crc32();
    sum.update(member.content);
    const name = bytesOf(member.name);
    const shared = join(little(20, 2), little(member.flags ?? 0, 2), little(member.method, 2), little(0, 4), little(member.crc ?? sum.value(), 4), little(member.packed.length, 4), little(member.content.length, 4), little(name.length, 2), little(0, 2));
    const local = join(little(0x04034b50, 4), shared, name, member.packed);
    centrals.push(join(little(0x02014b50, 4), little(20, 2), shared, little(0, 2), little(0, 2), little(0, 2), little(0, 4), little(at, 4), name));
    locals.push(local);
    at += local.length;
  }
  const central = join(...centrals);
  if (!directory) return join(...locals);
  return join(...locals, central, little(0x06054b50, 4), little(0, 4), little(members.length, 2), little(members.length, 2), little(central.length, 4), little(at, 4), little(0, 2));
}

export interface TarMember { name: string; content: string | Uint8Array; type?: string; prefix?: string }

export function tar(members: readonly TarMember[]): Uint8Array {
  const pieces = members.map(({ name, content, type = '0', prefix = '' }) => {
    const bytes = bytesOf(content);
    const head = new Uint8Array(512);
    const put = (text: string, from: number): void => { head.set(bytesOf(text), from); };
    put(name, 0);
    put('0000644\0', 100);
    put(`${bytes.length.toString(8).padStart(11, '0')}\0`, 124);
    put('        ', 148);
    put(type, 156);
    put('ustar\0', 257);
    put(prefix, 345);
    put(`${head.reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, '0')}\0 `, 148);
    return join(head, bytes, new Uint8Array((512 - (bytes.length % 512)) % 512));
  });
  return join(...pieces, new Uint8Array(1024));
}
