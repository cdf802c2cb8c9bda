import type { ByteSource } from '../base/byte-source';
import { ContextscopeError } from '../base/errors';
import { JsonNode, isSpace } from './json-node';
import type { UnpackGuard } from '../base/unpack-guard';
import { openZipFile } from '../base/zip';
import type { ZipFile } from '../base/zip';
import { chunkedSamples, writeChunkedSample } from './inspect-chunks';

/**
 * Inspect's `.eval` (formats.md §9): a ZIP with the log's header and one file a sample. It is read as the `.json` log
 * of the same run, put together from the same bytes, so that one format reads both.
 */

const HEADER = 'header.json';
const START = '_journal/start.json';
const SAMPLE = /^samples\/[^]*\.json$/;

export function isInspectArchive(files: readonly ZipFile[]): boolean {
  return files.some(({ name }) => name === HEADER || name === START);
}

export async function inspectLog(archive: string, files: readonly ZipFile[], guard: UnpackGuard): Promise<{ source: ByteSource; notes: string[] }> {
  const notes: string[] = [];
  const out = guard.spool();
  const encoder = new TextEncoder();
  const text = (value: string): void => { out.write(encoder.encode(value)); };
  const header = await readObject(files.find(({ name }) => name === HEADER) ?? files.find(({ name }) => name === START)!, guard);
  if (!files.some(({ name }) => name === HEADER)) notes.push('The log has no header: the run was still being written, or was cut off.');
  // The header without its closing brace, then the samples as its last field.
  const body = trimEnd(header.bytes.subarray(header.from, header.to - 1));
  out.write(body);
  if (!header.fields().has('status')) text(`${header.fields().size > 0 ? ',' : ''}"status":"started"`);
  text(`${body.length > 1 || !header.fields().has('status') ? ',' : ''}"samples":[`);
  let written = 0;
  const separate = (): void => { text(written++ > 0 ? ',\n' : '\n'); };
  const chunked = chunkedSamples(files);
  const parts = new Set([...chunked.values()].flat());
  for (const file of files) {
    if (!SAMPLE.test(file.name) || parts.has(file)) continue;
    try {
      const sample = await readObject(file, guard);
      separate();
      out.write(sample.bytes.subarray(sample.from, sample.to));
    } catch (error) {
      if (!(error instanceof ContextscopeError) || error.code === 'cancelled' || error.code === 'too-large') throw error;
      notes.push(`The sample ${file.name} is missing: ${error.message}`);
    }
  }
  for (const [name, members] of chunked) {
    const sample = await writeChunkedSample(name, members, (file) => readValue(file, guard));
    notes.push(...sample.notes);
    if (!sample.pieces) continue;
    separate();
    sample.pieces.forEach((piece) => { out.write(piece); });
  }
  text('\n]}');
  return { source: out.finish(archive), notes };
}

/** The one JSON value of a member, whole. Throws 'corrupt'. */
async function readValue(file: ZipFile, guard: UnpackGuard): Promise<JsonNode> {
  const { source, broken } = await openZipFile(file, guard);
  const bytes = await source.read(0, source.size);
  let to = bytes.length;
  while (to > 0 && isSpace(bytes[to - 1])) to--;
  let from = 0;
  while (from < to && isSpace(bytes[from])) from++;
  const node = new JsonNode(bytes, from, to, 0);
  if (broken !== undefined || !node.isWhole()) throw new ContextscopeError('corrupt', `${file.name} is not one whole JSON value${broken === undefined ? '' : ` (${broken})`}.`, { file: guard.file });
  return node;
}

async function readObject(file: ZipFile, guard: UnpackGuard): Promise<JsonNode> {
  const node = await readValue(file, guard);
  if (node.kind !== 'object') throw new ContextscopeError('corrupt', `Expected a JSON object in ${file.name}, found something else.`, { file: guard.file });
  return node;
}

function trimEnd(bytes: Uint8Array): Uint8Array {
  let to = bytes.length;
  while (to > 0 && isSpace(bytes[to - 1])) to--;
  return bytes.subarray(0, to);
}
