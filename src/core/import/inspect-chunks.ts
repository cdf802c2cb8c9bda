import { asArray, asNumber } from '../base/json';
import { ContextscopeError } from '../base/errors';
import type { JsonNode } from './json-node';
import type { ZipFile } from '../base/zip';

/**
 * Inspect's chunked layout of a sample (2026; shape as read by meridianlabs-ai/ts-mono, log_data/chunked): a folder
 * `samples/ID_epoch_N/` with the shell `sample.json`, and sequences of items in files named by the index of their
 * first item: `messages/` (a pool; the shell's `message_refs` are half-open ranges into it), `events/`, `calls/`,
 * `attachments/` (texts, named by their index).
 */

const SHELL = /^(samples\/[^]+_epoch_\d+)\/sample\.json$/;
const SEQUENCES = ['messages', 'events', 'calls', 'attachments'] as const;

export interface ChunkedPieces { /** Bytes of the sample as one JSON object; null = it could not be read. */ pieces: Uint8Array[] | null; notes: string[] }

/** Sample folder → every file in it. */
export function chunkedSamples(files: readonly ZipFile[]): Map<string, ZipFile[]> {
  const samples = new Map<string, ZipFile[]>();
  for (const { name } of files) {
    const folder = SHELL.exec(name)?.[1];
    if (folder !== undefined) samples.set(folder, []);
  }
  if (samples.size === 0) return samples;
  for (const file of files) {
    // Ids may hold slashes, so the folder is found by its end.
    const folder = /^(samples\/[^]+_epoch_\d+)\//.exec(file.name)?.[1];
    if (folder !== undefined) samples.get(folder)?.push(file);
  }
  return samples;
}

/** The sample as it would stand in a log of the plain layout: messages in place, pools as `events_data`. */
export async function writeChunkedSample(folder: string, files: readonly ZipFile[], read: (file: ZipFile) => Promise<JsonNode>): Promise<ChunkedPieces> {
  const notes: string[] = [];
  const encoder = new TextEncoder();
  const readOr = async (name: string): Promise<JsonNode | null> => {
    const file = files.find((candidate) => candidate.name === name);
    if (!file) return null;
    try {
      return await read(file);
    } catch (error) {
      if (!(error instanceof ContextscopeError) || error.code === 'cancelled' || error.code === 'too-large') throw error;
      notes.push(`A part of the sample ${folder} is missing: ${error.message}`);
      return null;
    }
  };
  const shell = await readOr(`${folder}/sample.json`);
  if (shell?.kind !== 'object') return { pieces: null, notes: notes.length > 0 ? notes : [`The sample ${folder} has no readable sample.json.`] };
  const sequences = new Map<string, Map<number, JsonNode>>();
  for (const sequence of SEQUENCES) sequences.set(sequence, await readSequence(folder, sequence, files, readOr));
  const pieces: Uint8Array[] = [encoder.encode('{')];
  const put = (key: string, values: readonly Uint8Array[]): void => {
    pieces.push(encoder.encode(`${pieces.length > 1 ? ',' : ''}${JSON.stringify(key)}:`), ...values);
  };
  const array = (items: readonly JsonNode[]): Uint8Array[] => [encoder.encode('['), ...items.flatMap((item, i) => (i > 0 ? [encoder.encode(','), bytesOf(item)] : [bytesOf(item)])), encoder.encode(']')];
  for (const [key, value] of shell.fields()) if (!PLACED.has(key)) put(key, [bytesOf(value)]);
  const metadata = await readOr(`${folder}/metadata.json`);
  if (metadata) put('metadata', [bytesOf(metadata)]);
  const pool = sequences.get('messages')!;
  const messages: JsonNode[] = [];
  for (const [from, to] of ranges(shell.field('message_refs'))) {
    for (let i = from; i < to; i++) {
      const message = pool.get(i);
      if (message) messages.push(message);
      else notes.push(`The sample ${folder} refers to message ${i}, which is not in the log.`);
    }
  }
  put('messages', array(messages));
  put('events_data', [encoder.encode('{"messages":'), ...array([...pool.values()]), encoder.encode(',"calls":'), ...array([...sequences.get('calls')!.values()]), encoder.encode('}')]);
  const texts = [...sequences.get('attachments')!];
  put('attachments', [encoder.encode('{'), ...texts.flatMap(([index, text], i) => [encoder.encode(`${i > 0 ? ',' : ''}"${index}":`), bytesOf(text)]), encoder.encode('}')]);
  put('events', array([...sequences.get('events')!.values()]));
  pieces.push(encoder.encode('}'));
  return { pieces, notes: notes.slice(0, MAX_NOTES) };
}

const PLACED = new Set(['message_refs', 'messages', 'events', 'events_data', 'attachments']);
const MAX_NOTES = 10;

/** Items by index, in order. */
async function readSequence(folder: string, sequence: string, files: readonly ZipFile[], readOr: (name: string) => Promise<JsonNode | null>): Promise<Map<number, JsonNode>> {
  const prefix = `${folder}/${sequence}/`;
  const starts = files.map(({ name }) => (name.startsWith(prefix) ? /^(\d+)\.json$/.exec(name.slice(prefix.length))?.[1] : undefined)).filter((start) => start !== undefined).map(Number).sort((a, b) => a - b);
  const items = new Map<number, JsonNode>();
  for (const start of starts) (await readOr(`${prefix}${start}.json`))?.elements().forEach((item, i) => items.set(start + i, item));
  return items;
}

function ranges(node: JsonNode | undefined): [number, number][] {
  if (!node) return [];
  return (asArray(node.value()) ?? []).flatMap((range): [number, number][] => {
    const from = asNumber(asArray(range)?.[0]);
    const to = asNumber(asArray(range)?.[1]);
    return from !== undefined && to !== undefined && to > from && to - from < 1e7 ? [[from, to]] : [];
  });
}

function bytesOf(node: JsonNode): Uint8Array {
  return node.bytes.subarray(node.from, node.to);
}
