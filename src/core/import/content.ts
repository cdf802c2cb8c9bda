import type { ByteSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';
import { openContainer } from './containers';
import type { Opened } from './containers';
import { toUtf8, utf16Label, utf16Note } from './text-encoding';
import type { OpenOptions } from './open-options';

/** The text inside a source: unpacked and in UTF-8. All spans of a trajectory are offsets into it. */
export interface Content {
  source: ByteSource;
  container: Opened['container'];
  /** First byte after a byte order mark. */
  start: number;
  notes: string[];
}

/**
 * The one text in a source. Looks at the first bytes, never at the name. Throws 'unsupported' for what cannot be read
 * as text, and for archives of several files: those are for `importFiles`.
 */
export async function openContent(source: ByteSource, options: OpenOptions = {}): Promise<Content> {
  return openText(await openOnly(source, options));
}

/** The only file in a source. Throws what `openContent` throws. */
export async function openOnly(source: ByteSource, options: OpenOptions = {}): Promise<Opened> {
  let only: Opened | null = null;
  for await (const opened of openContainer(source, options)) {
    if ('error' in opened) throw opened.error;
    if (only) throw new ContextscopeError('unsupported', `${source.name} holds several files (${only.name}, ${opened.name}, …): they have to be imported as files of their own.`, { file: source.name });
    only = opened;
  }
  if (!only) throw new ContextscopeError('bad-record', `${source.name} is an archive without files.`, { file: source.name });
  return only;
}

const REFUSED: readonly (readonly [number[], string, string])[] = [
  [[0x42, 0x5a, 0x68], 'a bzip2 archive', 'unpack it first (bunzip2 FILE).'],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00], 'an XZ archive', 'unpack it first (unxz FILE).'],
  [[0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c], 'a 7-Zip archive', 'unpack it and give the files inside.'],
  [[0x52, 0x61, 0x72, 0x21], 'a RAR archive', 'unpack it and give the files inside.'],
];

/** Decodes what was opened. Throws 'unsupported' or 'too-large'. */
export async function openText({ source, container, notes }: Opened): Promise<Content> {
  const head = await source.read(0, 16);
  for (const [magic, what, todo] of REFUSED) {
    if (startsWith(head, magic)) throw new ContextscopeError('unsupported', `Expected a trajectory as text, found ${what} in ${source.name}: ${todo}`, { file: source.name });
  }
  const label = utf16Label(head);
  if (label) return { source: await toUtf8(source, label), container, start: 0, notes: [...notes, utf16Note(label)] };
  return { source, container, start: startsWith(head, [0xef, 0xbb, 0xbf]) ? 3 : 0, notes };
}

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return bytes.length >= magic.length && magic.every((byte, i) => bytes[i] === byte);
}
