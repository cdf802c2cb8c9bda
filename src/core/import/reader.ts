import type { ByteSource } from '../base/byte-source';
import { ContextscopeError, throwIfCancelled } from '../base/errors';
import { decodeUtf8 } from '../base/text';
import { ROLES } from '../trace/model';
import type { Message, MessageColumns, Part, Span, Trajectory, Usage } from '../trace/model';
import { openContent } from './content';
import type { Content } from './content';
import { parseSpan } from './embedded-json';
import { formatById } from './registry';
import type { TraceReader } from './types';

/** Bytes fetched at once when rows are read in order. */
const WINDOW_BYTES = 1 << 20;

/** Reads messages of a trajectory through their spans; `source` is the one it was imported from (or a copy of its bytes). */
export function createTraceReader(source: ByteSource, trajectory: Trajectory): TraceReader {
  const { columns } = trajectory;
  const format = formatById(trajectory.format);
  const bytes = new SpanBytes(source);

  const readOne = async (row: number, index: number): Promise<Message> => {
    if (!(row >= 0 && row < columns.n)) throw new ContextscopeError('bad-argument', `Row ${row} is outside of ${columns.n} rows of ${trajectory.name}.`);
    const spans = spansOf(columns, row);
    const records: unknown[] = [];
    const broken: Part[] = [];
    for (const span of spans) {
      const text = decodeUtf8(await bytes.read(span));
      const record = format.reads === 'text' ? text : parseRecord(text, source.name, span);
      records.push(record);
      if (record === undefined) broken.push({ type: 'other', kind: 'broken', raw: text });
    }
    const role = ROLES[columns.role[row]!]!;
    const flags = columns.flags[row]!;
    const callCount = columns.callStart[row + 1]! - columns.callStart[row]!;
    const resultCount = columns.resultStart[row + 1]! - columns.resultStart[row]!;
    const parts = [...withIds(format.decode(records, { role, flags, callCount, resultCount }), columns, row), ...broken];
    return messageOf(columns, row, index, parts, spans);
  };

  return {
    readMessage: (row) => readOne(row, row),
    async readMessages(rows, onMessage, signal) {
      for (let i = 0; i < rows.length; i++) {
        throwIfCancelled(signal);
        await onMessage(await readOne(rows[i]!, i));
      }
    },
    async readRaw(row) {
      const texts: string[] = [];
      for (const span of spansOf(columns, row)) texts.push(decodeUtf8(await bytes.read(span)));
      return texts;
    },
  };
}

/** The value at a span; undefined where the source itself is broken there (formats that read parts take what they can). */
function parseRecord(text: string, file: string, span: Span): unknown {
  try {
    return parseSpan(text);
  } catch {
    if (/^\\?[{["]/.test(text)) return undefined;
    throw new ContextscopeError('corrupt', `Expected a JSON value at byte ${span.byteOffset} of ${file}, found something else: the source is not the one that was imported.`, { file, byteOffset: span.byteOffset });
  }
}

function spansOf(columns: MessageColumns, row: number): Span[] {
  const spans: Span[] = [];
  for (let i = columns.spanStart[row]!; i < columns.spanStart[row + 1]!; i++) {
    const line = columns.spanLine[i]!;
    spans.push({ byteOffset: columns.spanOffset[i]!, byteLength: columns.spanLength[i]!, ...(line > 0 ? { line } : {}) });
  }
  return spans;
}

/** Ids of calls and results are those of the columns: the importer gives ids where the source has none. */
function withIds(parts: readonly Part[], columns: MessageColumns, row: number): Part[] {
  let call = columns.callStart[row]!;
  let result = columns.resultStart[row]!;
  return parts.map((part) => {
    if (part.type === 'tool_call') return { ...part, id: columns.strings[columns.callIds[call++]!]! };
    if (part.type === 'tool_result') return { ...part, callId: columns.strings[columns.resultCallIds[result++]!]! };
    return part;
  });
}

function messageOf(columns: MessageColumns, row: number, index: number, parts: Part[], spans: Span[]): Message {
  const message: Message = { index, row, role: ROLES[columns.role[row]!]!, parts, flags: columns.flags[row]!, spans };
  const time = columns.timestampMs[row]!;
  if (!Number.isNaN(time)) message.timestampMs = time;
  if (columns.model[row]! > 0) message.model = columns.strings[columns.model[row]!]!;
  if (columns.callKey[row]! > 0) message.callId = columns.strings[columns.callKey[row]!]!;
  const usage = usageOf(columns, row);
  if (usage) message.usage = usage;
  return message;
}

/** Provider usage of a row; undefined where none is recorded. */
export function usageOf(columns: MessageColumns, row: number): Usage | undefined {
  const values = Array.from(columns.usage.subarray(row * 5, row * 5 + 5), (value) => (Number.isNaN(value) ? null : value));
  if (values.every((value) => value === null)) return undefined;
  const [input = null, cachedInput = null, cacheWrite = null, output = null, reasoning = null] = values;
  return { input, cachedInput, cacheWrite, output, reasoning };
}

/** Bytes of spans, read in windows so that rows in file order cost one read a megabyte. */
class SpanBytes {
  private content: Promise<Content> | null = null;
  private window: { from: number; bytes: Uint8Array } = { from: 0, bytes: new Uint8Array(0) };

  constructor(private readonly source: ByteSource) {}

  async read(span: Span): Promise<Uint8Array> {
    const from = span.byteOffset;
    const to = from + span.byteLength;
    let { window } = this;
    if (from < window.from || to > window.from + window.bytes.length) {
      const { source } = await this.open();
      window = { from, bytes: await source.read(from, Math.max(to, from + WINDOW_BYTES)) };
      this.window = window;
    }
    if (to > window.from + window.bytes.length) {
      throw new ContextscopeError('corrupt', `Bytes ${from} to ${to} are outside of ${this.source.name}: the source is not the one that was imported.`, { file: this.source.name, byteOffset: from });
    }
    return window.bytes.subarray(from - window.from, to - window.from);
  }

  private open(): Promise<Content> {
    this.content ??= openContent(this.source).catch((error: unknown) => {
      this.content = null;
      throw error;
    });
    return this.content;
  }
}
