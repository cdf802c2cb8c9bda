/**
 * Pictures that a trace holds itself. The model keeps only facts of an image; its bytes stay in the source record as
 * base64, from where they are read when a person looks. Nothing is ever fetched: an image behind a URL stays a fact.
 */
import type { ImagePart } from '../../core/trace/model';

export interface RecordImage { mime: string; base64: string; /** Size as importers state it: characters of the data × ¾. */ bytes: number }

/** Raster formats that browsers decode; SVG is a document and stays raw. */
const MIMES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);
/** First characters of the base64 of each format, for records that name none. */
const MAGIC: readonly [string, string][] = [['iVBORw0KGgo', 'image/png'], ['/9j/', 'image/jpeg'], ['R0lGOD', 'image/gif'], ['UklGR', 'image/webp'], ['Qk', 'image/bmp']];
/** Characters of one picture: 15 MB of it. A larger one helps nobody in a transcript. */
const MAX_BASE64 = 20_000_000;
/** Characters of a record that is parsed for pictures on this thread. */
const MAX_RECORD = 48_000_000;
const MAX_DEPTH = 60;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Every picture in the raw records of a message, in order. Records that are not JSON hold none. */
export function recordImages(records: readonly string[]): RecordImage[] {
  const out: RecordImage[] = [];
  for (const record of records) {
    if (record.length > MAX_RECORD || !/base64|image/.test(record)) continue;
    try {
      collect(JSON.parse(record), out, 0);
    } catch {
      continue;
    }
  }
  return out;
}

function collect(value: unknown, out: RecordImage[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') {
    const head = /^data:([^;,]{1,60})[^,]{0,60};base64,/.exec(value.slice(0, 200));
    if (head) add(head[1] ?? '', value.slice(head[0].length), out);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((one) => collect(one, out, depth + 1));
  const record = value as Record<string, unknown>;
  // Anthropic and pi: data beside its type; Gemini: inlineData; OpenAI: the result of an image_generation_call.
  const data = record['data'] ?? (record['type'] === 'image_generation_call' ? record['result'] : undefined);
  const mime = record['media_type'] ?? record['mimeType'] ?? record['mime_type'] ?? record['mime'];
  if (typeof data === 'string' && !data.startsWith('data:')) add(typeof mime === 'string' ? mime : '', data, out);
  for (const one of Object.values(record)) collect(one, out, depth + 1);
}

function add(named: string, data: string, out: RecordImage[]): void {
  if (data.length < 16 || data.length > MAX_BASE64) return;
  const mime = MIMES.has(named.toLowerCase()) ? named.toLowerCase() : named === '' || named === 'image' ? MAGIC.find(([start]) => data.startsWith(start))?.[1] : undefined;
  if (mime === undefined) return;
  const base64 = /\s/.test(data) ? data.replace(/\s+/g, '') : data;
  if (BASE64.test(base64)) out.push({ mime, base64, bytes: Math.floor((data.length * 3) / 4) });
}

/**
 * The pictures of the image parts of a message, by position of the part among `parts`. A part belongs to the first
 * picture of its size that no earlier part took, so that parts which have no data leave no shift behind.
 */
export function imagesOfParts(parts: readonly ImagePart[], images: readonly RecordImage[]): (RecordImage | null)[] {
  const taken = new Set<RecordImage>();
  return parts.map(({ bytes }) => {
    if (bytes === undefined) return null;
    const found = images.find((image) => !taken.has(image) && image.bytes === bytes);
    if (found === undefined) return null;
    taken.add(found);
    return found;
  });
}

/** As the source of an <img>. */
export function imageUrl({ mime, base64 }: Pick<RecordImage, 'mime' | 'base64'>): string {
  return `data:${mime};base64,${base64}`;
}
