import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Usage } from '../trace/model';
import { anthropicParts } from './claude-decode';
import { hasOwnText, otherPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { chatParts, chatRole, openaiUsage } from './openai-decode';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';

/**
 * One conversation with a chat message a line, as gptme (`conversation.jsonl`), Mistral Vibe (`messages.jsonl`) and many
 * scripts write it (kenn-io/agentsview internal/parser/gptme.go and vibe.go; gptme/gptme gptme/message.py). Blocks of the
 * Anthropic API are read too. A system message after the first answer is gptme's way to give back what a tool printed.
 *
 * countsReasoning: false, as for chat completions.
 */
export const chatLines: Format = {
  id: 'chat-lines',
  title: 'Chat messages, one a line',
  reads: 'whole',
  detect,
  open: (context) => new ChatLinesSession(context),
  decode: (records) => records.flatMap(lineParts),
};

/** Keys of lines that other tools write with a role. */
const FOREIGN_KEYS = ['type', 'uuid', 'message', 'messages', 'kind', 'parts', 'sessionId', 'source', 'conversations', 'delta', 'choices'];

function isLine(object: JsonObject): boolean {
  return chatRole(object['role']) !== null && ('content' in object || 'tool_calls' in object) && !FOREIGN_KEYS.some((key) => key in object);
}

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  if (share(objects, isLine) < 0.8) return 0;
  // One line alone may be a message of anything.
  return objects.length > 1 && objects.some((object) => object['role'] === 'assistant') ? 0.85 : 0.6;
}

function hasBlocks(content: unknown): boolean {
  return (asArray(content) ?? []).some((block) => /^(tool_use|tool_result|thinking|redacted_thinking)$/.test(asString(asObject(block)?.['type']) ?? ''));
}

function lineParts(record: unknown): Part[] {
  const message = asObject(record);
  if (!message || chatRole(message['role']) === null) return [otherPart('message', record)];
  return hasBlocks(message['content']) ? anthropicParts(message['content']) : chatParts(message);
}

/** gptme's own names; cached tokens stand apart. */
function lineUsage(message: JsonObject): Partial<Usage> {
  const own = asObject(asObject(message['metadata'])?.['usage']);
  if (!own) return openaiUsage(message['usage']);
  return { input: asNumber(own['input_tokens']), cachedInput: asNumber(own['cache_read_tokens']), cacheWrite: asNumber(own['cache_creation_tokens']), output: asNumber(own['output_tokens']) };
}

class ChatLinesSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private answered = false;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const message = asObject(node.value());
    const source = asString(message?.['role']) ?? 'record without role';
    this.context.count(source);
    const known = chatRole(source);
    if (!message || known === null) {
      this.context.unknown(source);
      this.draft.events.push({ kind: 'other', sourceKind: source, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: source, span: spanOf(node, line) });
      return;
    }
    const parts = this.pairing.assign(lineParts(message));
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const isEcho = known === 'system' && this.answered;
    const role: Role = isResult ? 'tool' : isEcho ? 'user' : known;
    const isInjected = message['injected'] === true || message['hide'] === true;
    const flags = role !== 'user' ? 0 : isEcho ? MessageFlag.harness : isInjected || !hasOwnText(parts) ? MessageFlag.meta : MessageFlag.instruction;
    const model = asString(message['model']) ?? asString(asObject(message['metadata'])?.['model']);
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(message['timestamp'] ?? message['created_at'] ?? message['ts']), model: role === 'assistant' ? model : undefined }, parts, node, line);
    if (role !== 'assistant') return;
    this.answered = true;
    this.draft.columns.mergeUsage(row, lineUsage(message));
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
