/** All files of a corpus run as one archive. The archive library is loaded when the first one is asked for. */
import type { CorpusFile } from '../../core/corpus/corpus-files';
import { download } from '../shared/download';

/** The same files give the same archive, whenever it is made. */
const DATE = new Date(Date.UTC(1980, 0, 1, 12));

async function zipOf(files: readonly CorpusFile[]): Promise<Blob> {
  const { BlobWriter, TextReader, ZipWriter, configure } = await import('@zip.js/zip.js');
  // Workers made of text are forbidden by the page's policy.
  configure({ useWebWorkers: false });
  const writer = new ZipWriter(new BlobWriter('application/zip'), { extendedTimestamp: false, lastModDate: DATE });
  for (const { name, text } of files) await writer.add(name, new TextReader(text));
  return writer.close();
}

export async function saveZip(files: readonly CorpusFile[]): Promise<void> {
  download('corpus.zip', await zipOf(files));
}
