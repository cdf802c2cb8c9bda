const OFFSET_LOW = 0x84222325;
const PRIME_LOW = 0x1b3;

/**
 * Low 32 bits of the 64-bit FNV-1a hash of some bytes. A product's low bits depend on the factors' low bits alone, and
 * the prime 2⁴⁰ + 0x1b3 is 0x1b3 below 2³², so 32-bit arithmetic is enough for slot (9 bits) and sign (bit 9).
 */
export function fnv1aLow32(bytes: Iterable<number>): number {
  let hash = OFFSET_LOW;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, PRIME_LOW);
  return hash >>> 0;
}

/** The same for a text of ASCII characters, without encoding it first. */
export function fnv1aLow32Ascii(text: string): number {
  let hash = OFFSET_LOW;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), PRIME_LOW);
  return hash >>> 0;
}
