import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part } from '../trace/model';
import { anthropicParts, anthropicUsage } from './claude-decode';
import { claudeEvent, claudeTitle } from './claude-records';
import { hasOwnText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';
import { typedRecord } from './typed-record';

/**
 * iFlow CLI (formats.md §1): Claude Code's lines, but every streamed line has a message id of its own and repeats the
 * calls of the line before, and the parents of answers all name the prompt. So lines stand in file order, answers
 * without a result or a prompt between them are one row, and a call counts once by its id. The spans of an answer are
 * its content blocks, without the repeated ones.
 *
 * countsReasoning: true, as for Claude Code.
 */
export const iflowCli: Format = {
  id: 'iflow-cli',
  title: 'iFlow CLI session',
  reads: 'whole',
  detect,
  open: (context) => new IflowSession(context),
  decode: (records) => records.flatMap(recordParts),
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const found = share(objects, (object) => 'uuid' in object && asString(object['sessionId'])?.startsWith('session-') === true && 'content' in (asObject(object['message']) ?? {}));
  return found > 0.3 ? 0.95 : 0;
}

/** A line, or a content block (a string is one too). */
function recordParts(record: unknown): Part[] {
  const object = asObject(record);
  return object && 'message' in object ? anthropicParts(asObject(object['message'])?.['content']) : anthropicParts(object ? [object] : record);
}

class IflowSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly seenCalls = new Set<string>();
  private answer = -1;
  private lines = 0;
  private calls = 0;
  private title = '';

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const message = asObject(object['message']);
    if (message && (type === 'user' || type === 'assistant')) {
      this.lines++;
      this.calls += (asArray(message['content']) ?? []).filter((block) => asObject(block)?.['type'] === 'tool_use').length;
      if (type === 'assistant') this.addAnswer(record, object, message);
      else this.addUser(record, object);
    } else this.addOther(record, type, object);
  }

  private addUser({ node, line }: SourceRecord, object: JsonObject): void {
    this.answer = -1;
    const parts = recordParts(object);
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    let flags = object['isMeta'] === true ? MessageFlag.meta : 0;
    if (object['isSidechain'] === true) flags |= MessageFlag.sidechain;
    if (object['isCompactSummary'] === true) flags |= MessageFlag.compactSummary;
    if (!isResult && flags === 0 && hasOwnText(parts)) flags = MessageFlag.instruction;
    this.draft.addMessage({ role: isResult ? 'tool' : 'user', flags, timestampMs: timestampMs(object['timestamp']) }, parts, node, line);
  }

  private addAnswer({ node, line }: SourceRecord, object: JsonObject, message: JsonObject): void {
    const { columns } = this.draft;
    const content = node.field('message')?.field('content');
    const blocks = (content?.kind === 'array' ? content.elements() : content ? [content] : []).map((block) => ({ block, parts: recordParts(block.value()) }));
    const own = blocks.filter(({ parts }) => !parts.some((part) => part.type === 'tool_call' && part.id !== '' && this.seenCalls.size === this.seenCalls.add(part.id).size));
    // Nothing but calls that were made before: no answer of its own.
    if (this.answer < 0 && own.length === 0) return;
    if (this.answer < 0) {
      const flags = object['isSidechain'] === true ? MessageFlag.sidechain : 0;
      this.answer = columns.addRow({ role: 'assistant', flags, timestampMs: timestampMs(object['timestamp']), model: asString(message['model']), callKey: asString(message['id']) });
    }
    for (const { block, parts } of own) {
      columns.addSpan(this.answer, spanOf(block, line));
      columns.addParts(this.answer, parts);
    }
    const usage = anthropicUsage(message['usage']);
    // Usage is written as zeros when nothing was counted.
    if (Object.values(usage).some((value) => value > 0)) columns.mergeUsage(this.answer, usage);
  }

  private addOther({ node, line }: SourceRecord, type: string, object: JsonObject): void {
    this.title = claudeTitle(type, object)?.text ?? this.title;
    const facts = claudeEvent(type, object);
    if (facts) this.draft.events.push({ ...facts, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: timestampMs(object['timestamp']), span: spanOf(node, line) });
    else if (type !== 'system') this.context.unknown(type);
  }

  /** Lines and repeated calls count as they are written. */
  counts(): Partial<FileCounts> { return { messages: this.lines, toolCalls: this.calls }; }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    return [this.draft.build({ name: this.title || this.context.baseName }, (columns) => [linearThread(columns.n, [], true)])];
  }
}
