import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import { AnthropicFold } from './anthropic-chunks';
import { appliedEdits } from './applied-edits';
import { anthropicUsage } from './claude-decode';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';

/**
 * Streams of the Anthropic Messages API (formats.md §11; anthropics/anthropic-sdk-python
 * src/anthropic/types/raw_message_stream_event.py) as server-sent events or JSON lines: what stands between
 * `message_start` and `message_stop` is one answer, a span an event. What was asked is not in a stream.
 *
 * countsReasoning: true, as for the Messages API.
 */
export const anthropicStream: Format = {
  id: 'anthropic-stream',
  title: 'Anthropic message stream',
  reads: 'whole',
  detect,
  open: (context) => new AnthropicStreamSession(context),
  decode: (records) => {
    const fold = new AnthropicFold();
    for (const record of records) fold.push(record);
    return fold.parts();
  },
};

const TYPES = new Set(['message_start', 'content_block_start', 'content_block_delta', 'content_block_stop', 'message_delta', 'message_stop', 'ping', 'error']);

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const isEvent = (object: JsonObject): boolean => TYPES.has(asString(object['type']) ?? '') && !('session_id' in object) && !('timestamp' in object);
  const isOwn = objects.some((object) => ('content_block' in object && 'index' in object) || ('delta' in object && 'index' in object) || (object['type'] === 'message_start' && asObject(object['message'])));
  return isOwn && share(objects, isEvent) > 0.6 ? 0.96 : 0;
}

class AnthropicStreamSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private fold = new AnthropicFold();
  /** The answer that is open; −1 = none. */
  private row = -1;
  private cut = 0;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const event = asObject(record.node.value());
    const type = asString(event?.['type']) ?? 'record without type';
    this.context.count(type);
    if (!event || !TYPES.has(type)) this.addStranger(record, type);
    else if (type === 'error') this.addError(record, event);
    else if (type !== 'ping') this.addToAnswer(record, type, event);
  }

  private addToAnswer({ node, line }: SourceRecord, type: string, event: JsonObject): void {
    const { columns } = this.draft;
    const message = asObject(event['message']);
    if (type === 'message_start' || this.row < 0) {
      if (this.row >= 0) this.cut++;
      this.row = columns.addRow({ role: 'assistant', model: asString(message?.['model']), callKey: asString(message?.['id']) });
      this.fold = new AnthropicFold();
    }
    columns.addSpan(this.row, spanOf(node, line));
    columns.addParts(this.row, this.pairing.assign(this.fold.push(event)));
    columns.mergeUsage(this.row, anthropicUsage(message?.['usage'] ?? event['usage']));
    for (const edit of appliedEdits(event['context_management'])) {
      this.draft.events.push({ kind: 'context-edit', ...edit, thread: MAIN_THREAD, afterRow: this.row, span: spanOf(node, line) });
    }
    if (type === 'message_stop') this.row = -1;
  }

  private addError({ node, line }: SourceRecord, event: JsonObject): void {
    if (this.row >= 0) this.draft.columns.addFlags(this.row, MessageFlag.failed);
    const error = asObject(event['error']);
    const label = firstLine([asString(error?.['type']), asString(error?.['message'])].filter(Boolean).join(': '), 160) || 'The stream failed.';
    this.draft.events.push({ kind: 'error', sourceKind: 'error', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label, span: spanOf(node, line) });
  }

  private addStranger({ node, line }: SourceRecord, type: string): void {
    this.context.unknown(type);
    this.draft.events.push({ kind: 'other', sourceKind: type, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: type, span: spanOf(node, line) });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    const cut = this.cut + (this.row >= 0 ? 1 : 0);
    const built = this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], true)]);
    return [cut === 0 ? built : { ...built, warnings: [...built.warnings, `${cut} of ${built.columns.n} answers have no message_stop: the stream was cut.`] }];
  }
}
