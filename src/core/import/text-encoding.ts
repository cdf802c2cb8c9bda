import type { ByteSource } from '../base/byte-source';
import { bytesSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';

const MAX_UTF16_BYTES = 256 * 1024 * 1024;

/** By its byte order mark; null = not UTF-16. */
export function utf16Label(head: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  return head[0] === 0xff && head[1] === 0xfe ? 'utf-16le' : head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : null;
}

/** The first bytes of content as UTF-8; of UTF-16 they are fewer characters. */
export function utf8Head(head: Uint8Array): Uint8Array {
  const label = utf16Label(head);
  return label ? new TextEncoder().encode(new TextDecoder(label).decode(head.subarray(0, head.length & ~1))) : head;
}

/** A UTF-16 source in UTF-8, held in memory. Throws 'too-large'. */
export async function toUtf8(source: ByteSource, label: 'utf-16le' | 'utf-16be'): Promise<ByteSource> {
  if (source.size > MAX_UTF16_BYTES) throw new ContextscopeError('too-large', `${source.name} is UTF-16 and larger than 256 MiB: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8).`, { file: source.name });
  const text = new TextDecoder(label).decode(await source.read(0, source.size));
  return bytesSource(source.name, new TextEncoder().encode(text));
}

export function utf16Note(label: string): string {
  return `The file is ${label.toUpperCase()}; byte offsets are those of its UTF-8 form.`;
}
