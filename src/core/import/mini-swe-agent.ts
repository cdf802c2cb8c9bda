import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, Role } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, timestampMs, toolCall } from './content-parts';
import { ConversationSession, sampledRuns } from './conversation-session';
import type { ConversationRun } from './conversation-session';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, RowFacts, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { chatParts, chatRole, openaiUsage } from './openai-decode';
import { valueOf } from './run-list';

/**
 * mini-swe-agent: bare message list (v0), `{messages, info}` and trajectory_format 1 and 1.1, and JSONL of them
 * (formats.md §6). In text mode the one fenced block of an answer is its call, and the next user turn with a
 * `<returncode>` its result; ids are `fenced-N` by position.
 *
 * countsReasoning: false. Reasoning is not part of the chat messages that go back.
 */
export const miniSweAgent: Format = {
  id: 'mini-swe-agent',
  title: 'mini-swe-agent trajectory',
  reads: 'parts',
  detect,
  open: (context) => new ConversationSession(context, (node, line) => new MiniRun(context, node, line)),
  decode: (records, facts) => records.flatMap((record) => messageParts(record, facts)),
};

const FENCE = /```(?:bash|mswea_bash_command)[ \t]*\n([^]*?)\n?```/g;
const RETURN_CODE = /<returncode>(-?\d+)<\/returncode>/;

function detect(sample: Sample): number {
  if (sample.records.length === 0) return 0;
  const scores = sample.records.flatMap((record) => sampledRuns(record) ?? [record]).map((record) => {
    if (Array.isArray(record)) return listScore(record);
    const object = asObject(record);
    if (asString(object?.['trajectory_format'])?.startsWith('mini-swe-agent')) return 0.99;
    const info = asObject(object?.['info']);
    if (!info || !Array.isArray(object?.['messages'])) return 0;
    return 'mini_version' in info ? 0.97 : 'exit_status' in info && 'model_stats' in info ? 0.9 : 0;
  });
  return Math.min(...scores);
}

/** The oldest files are plain message lists: told by the agent's own marks in them. */
function listScore(list: readonly unknown[]): number {
  const messages = list.map(asObject);
  if (!messages.every((message) => message && chatRole(message['role']) !== null)) return 0;
  const said = (role: string): string[] => messages.filter((message) => message!['role'] === role).map((message) => plainText(message!['content']));
  const calls = said('assistant').filter((text) => fencedBlock(text) !== null).length;
  const results = said('user').filter((text) => RETURN_CODE.test(text)).length;
  return calls > 0 && results > 0 ? 0.96 : calls > 0 && said('system').some((text) => text.includes('mswea_bash_command') || text.includes('COMPLETE_TASK_AND_SUBMIT')) ? 0.9 : 0;
}

function plainText(content: unknown): string {
  return contentParts(content).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

/** The command of the one fenced block; null where there is none or more than one. */
function fencedBlock(text: string): string | null {
  const blocks = [...text.matchAll(FENCE)];
  return blocks.length === 1 ? blocks[0]![1]! : null;
}

function messageParts(record: unknown, facts: Pick<RowFacts, 'role'>): Part[] {
  const message = asObject(record);
  if (!message) return [otherPart('message', record)];
  if (message['role'] === undefined) return responseParts(message);
  if (facts.role === 'assistant') {
    const parts = chatParts({ ...message, role: 'assistant' });
    if (parts.some((part) => part.type === 'tool_call')) return parts;
    const command = fencedBlock(plainText(message['content']));
    return command === null ? parts : [...parts, { ...toolCall('', 'bash', command), fenced: true }];
  }
  if (facts.role !== 'tool') return contentParts(message['content']);
  return resultParts(message);
}

function resultParts(message: JsonObject): Part[] {
  const isNative = message['role'] === 'tool';
  const code = isNative ? asNumber(asObject(message['extra'])?.['returncode']) : Number(RETURN_CODE.exec(plainText(message['content']))?.[1] ?? NaN);
  const exit = code === undefined || Number.isNaN(code) ? {} : { exitCode: code, ...(code === 0 ? {} : { isError: true }) };
  return [{ type: 'tool_result', callId: isNative ? idText(message['tool_call_id']) : '', content: contentParts(message['content']), ...exit }];
}

/** Items of the Responses API, which v2 stores as they came. */
function responseParts(item: JsonObject): Part[] {
  if (item['type'] === 'function_call_output') return [{ type: 'tool_result', callId: idText(item['call_id']), content: contentParts(item['output']) }];
  const items = asArray(item['output']) ?? [item];
  return items.flatMap((value): Part[] => {
    const object = asObject(value);
    const type = asString(object?.['type']);
    if (!object) return [otherPart('item', value)];
    if (type === 'message') return contentParts(object['content']);
    if (type === 'function_call') return [toolCall(object['call_id'], object['name'], object['arguments'])];
    if (type === 'reasoning') return (asArray(object['summary']) ?? []).map((part) => reasoningPart(asObject(part)?.['text']));
    return [otherPart(type ?? 'item', value)];
  });
}

class MiniRun implements ConversationRun {
  private readonly draft = new DraftWriter();
  private info: JsonObject = {};
  private instance: string | undefined;
  /** Id of the fenced call that waits for its result. */
  private waiting: string | null = null;
  private fenced = 0;
  private answered = false;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const info = fields.get('info');
    this.info = asObject(valueOf(info)) ?? {};
    this.instance = asString(valueOf(fields.get('instance_id')));
    for (const element of (node.kind === 'array' ? node : fields.get('messages'))?.elements() ?? []) this.addMessage(element);
  }

  get units(): ConversationRun['units'] { return { kind: 'message', count: this.draft.columns.rowCount }; }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const message = asObject(value) ?? {};
    const source = asString(message['role']) ?? (message['type'] === 'function_call_output' ? 'tool' : 'assistant');
    const isFencedResult = source === 'user' && this.waiting !== null && RETURN_CODE.test(plainText(message['content']));
    const role: Role = isFencedResult ? 'tool' : chatRole(source) ?? 'user';
    if (chatRole(source) === null && source !== 'exit') this.context.unknown(`role ${source}`);
    let flags = 0;
    if (role === 'user') flags = source === 'exit' ? MessageFlag.harness | MessageFlag.meta : this.answered || source !== 'user' ? MessageFlag.harness : MessageFlag.instruction;
    const parts = this.withIds(messageParts(message, { role }));
    const extra = asObject(message['extra']);
    const response = asObject(extra?.['response']) ?? (message['object'] === 'response' ? message : undefined);
    const row = this.draft.addMessage(
      { role, flags, timestampMs: timestampMs(extra?.['timestamp'] ?? message['timestamp']), model: asString(response?.['model']), callKey: role === 'assistant' ? asString(response?.['id']) : undefined },
      parts, node, this.line,
    );
    if (role === 'assistant') {
      this.answered = true;
      this.draft.columns.mergeUsage(row, openaiUsage(response?.['usage']));
    } else this.waiting = null;
  }

  private withIds(parts: Part[]): Part[] {
    return parts.map((part) => {
      if (part.type === 'tool_call' && part.id === '') {
        const id = `fenced-${++this.fenced}`;
        if (part.fenced) this.waiting = id;
        return { ...part, id };
      }
      return part.type === 'tool_result' && part.callId === '' ? { ...part, callId: this.waiting ?? '' } : part;
    });
  }

  build(fallbackName: string): TrajectoryDraft {
    const model = asObject(asObject(this.info['config'])?.['model']);
    const header = { name: this.instance || fallbackName, model: asString(model?.['model_name']), outcome: this.outcome() };
    return this.draft.build(header, (columns) => [linearThread(columns.n, [], false)]);
  }

  private outcome(): Outcome | undefined {
    const label = asString(this.info['exit_status']);
    return label ? { label } : undefined;
  }
}
