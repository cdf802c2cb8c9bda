import { bytesSource, sliceSource } from './byte-source';
import type { ByteSource } from './byte-source';
import { ContextscopeError } from './errors';
import { decodeUtf8 } from './text';
import { unpack } from './unpack-stream';
import type { PackedFormat, Unpacked } from './unpack-stream';
import { UnpackGuard } from './unpack-guard';

/** A file in a ZIP archive, still packed. */
export interface ZipFile {
  name: string;
  /** 0 stored, 8 deflate, 93 zstd (Inspect). */
  method: number;
  encrypted: boolean;
  packed: ByteSource;
  /** CRC-32 of the content; undefined where the archive does not say. */
  crc?: number;
}

const LOCAL_HEADER_BYTES = 30;
const LOCAL_MAGIC = [0x50, 0x4b, 0x03, 0x04] as const;
const PACKED: Readonly<Record<number, PackedFormat>> = { 0: 'store', 8: 'deflate-raw', 93: 'zstd' };
const METHOD_NAMES: Readonly<Record<number, string>> = { 9: 'deflate64', 12: 'bzip2', 14: 'LZMA', 95: 'XZ', 96: 'JPEG', 98: 'PPMd', 99: 'AES' };

/**
 * Lists a ZIP archive by its central directory (zip.js), or, where there is none (a log still being written, a cut
 * download), by the headers in front of the files. `onDamage` is told of the latter.
 */
export async function listZip(source: ByteSource, guard: UnpackGuard, onDamage: (reason: string) => void): Promise<ZipFile[]> {
  const { ZipReader } = await import('@zip.js/zip.js/lib/zip-core-reader.js');
  const nothing = (): ReadableStream<Uint8Array> => new ReadableStream({ start: (controller) => { controller.close(); } });
  // Random access is all it needs; its streams are for sources without it.
  const reader = { size: source.size, readUint8Array: (at: number, length: number) => source.read(at, at + length), readable: nothing(), createReadable: nothing };
  const files: ZipFile[] = [];
  try {
    for await (const entry of new ZipReader(reader).getEntriesGenerator()) {
      guard.addMember();
      if (entry.directory) continue;
      const from = await dataStart(source, entry.offset);
      files.push({ name: entry.filename, method: entry.compressionMethod, encrypted: entry.encrypted, packed: sliceSource(entry.filename, source, from, from + entry.compressedSize), crc: entry.signature });
    }
    return files;
  } catch (error) {
    if (error instanceof ContextscopeError) throw error;
    onDamage('the ZIP archive has no usable directory (it is cut off, or still being written); the files found in it are read');
    return scanLocalHeaders(source, guard);
  }
}

/** Unpacks one file. Throws 'unsupported' naming the method, 'corrupt', 'too-large'. */
export async function openZipFile(file: ZipFile, guard: UnpackGuard): Promise<Unpacked> {
  if (file.encrypted) throw new ContextscopeError('unsupported', `${file.name} in ${guard.file} is encrypted: unpack it first and give the files inside.`, { file: guard.file });
  const format = PACKED[file.method];
  if (!format) throw new ContextscopeError('unsupported', `${file.name} in ${guard.file} is packed by ${METHOD_NAMES[file.method] ?? `method ${file.method}`}; stored, deflate and zstd are read. Unpack it first and give the files inside.`, { file: guard.file });
  return unpack(file.packed, format, guard, file.name, file.crc);
}

/** Every file of an archive that is held whole (what NumPy's savez writes): name → bytes. Throws on any damage. */
export async function zipMembers(file: string, bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const guard = new UnpackGuard(file, bytes.length, {});
  const out = new Map<string, Uint8Array>();
  for (const member of await listZip(bytesSource(file, bytes), guard, (reason) => { throw new ContextscopeError('corrupt', `${file}: ${reason}.`, { file }); })) {
    const { source, broken } = await openZipFile(member, guard);
    if (broken !== undefined) throw new ContextscopeError('corrupt', `${member.name} in ${file}: ${broken}.`, { file });
    out.set(member.name, await source.read(0, source.size));
  }
  return out;
}

async function dataStart(source: ByteSource, at: number): Promise<number> {
  const head = await source.read(at, at + LOCAL_HEADER_BYTES);
  if (!isLocalHeader(head)) throw new RangeError(`no local header at byte ${at}`);
  return at + LOCAL_HEADER_BYTES + uint16(head, 26) + uint16(head, 28);
}

const SCAN_BYTES = 1 << 20;

async function scanLocalHeaders(source: ByteSource, guard: UnpackGuard): Promise<ZipFile[]> {
  const files: ZipFile[] = [];
  for (let at = 0; at + LOCAL_HEADER_BYTES <= source.size; ) {
    const head = await source.read(at, at + LOCAL_HEADER_BYTES);
    if (!isLocalHeader(head)) break;
    guard.addMember();
    const nameLength = uint16(head, 26);
    const name = decodeUtf8(await source.read(at + LOCAL_HEADER_BYTES, at + LOCAL_HEADER_BYTES + nameLength));
    const from = at + LOCAL_HEADER_BYTES + nameLength + uint16(head, 28);
    const flags = uint16(head, 6);
    // Bit 3: sizes stand behind the data, so its end is where the next record starts.
    const sizeIsBehind = (flags & 8) !== 0 && uint32(head, 18) === 0;
    const to = sizeIsBehind ? await nextRecord(source, from) : from + uint32(head, 18);
    if (name !== '' && !name.endsWith('/')) files.push({ name, method: uint16(head, 8), encrypted: (flags & 1) !== 0, packed: sliceSource(name, source, from, to), ...(sizeIsBehind ? {} : { crc: uint32(head, 14) }) });
    at = sizeIsBehind ? await nextHeader(source, to) : to;
  }
  return files;
}

/** Where the next "PK" record starts, or the end. */
async function nextRecord(source: ByteSource, from: number, kinds: readonly number[] = [0x0304, 0x0102, 0x0708, 0x0506]): Promise<number> {
  for (let at = from; at < source.size; at += SCAN_BYTES) {
    const bytes = await source.read(at, at + SCAN_BYTES + 3);
    for (let i = bytes.indexOf(0x50); i >= 0; i = bytes.indexOf(0x50, i + 1)) {
      if (bytes[i + 1] === 0x4b && kinds.includes((bytes[i + 2] ?? 0) * 256 + (bytes[i + 3] ?? 0))) return at + i;
    }
  }
  return source.size;
}

const nextHeader = (source: ByteSource, from: number): Promise<number> => nextRecord(source, from, [0x0304]);

function isLocalHeader(head: Uint8Array): boolean {
  return head.length === LOCAL_HEADER_BYTES && LOCAL_MAGIC.every((byte, i) => head[i] === byte);
}
function uint16(bytes: Uint8Array, at: number): number { return bytes[at]! + bytes[at + 1]! * 256; }
function uint32(bytes: Uint8Array, at: number): number { return uint16(bytes, at) + uint16(bytes, at + 2) * 65_536; }
