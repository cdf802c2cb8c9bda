/** Files out of a drop or a paste: single files, several, whole folders. */
import type { InputFile } from '../../state/imports';

/** A folder of transcripts has hundreds of files; a home folder dropped by mistake has millions. */
export const MAX_FILES = 2_000;

/** The only hidden file that is itself a transcript. */
const HIDDEN_TRANSCRIPT = '.aider.chat.history.md';

/** `cut` = there were more than `most` files; those beyond are not in `files`. */
export interface GivenFiles { files: InputFile[]; cut: boolean }

/**
 * Must be called in the event handler itself: the browser empties the DataTransfer afterwards, so the entries are
 * taken before the first await. What was dropped by name is taken; hidden files and folders inside a folder are left
 * out, but for Aider's history. An entry that cannot be read (gone, or no right to) is left out too.
 */
export async function filesOf(transfer: DataTransfer, most = MAX_FILES): Promise<GivenFiles> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  const text = transfer.files.length === 0 ? transfer.getData('text/plain') : '';
  const out: GivenFiles = { files: [], cut: false };
  for (const [i, entry] of entries.entries()) {
    const file = plain[i];
    if (entry !== null) await walk(entry, out, most);
    else if (file !== undefined) add(out, most, { name: file.name, blob: file });
  }
  if (entries.length === 0) for (const file of plain) add(out, most, { name: file.name, blob: file });
  if (out.files.length === 0 && text.trim() !== '') add(out, most, { name: 'pasted.txt', blob: new Blob([text]) });
  return out;
}

/** The first of what a file dialog gave. */
export function firstFiles(files: readonly InputFile[], most = MAX_FILES): GivenFiles {
  return { files: files.slice(0, most), cut: files.length > most };
}

function add(out: GivenFiles, most: number, file: InputFile): void {
  if (out.files.length < most) out.files.push(file);
  else out.cut = true;
}

async function walk(entry: FileSystemEntry, out: GivenFiles, most: number): Promise<void> {
  if (out.cut) return;
  if (entry.isFile) {
    // The one file too many need not be opened to know that there is one.
    if (out.files.length >= most) out.cut = true;
    else {
      const file = await new Promise<File | null>((done) => (entry as FileSystemFileEntry).file(done, () => done(null)));
      if (file !== null) add(out, most, { name: entry.fullPath.replace(/^\//, ''), blob: file });
    }
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // readEntries gives at most 100 at a time and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((done) => reader.readEntries(done, () => done([])));
    if (some.length === 0) return;
    for (const one of some) if (!one.name.startsWith('.') || (one.isFile && one.name === HIDDEN_TRANSCRIPT)) await walk(one, out, most);
  }
}
