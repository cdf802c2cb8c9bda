import { sliceSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { decodeUtf8 } from '../base/text';

/** A file inside an archive; its bytes are a part of the archive's. */
export interface TarFile { name: string; source: ByteSource }

const BLOCK = 512;
/** Long names and pax headers; nobody's path is longer. */
const MAX_HEADER_BYTES = 1 << 20;

/** Does this block start a tar archive? By the check sum of the header: old archives have no magic. */
export function isTarHeader(head: Uint8Array): boolean {
  if (head.length < BLOCK || head[0] === 0) return false;
  const stated = octal(head, 148, 8);
  let sum = 0;
  for (let i = 0; i < BLOCK; i++) sum += i >= 148 && i < 156 ? 0x20 : head[i]!;
  return stated === sum;
}

/**
 * Regular files of a tar archive (ustar, GNU long names, pax paths and sizes), in order. `onDamage` is told when the
 * archive ends early or a header is broken; files before it are given.
 */
export async function* tarFiles(source: ByteSource, onDamage: (reason: string) => void): AsyncGenerator<TarFile> {
  let longName: string | undefined;
  let pax: ReadonlyMap<string, string> = new Map();
  for (let at = 0; at + BLOCK <= source.size; ) {
    const head = await source.read(at, at + BLOCK);
    if (head.every((byte) => byte === 0)) return;
    if (!isTarHeader(head)) return onDamage(`the tar header at byte ${at} is broken`);
    const paxSize = pax.get('size');
    const size = paxSize === undefined ? tarNumber(head, 124, 12) : Number(paxSize);
    const from = at + BLOCK;
    if (!(size >= 0)) return onDamage(`the tar header at byte ${at} has no size`);
    at = from + Math.ceil(size / BLOCK) * BLOCK;
    const type = String.fromCharCode(head[156]!);
    if (type === 'L' || type === 'x') {
      const bytes = size <= MAX_HEADER_BYTES ? await source.read(from, from + size) : new Uint8Array(0);
      if (type === 'L') longName = cText(bytes, 0, bytes.length);
      else pax = paxFields(bytes);
      continue;
    }
    const name = pax.get('path') ?? longName ?? ustarName(head);
    longName = undefined;
    pax = new Map();
    // '7' = contiguous file, '\0' = regular file of old archives. Links, devices and folders hold nothing to read.
    if (type !== '0' && type !== '7' && type !== '\0') continue;
    if (from + size > source.size) onDamage(`the tar archive is cut off inside ${name}`);
    if (!name.endsWith('/')) yield { name, source: sliceSource(name, source, from, from + size) };
  }
}

function ustarName(head: Uint8Array): string {
  const prefix = cText(head, 257, 5) === 'ustar' ? cText(head, 345, 155) : '';
  const name = cText(head, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

function cText(bytes: Uint8Array, from: number, length: number): string {
  const field = bytes.subarray(from, from + length);
  const end = field.indexOf(0);
  return decodeUtf8(end < 0 ? field : field.subarray(0, end));
}

function octal(bytes: Uint8Array, from: number, length: number): number {
  const text = cText(bytes, from, length).trim();
  return /^[0-7]+$/.test(text) ? parseInt(text, 8) : NaN;
}

/** Octal text, or base 256 where the first bit is set (GNU, sizes of 8 GiB and more). */
function tarNumber(bytes: Uint8Array, from: number, length: number): number {
  if ((bytes[from]! & 0x80) === 0) return octal(bytes, from, length);
  let value = bytes[from]! & 0x7f;
  for (let i = 1; i < length; i++) value = value * 256 + bytes[from + i]!;
  return value;
}

/** Records "LENGTH KEY=VALUE\n"; LENGTH counts the whole record in bytes. */
function paxFields(bytes: Uint8Array): Map<string, string> {
  const fields = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? NaN : Number(decodeUtf8(bytes.subarray(at, space)));
    if (!(length > 0)) break;
    const record = decodeUtf8(bytes.subarray(space + 1, at + length - 1));
    const equals = record.indexOf('=');
    if (equals > 0) fields.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return fields;
}
