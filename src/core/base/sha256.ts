import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const utf8 = new TextEncoder();
/** Room for the bytes of short texts (lists of checksums, by the ten thousand in one replay), which then need no arrays of their own. */
const room = new Uint8Array(8192);

/** SHA-256 of a text's UTF-8 bytes (a lone surrogate counts as U+FFFD), lower-case hexadecimal. */
export function sha256Hex(text: string): string {
  // UTF-8 needs at most three bytes a UTF-16 unit.
  const bytes = text.length * 3 <= room.length ? room.subarray(0, utf8.encodeInto(text, room).written) : utf8.encode(text);
  return bytesToHex(sha256(bytes));
}

export function sha256HexOfBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** First 32 bits, big-endian, of SHA-256 of a text: seeds the random streams (embedding.md §4). */
export function sha256Word(text: string): number {
  const digest = sha256(utf8ToBytes(text));
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}
