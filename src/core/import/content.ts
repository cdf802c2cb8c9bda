import type { ByteSource } from '../base/byte-source';
import { bytesSource } from '../base/byte-source';
import { joinBytes } from '../base/concat-source';
import { ContextscopeError } from '../base/errors';

/** The text inside a source: unpacked and in UTF-8. All spans of a trajectory are offsets into it. */
export interface Content {
  source: ByteSource;
  container: 'none' | 'gzip';
  /** First byte after a byte order mark. */
  start: number;
  notes: string[];
}

/** Unpacked size above which a container is refused: it has to be held in memory. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;
const MAX_UTF16_BYTES = 256 * 1024 * 1024;

/** Looks at the first bytes, never at the name. Throws 'unsupported' for containers we cannot open. */
export async function openContent(source: ByteSource): Promise<Content> {
  const head = await source.read(0, 16);
  if (startsWith(head, [0x1f, 0x8b])) {
    const inner = await openText(bytesSource(source.name, await gunzip(source)), []);
    return { ...inner, container: 'gzip' };
  }
  for (const [magic, what, todo] of REFUSED) {
    if (startsWith(head, magic)) throw new ContextscopeError('unsupported', `Expected a trajectory as text, found ${what} in ${source.name}: ${todo}`, { file: source.name });
  }
  return openText(source, []);
}

const REFUSED: readonly (readonly [number[], string, string])[] = [
  [[0x50, 0x4b, 0x03, 0x04], 'a ZIP archive', 'unpack it and give the files inside.'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'a zstd archive', 'unpack it first (zstd -d FILE).'],
  [[...new TextEncoder().encode('SQLite format 3')], 'an SQLite database', 'export the session from its tool first (for example `opencode export`, `goose session export --format json`).'],
];

async function openText(source: ByteSource, notes: string[]): Promise<Content> {
  const head = await source.read(0, 4);
  const label = startsWith(head, [0xff, 0xfe]) ? 'utf-16le' : startsWith(head, [0xfe, 0xff]) ? 'utf-16be' : null;
  if (label) {
    if (source.size > MAX_UTF16_BYTES) throw new ContextscopeError('too-large', `${source.name} is UTF-16 and larger than 256 MiB: convert it to UTF-8 first (iconv -f UTF-16 -t UTF-8).`, { file: source.name });
    const text = new TextDecoder(label).decode(await source.read(0, source.size));
    return { source: bytesSource(source.name, new TextEncoder().encode(text)), container: 'none', start: 0, notes: [...notes, `The file is ${label.toUpperCase()}; byte offsets are those of its UTF-8 form.`] };
  }
  return { source, container: 'none', start: startsWith(head, [0xef, 0xbb, 0xbf]) ? 3 : 0, notes };
}

async function gunzip(source: ByteSource): Promise<Uint8Array> {
  const step = 1 << 20;
  let at = 0;
  const packed = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      if (at >= source.size) controller.close();
      // A copy: the stream may keep or transfer what it is given.
      else controller.enqueue(new Uint8Array(await source.read(at, (at += step))));
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  const pieces: Uint8Array[] = [];
  let total = 0;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      total += next.value.length;
      if (total > MAX_UNPACKED_BYTES) {
        await reader.cancel();
        throw new ContextscopeError('too-large', `${source.name} unpacks to more than 512 MiB: unpack it first (gzip -d) and open the result.`, { file: source.name });
      }
      pieces.push(next.value);
    }
  } catch (error) {
    if (error instanceof ContextscopeError) throw error;
    throw new ContextscopeError('corrupt', `${source.name} starts like gzip but does not unpack after ${total} bytes: fetch it again.`, { file: source.name });
  }
  const bytes = joinBytes(pieces);
  // "ustar" at 257: a tar inside.
  if (startsWith(bytes.subarray(257), [0x75, 0x73, 0x74, 0x61, 0x72])) {
    throw new ContextscopeError('unsupported', `Expected a trajectory as text, found a tar archive in ${source.name}: unpack it and give the files inside.`, { file: source.name });
  }
  return bytes;
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}
