import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import { ChatFold } from './chat-chunks';
import { idText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { openaiUsage } from './openai-decode';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';

/**
 * Streams of OpenAI chat completions (formats.md §0.1.5, §10; openai/openai-python
 * src/openai/types/chat/chat_completion_chunk.py): `chat.completion.chunk` objects as server-sent events or JSON lines.
 * The chunks of one id are one answer, a span a chunk. What was asked is not in a stream.
 *
 * countsReasoning: false, as for chat completions.
 */
export const openaiChatStream: Format = {
  id: 'openai-chat-stream',
  title: 'OpenAI chat stream',
  reads: 'whole',
  detect,
  open: (context) => new ChatStreamSession(context),
  decode: (records) => {
    const fold = new ChatFold();
    for (const record of records) fold.push(record);
    return fold.parts();
  },
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  return share(sampledObjects(sample), isChunk) > 0.5 ? 0.96 : 0;
}

function isChunk(object: JsonObject): boolean {
  const choices = asArray(object['choices']);
  return choices !== undefined && (object['object'] === 'chat.completion.chunk' || 'delta' in (asObject(choices[0]) ?? {}));
}

class ChatStreamSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private readonly answers = new Map<string, { row: number; fold: ChatFold; ended: boolean }>();
  private last = '';
  private isMultiple = false;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    if (object && isChunk(object)) this.addChunk(record, object);
    else this.addOther(record, object);
  }

  private addChunk({ node, line }: SourceRecord, chunk: JsonObject): void {
    this.context.count('chunk');
    // Some servers write an id into the first chunk only.
    const id = idText(chunk['id']) || this.last;
    this.last = id;
    const { columns } = this.draft;
    let answer = this.answers.get(id);
    if (!answer) {
      answer = { row: columns.addRow({ role: 'assistant', timestampMs: timestampMs(chunk['created']), callKey: id || undefined }), fold: new ChatFold(), ended: false };
      this.answers.set(id, answer);
    }
    columns.addSpan(answer.row, spanOf(node, line));
    columns.addParts(answer.row, this.pairing.assign(answer.fold.push(chunk)));
    columns.mergeUsage(answer.row, openaiUsage(chunk['usage']));
    const model = asString(chunk['model']);
    if (model) columns.setModel(answer.row, model);
    for (const value of asArray(chunk['choices']) ?? []) {
      const choice = asObject(value);
      if ((asNumber(choice?.['index']) ?? 0) > 0) this.noteChoices();
      else if (asString(choice?.['finish_reason']) !== undefined) answer.ended = true;
    }
  }

  private noteChoices(): void {
    if (!this.isMultiple) this.draft.warnings.push('The stream has several choices; the first one is shown.');
    this.isMultiple = true;
  }

  /** `{error}` ends a stream that failed on its way. */
  private addOther({ node, line }: SourceRecord, object: JsonObject | undefined): void {
    const error = asObject(object?.['error']);
    this.context.count(error ? 'error' : 'other');
    if (!error) this.context.unknown('other');
    const answer = this.answers.get(this.last);
    if (error && answer) this.draft.columns.addFlags(answer.row, MessageFlag.failed);
    this.draft.events.push({
      kind: error ? 'error' : 'other', sourceKind: error ? 'error' : 'other', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1,
      label: firstLine(asString(error?.['message']) ?? 'Not a chunk of a chat completion', 160), span: spanOf(node, line),
    });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    const cut = [...this.answers.values()].filter(({ ended }) => !ended).length;
    const built = this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)]);
    return [cut === 0 ? built : { ...built, warnings: [...built.warnings, `${cut} of ${this.answers.size} answers end without a finish reason: the stream was cut.`] }];
  }
}
