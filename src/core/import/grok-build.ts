import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role } from '../trace/model';
import { contentParts, hasOwnText, idText, imageFromUrl, otherPart, reasoningPart, textPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';
import { typedRecord } from './typed-record';

/**
 * Grok Build `chat_history.jsonl` (formats.md §18). Reasoning and hosted calls stand on lines before the answer they
 * belong to and become parts of it.
 *
 * countsReasoning: true. Reasoning items go back encrypted.
 */
export const grokBuild: Format = {
  id: 'grok-build',
  title: 'Grok Build chat history',
  reads: 'whole',
  detect,
  open: (context) => new GrokSession(context),
  decode: (records) => records.flatMap(lineParts),
};

const ROLE_OF: Readonly<Record<string, Role>> = { system: 'system', user: 'user', assistant: 'assistant', tool_result: 'tool' };
const BEFORE_ANSWER = new Set(['reasoning', 'backend_tool_call']);
/** Other formats have lines of such types too (formats.md §0.2): these keys are Grok's own. */
const OWN_KEYS = ['model_id', 'model_fingerprint', 'prompt_index', 'synthetic_reason'];

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const fitting = share(objects, (object) => {
    const type = asString(object['type']) ?? '';
    return ((type in ROLE_OF && 'content' in object) || BEFORE_ANSWER.has(type)) && !('uuid' in object) && !('message' in object) && !('sessionId' in object) && !('role' in object);
  });
  if (fitting < 0.8) return 0;
  return objects.some((object) => OWN_KEYS.some((key) => key in object) || object['type'] === 'backend_tool_call') ? 0.93 : objects.some((object) => object['type'] === 'tool_result' && 'tool_call_id' in object) ? 0.8 : 0;
}

function lineParts(record: unknown): Part[] {
  const object = asObject(record) ?? {};
  switch (object['type']) {
    case 'reasoning': {
      const texts = (asArray(object['summary']) ?? []).flatMap((part) => asString(asObject(part)?.['text']) ?? []);
      return texts.length === 0 ? [reasoningPart('', true)] : texts.map((text) => reasoningPart(text));
    }
    case 'backend_tool_call': return [otherPart('backend_tool_call', object['kind'])];
    case 'tool_result': return [{ type: 'tool_result', callId: idText(object['tool_call_id']), content: contentParts(object['content']), ...(object['is_error'] === true ? { isError: true } : {}) }];
    case 'assistant': {
      const text = object['content'] === '' ? [] : blocks(object['content']);
      return [...text, ...(asArray(object['tool_calls']) ?? []).map((call) => toolCall(asObject(call)?.['id'], asObject(call)?.['name'], asObject(call)?.['arguments']))];
    }
    default: return blocks(object['content']);
  }
}

function blocks(content: unknown): Part[] {
  if (typeof content === 'string') return [textPart(content)];
  return (asArray(content) ?? []).map((value) => {
    const block = asObject(value);
    const url = asString(block?.['url']);
    return block?.['type'] === 'image' && url !== undefined ? imageFromUrl(url, 'image') : contentParts([value])[0]!;
  });
}

class GrokSession implements FormatSession {
  private readonly draft = new DraftWriter();
  /** The answer whose reasoning has begun; −1 = none. */
  private answer = -1;
  private messages = 0;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const role = ROLE_OF[type];
    if (BEFORE_ANSWER.has(type)) this.addToAnswer(record, object);
    else if (role) this.addMessage(record, object, role);
    else {
      this.context.unknown(type);
      this.draft.events.push({ kind: 'other', sourceKind: type, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: type, span: spanOf(record.node, record.line) });
    }
  }

  private addMessage(record: SourceRecord, object: JsonObject, role: Role): void {
    if (role !== 'tool') this.messages++;
    const interrupted = asString(object['prior_turn_interrupt']);
    if (interrupted !== undefined) this.draft.events.push({ kind: 'interruption', sourceKind: 'prior_turn_interrupt', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: interrupted.replaceAll('_', ' '), span: spanOf(record.node, record.line) });
    if (role === 'assistant') {
      this.addToAnswer(record, object);
      const model = asString(object['model_id']);
      if (model !== undefined) this.draft.columns.setModel(this.answer, model);
    } else {
      // Reasoning whose answer was never written is an answer cut short.
      if (this.answer >= 0) this.draft.columns.addFlags(this.answer, MessageFlag.failed);
      const parts = lineParts(object);
      this.draft.addMessage({ role, flags: role !== 'user' ? 0 : 'synthetic_reason' in object || !hasOwnText(parts) ? MessageFlag.meta : MessageFlag.instruction }, parts, record.node, record.line);
    }
    this.answer = -1;
  }

  private addToAnswer({ node, line }: SourceRecord, object: JsonObject): void {
    const { columns } = this.draft;
    if (this.answer < 0) this.answer = columns.addRow({ role: 'assistant' });
    columns.addSpan(this.answer, spanOf(node, line));
    columns.addParts(this.answer, lineParts(object));
  }

  counts(): Partial<FileCounts> { return { messages: this.messages }; }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], true)])];
  }
}
