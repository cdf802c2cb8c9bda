/** Files out of a drop or a paste: single files, several, whole folders. */
import type { InputFile } from '../../state/imports';

/** A folder of transcripts has hundreds of files; a home folder dropped by mistake has millions. */
const MAX_FILES = 2_000;

/**
 * Must be called in the event handler itself: the browser empties the DataTransfer afterwards, so the entries are
 * taken before the first await. Hidden files and folders are left out.
 */
export async function filesOf(transfer: DataTransfer): Promise<InputFile[]> {
  const entries = [...transfer.items].filter((item) => item.kind === 'file').map((item) => item.webkitGetAsEntry());
  const plain = [...transfer.files];
  const text = transfer.files.length === 0 ? transfer.getData('text/plain') : '';
  const out: InputFile[] = [];
  for (const [i, entry] of entries.entries()) {
    const file = plain[i];
    if (entry !== null) await walk(entry, out);
    else if (file !== undefined) out.push({ name: file.name, blob: file });
  }
  if (entries.length === 0) for (const file of plain) out.push({ name: file.name, blob: file });
  if (out.length === 0 && text.trim() !== '') out.push({ name: 'pasted.txt', blob: new Blob([text]) });
  return out;
}

async function walk(entry: FileSystemEntry, out: InputFile[]): Promise<void> {
  if (out.length >= MAX_FILES || entry.name.startsWith('.')) return;
  if (entry.isFile) {
    const file = await new Promise<File>((done, fail) => (entry as FileSystemFileEntry).file(done, fail));
    out.push({ name: entry.fullPath.replace(/^\//, ''), blob: file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // readEntries gives at most 100 at a time and an empty list at the end.
    const some = await new Promise<FileSystemEntry[]>((done, fail) => reader.readEntries(done, fail));
    if (some.length === 0) return;
    for (const one of some) await walk(one, out);
  }
}
