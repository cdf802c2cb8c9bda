import { asArray, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role, ToolSchema } from '../trace/model';
import { contentParts, idText, otherPart, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { chatParts, chatRole } from './openai-decode';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * ShareGPT rows, Hermes function calling and Harbor trace rows (formats.md §17): an array or JSONL of `{conversations}`
 * with `from`/`value` or `role`/`content` turns. No ids: an observation answers the call turn directly before it.
 *
 * countsReasoning: false. Thinking stays in the text, where it was written.
 */
export const sharegpt: Format = {
  id: 'sharegpt',
  title: 'ShareGPT / Hermes / Harbor rows',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new ShareRun(context, node, line), elementsOrSelf),
  decode: (records) => records.flatMap(turnParts),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const scores = objects.map((object) => {
    const turns = asArray(object?.['conversations']) ?? asArray(object?.['conversation']);
    const first = asObject(turns?.[0]);
    if (!turns || (turns.length > 0 && !first)) return 0;
    if (!first) return 0.5;
    if (typeof first['from'] === 'string' && 'value' in first) return 0.95;
    return chatRole(first['role']) !== null && 'content' in first && Array.isArray(object?.['conversations']) ? ('episode' in object || 'agent' in object ? 0.95 : 0.8) : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

const ROLE_OF: Readonly<Record<string, Role>> = {
  system: 'system', human: 'user', user: 'user', gpt: 'assistant', assistant: 'assistant', chatgpt: 'assistant', bing: 'assistant', model: 'assistant', function_call: 'assistant', tool_call: 'assistant',
  observation: 'tool', tool: 'tool', function_response: 'tool', tool_response: 'tool', function: 'tool',
};

function turnParts(record: unknown): Part[] {
  // The system text beside the turns.
  if (typeof record === 'string') return contentParts(record);
  const turn = asObject(record);
  if (!turn) return [otherPart('turn', record)];
  if (turn['from'] === undefined) return roleParts(turn);
  const from = asString(turn['from']) ?? '';
  const role = Object.hasOwn(ROLE_OF, from) ? ROLE_OF[from] : 'user';
  const text = asString(turn['value']);
  if (from === 'function_call' || from === 'tool_call') return callParts(turn['value']);
  if (text === undefined) return contentParts(turn['value']);
  return role === 'tool' ? responseParts(text) : role === 'assistant' ? [...contentParts(text), ...taggedCalls(text)] : contentParts(text);
}

/** Chat turns; where the text alone holds the calls, they are read out of it. */
function roleParts(turn: JsonObject): Part[] {
  const parts = chatRole(turn['role']) === null ? contentParts(turn['content']) : chatParts(turn);
  const content = asString(turn['content']);
  const hasCalls = parts.some((part) => part.type === 'tool_call');
  if (turn['role'] === 'assistant' && !hasCalls && content !== undefined) return [...parts, ...taggedCalls(content)];
  return turn['role'] === 'tool' && turn['tool_call_id'] === undefined && content !== undefined ? responseParts(content) : parts;
}

/** `{name, arguments}`, a list of them, or either as JSON text; text that is none of these is kept as it is. */
function callParts(value: unknown): Part[] {
  let parsed = value;
  for (let depth = 0; depth < 2; depth++) {
    if (typeof parsed !== 'string') break;
    try {
      parsed = parseJson(parsed);
    } catch {
      return [looseCall(String(parsed))];
    }
  }
  return (asArray(parsed) ?? [parsed]).map((entry) => {
    const call = asObject(entry);
    return call && 'name' in call ? toolCall('', call['name'], call['arguments'] ?? call['parameters']) : looseCall(typeof entry === 'string' ? entry : String(value));
  });
}

/** A call with Python quoting: the name is found, the text stays the arguments. */
function looseCall(text: string): Part {
  return toolCall('', /["']name["']\s*:\s*["']([^"']+)/.exec(text)?.[1] ?? '', text);
}

const CALL_TAG = /<tool_call>\s*([^]*?)\s*<\/tool_call>/g;
const RESPONSE_TAG = /<tool_response>\s*([^]*?)\s*<\/tool_response>/g;

function taggedCalls(text: string): Part[] {
  return [...text.matchAll(CALL_TAG)].flatMap((match) => callParts(match[1])).map((part) => (part.type === 'tool_call' ? { ...part, fenced: true } : part));
}

/** One result a `<tool_response>`; text outside of all tags makes the whole turn one result. */
function responseParts(text: string): Part[] {
  const inner = [...text.matchAll(RESPONSE_TAG)].map((match) => match[1]!);
  const isAll = inner.length > 0 && text.replace(RESPONSE_TAG, '').trim() === '';
  return (isAll ? inner : [text]).map((content): Part => ({ type: 'tool_result', callId: '', content: contentParts(content) }));
}

class ShareRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly tools: ToolSchema[];
  private readonly name: string | undefined;
  private readonly model: string | undefined;
  private calls = 0;
  private open: string[] = [];
  private answered = false;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const text = (key: string): string | undefined => asString(valueOf(fields.get(key)));
    this.model = text('model');
    // Harbor writes a row a model call, each with the whole conversation so far.
    const isHarbor = fields.has('agent') || fields.has('episode');
    this.name = isHarbor ? [text('task'), text('trial_name'), text('episode')].filter(Boolean).join(' ') : idText(valueOf(fields.get('id'))) || undefined;
    this.tools = toolSchemas(valueOf(fields.get('tools')));
    const system = fields.get('system');
    if (system && text('system')) this.draft.addMessage({ role: 'system' }, contentParts(text('system')), system, line);
    const turns = (fields.get('conversations') ?? fields.get('conversation'))?.elements() ?? [];
    for (const turn of turns) this.addTurn(turn, isHarbor);
    context.count('row');
  }

  private addTurn(node: JsonNode, isHarbor: boolean): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable turn');
      return;
    }
    const turn = asObject(value);
    const source = asString(turn?.['from']) ?? asString(turn?.['role']) ?? '';
    const known = Object.hasOwn(ROLE_OF, source) ? ROLE_OF[source]! : undefined;
    if (!known) this.context.unknown(`role ${source || 'missing'}`);
    const role = known ?? 'user';
    if (role === 'system' && this.tools.length === 0) this.tools.push(...taggedTools(asString(turn?.['value']) ?? asString(turn?.['content']) ?? ''));
    if (role === 'user') this.open = [];
    const parts = turnParts(value).map((part) => this.withId(part));
    const flags = role !== 'user' ? 0 : isHarbor && this.answered ? MessageFlag.harness : MessageFlag.instruction;
    this.draft.addMessage({ role, flags, model: role === 'assistant' ? this.model : undefined }, parts, node, this.line);
    if (role !== 'assistant') return;
    this.answered = true;
    this.open = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
  }

  private withId(part: Part): Part {
    if (part.type === 'tool_call') return part.id === '' ? { ...part, id: `call-${++this.calls}` } : part;
    return part.type === 'tool_result' && part.callId === '' ? { ...part, callId: this.open.shift() ?? '' } : part;
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.name || fallbackName, model: this.model }, (columns) => [linearThread(columns.n, this.tools, false)]);
  }
}

/** Hermes lists its tools in the system text. */
function taggedTools(text: string): ToolSchema[] {
  const inner = /<tools>\s*([^]*?)\s*<\/tools>/.exec(text)?.[1];
  return inner === undefined ? [] : toolSchemas(inner.startsWith('[') ? inner : `[${inner.split('\n').filter((line) => line.trim() !== '').join(',')}]`);
}
