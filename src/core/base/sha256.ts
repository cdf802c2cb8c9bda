import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** SHA-256 of a text's UTF-8 bytes (a lone surrogate counts as U+FFFD), lower-case hexadecimal. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}

export function sha256HexOfBytes(bytes: Uint8Array): string {
  return bytesToHex(sha256(bytes));
}

/** First 32 bits, big-endian, of SHA-256 of a text: seeds the random streams (embedding.md §4). */
export function sha256Word(text: string): number {
  const digest = sha256(utf8ToBytes(text));
  return new DataView(digest.buffer, digest.byteOffset).getUint32(0);
}
