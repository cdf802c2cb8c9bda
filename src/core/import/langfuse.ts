import { asArray, asObject, asString, parseJson, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, ToolSchema, Usage } from '../trace/model';
import { contentParts, hasOwnText, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate, openAny } from './embedded-json';
import type { Located } from './embedded-json';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { bucketUsage, firstNumber, observedParts, observedRole, result } from './observed-message';
import { PromptHistory } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * Langfuse traces (formats.md §13): `{trace, observations}`, an API page `{data}`, a list or JSONL of observations; one
 * trajectory a trace. Generations repeat their prompt, which is put together again; a generation around other generations
 * is left out. `input` and `output` may be JSON inside a string. Tool observations fill in what the messages lack.
 *
 * countsReasoning: false. The recorded prompts say what went back.
 */
export const langfuse: Format = {
  id: 'langfuse',
  title: 'Langfuse trace',
  reads: 'parts',
  detect,
  open: (context) => new LangfuseSession(context),
  decode: (records, facts) => records.flatMap((record) => recordParts(record, facts.role)),
};

const TYPES = new Set(['GENERATION', 'SPAN', 'EVENT', 'TOOL', 'AGENT', 'CHAIN', 'RETRIEVER', 'EMBEDDING', 'EVALUATOR', 'GUARDRAIL']);

function isObservation(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && TYPES.has(asString(object['type']) ?? '') && typeof object['traceId'] === 'string' && 'startTime' in object;
}

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    const list = asArray(record) ?? asArray(object?.['observations']) ?? asArray(asObject(object?.['trace'])?.['observations']) ?? asArray(object?.['data']);
    if (list) return list.length > 0 && list.every(isObservation) ? 0.96 : 0;
    return isObservation(object) ? 0.95 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function recordParts(record: unknown, role: Role): Part[] {
  if (!isObservation(record)) return role === 'assistant' && typeof record === 'string' ? contentParts(record) : observedParts(record);
  const observation = record as JsonObject;
  if (observation['type'] === 'GENERATION') return [];
  const { id, name, args } = toolFacts(observation);
  return role === 'tool' ? [{ ...result(id, name, plain(observation['output'])), ...(observation['level'] === 'ERROR' ? { isError: true } : {}) }] : [toolCall(id, name, args)];
}

/** The Vercel AI SDK keeps call id, name and arguments as attributes. */
function toolFacts(observation: JsonObject): { id: string; name: string; args: unknown } {
  const attributes = asObject(asObject(plain(observation['metadata']))?.['attributes']);
  return {
    id: asString(attributes?.['ai.toolCall.id']) ?? '',
    name: asString(attributes?.['ai.toolCall.name']) ?? asString(observation['name']) ?? '',
    args: asString(attributes?.['ai.toolCall.args']) ?? observation['input'] ?? '',
  };
}

/** A value, or the JSON that a string holds. */
function plain(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return parseJson(value);
  } catch {
    return value;
  }
}

interface Observation { id: string; parent: string | undefined; type: string; time: number; end: number; at: Located; fields: ReadonlyMap<string, JsonNode>; order: number }

class LangfuseSession implements FormatSession {
  private readonly traces = new Map<string, Observation[]>();
  private readonly info = new Map<string, JsonObject>();
  private readonly ids = new Set<string>();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    if (node.kind === 'array') {
      for (const element of node.elements()) this.addObservation(element, line);
      return;
    }
    const fields = node.fields();
    const trace = fields.get('trace') ?? (fields.has('observations') ? node : undefined);
    const list = fields.get('observations') ?? trace?.field('observations') ?? fields.get('data');
    if (trace) this.addTrace(trace);
    if (list) for (const element of list.elements()) this.addObservation(element, line);
    else this.addObservation(node, line);
  }

  private addTrace(node: JsonNode): void {
    const fields = node.fields();
    const id = asString(valueOf(fields.get('id')));
    if (id !== undefined) this.info.set(id, { name: valueOf(fields.get('name')), timestamp: valueOf(fields.get('timestamp')), scores: valueOf(fields.get('scores')) });
  }

  private addObservation(node: JsonNode, line: number): void {
    if (valueOf(node) === undefined) {
      this.context.count('unreadable observation');
      this.context.unknown('unreadable observation');
      return;
    }
    const fields = node.fields();
    const text = (name: string): string | undefined => asString(valueOf(fields.get(name)));
    const id = text('id') ?? '';
    // The download holds every observation twice.
    if (id !== '' && this.ids.has(id)) return;
    this.ids.add(id);
    const type = text('type') ?? 'unknown';
    this.context.count(type);
    if (!TYPES.has(type)) this.context.unknown(type);
    const trace = text('traceId') ?? '';
    const list = this.traces.get(trace) ?? [];
    this.traces.set(trace, list);
    const time = timestampMs(text('startTime')) ?? 0;
    list.push({ id, parent: text('parentObservationId'), type, time, end: timestampMs(text('endTime')) ?? time, at: locate(node, line), fields, order: list.length });
  }

  counts(): FileCounts {
    const all = [...this.traces.values()].flat();
    const tools = all.filter(({ type }) => type === 'TOOL');
    const answered = tools.filter(({ fields }) => hasValue(fields.get('output')));
    return { messages: all.filter(({ type }) => type === 'GENERATION').length, toolCalls: tools.length, toolResults: answered.length, matchedPairs: answered.length };
  }

  build(): TrajectoryDraft[] {
    const many = this.traces.size > 1;
    return [...this.traces].map(([trace, list], i) => {
      const info = this.info.get(trace);
      const fallback = many ? `${this.context.baseName} #${i + 1}` : this.context.baseName;
      return buildTrace(list, asString(info?.['name']) || fallback, info);
    });
  }
}

function hasValue(node: JsonNode | undefined): boolean {
  const value = valueOf(node);
  return value !== undefined && value !== null;
}

function buildTrace(list: readonly Observation[], name: string, info: JsonObject | undefined): TrajectoryDraft {
  const draft = new DraftWriter();
  const history = new PromptHistory(draft);
  const byId = new Map(list.map((observation) => [observation.id, observation]));
  const outer = new Set(list.filter(({ type }) => type === 'GENERATION').map(({ parent }) => parent));
  // A generation around generations repeats what they say.
  for (const id of [...outer]) {
    const seen = new Set<string>();
    for (let up = id; up !== undefined && byId.has(up) && !seen.has(up); up = byId.get(up)!.parent) {
      seen.add(up);
      outer.add(up);
    }
  }
  for (const observation of [...list].sort((a, b) => a.time - b.time || a.order - b.order)) {
    if (observation.type === 'GENERATION' && !outer.has(observation.id)) addGeneration(history, observation, lastOutput(observation, list, byId));
    else if (observation.type === 'TOOL') addTool(history, observation);
    const level = asString(valueOf(observation.fields.get('level')));
    if (level === 'ERROR') {
      const label = asString(valueOf(observation.fields.get('statusMessage'))) ?? `${asString(valueOf(observation.fields.get('name'))) ?? observation.type} failed.`;
      draft.events.push({ kind: 'error', sourceKind: observation.type, thread: MAIN_THREAD, afterRow: draft.columns.rowCount - 1, label: firstLine(label, 160), timestampMs: observation.time, span: observation.at.span(observation.at.node) });
    }
  }
  history.finish();
  for (const score of asArray(info?.['scores']) ?? []) {
    const object = asObject(score);
    draft.events.push({ kind: 'other', sourceKind: 'score', thread: MAIN_THREAD, afterRow: draft.columns.rowCount - 1, label: firstLine(`${asString(object?.['name']) ?? 'score'}: ${stringifyJson(object?.['stringValue'] ?? object?.['value'])}`, 160) });
  }
  const threads = history.threads();
  return draft.build({ name, createdMs: timestampMs(info?.['timestamp']) }, () => (threads.length > 0 ? threads : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }]));
}

/** The last call inside a generation may have no output of its own; the one around it has. */
function lastOutput(observation: Observation, list: readonly Observation[], byId: ReadonlyMap<string, Observation>): JsonNode | undefined {
  if (hasValue(observation.fields.get('output'))) return observation.fields.get('output');
  const parent = observation.parent === undefined ? undefined : byId.get(observation.parent);
  const isLast = list.every((other) => other.parent !== observation.parent || other.type !== 'GENERATION' || other.time <= observation.time);
  return parent?.type === 'GENERATION' && isLast ? parent.fields.get('output') : undefined;
}

function addGeneration(history: PromptHistory, { fields, at, time, end, id }: Observation, output: JsonNode | undefined): void {
  const request = openAny(at, fields.get('input'));
  const inputs = request ? requestMessages(request) : hasValue(fields.get('input')) ? [message(at, fields.get('input')!, 'user')] : [];
  const metadata = asObject(plain(valueOf(fields.get('metadata'))));
  const outputs = hasValue(output) ? answerMessages(at, output!) : [{ role: 'assistant' as const, parts: [], spans: [at.span(at.node)], flags: 0 }];
  history.addCall({
    inputs, outputs, timestampMs: time, endMs: end, callKey: id, usage: langfuseUsage(fields), model: asString(valueOf(fields.get('model'))),
    agent: asString(valueOf(fields.get('name'))), span: at.span(at.node), tools: listedTools(request?.node.field('tools') ? valueOf(request.node.field('tools')) : metadata?.['tools']),
  });
}

/** `[messages]`, or `{system, prompt | messages}`. */
function requestMessages(request: Located): PromptMessage[] {
  const { node } = request;
  if (node.kind === 'array') return node.elements().map((element) => message(request, element, 'user'));
  const fields = node.fields();
  const system = fields.get('system');
  const inner = openAny(request, fields.get('messages')) ?? openAny(request, fields.get('prompt'));
  const prompt = fields.get('prompt');
  const rest = inner ? requestMessages(inner) : prompt ? [message(request, prompt, 'user')] : fields.has('role') ? [message(request, node, 'user')] : [];
  const isKnown = system !== undefined || rest.length > 0;
  return isKnown ? [...(system?.kind === 'string' ? [message(request, system, 'system')] : []), ...rest] : [message(request, node, 'user')];
}

function answerMessages(at: Located, output: JsonNode): PromptMessage[] {
  const opened = openAny(at, output);
  if (!opened) return [message(at, output, 'assistant')];
  const choice = opened.node.field('choices')?.elements(1)[0]?.field('message');
  if (choice) return [message(opened, choice, 'assistant')];
  if (opened.node.kind !== 'array') return [message(opened, opened.node, 'assistant')];
  return opened.node.elements().map((element) => message(opened, element, 'assistant'));
}

function message(at: Located, node: JsonNode, fallback: Role): PromptMessage {
  const value = valueOf(node);
  const role = observedRole(value, fallback);
  const parts = recordParts(value, role);
  return { role, parts, spans: [at.span(node)], flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0 };
}

function addTool(history: PromptHistory, { fields, at, time }: Observation): void {
  const observation = asObject(valueOf(at.node));
  if (!observation) return;
  const { id, name } = toolFacts(observation);
  const spans = [at.span(at.node)];
  history.addTool({ id, name, timestampMs: time, call: { parts: recordParts(observation, 'assistant'), spans }, result: hasValue(fields.get('output')) ? { parts: recordParts(observation, 'tool'), spans } : null });
}

/** Tools as objects, or each as a JSON string. */
function listedTools(value: unknown): ToolSchema[] {
  return toolSchemas((asArray(value) ?? []).map(plain));
}

function langfuseUsage(fields: ReadonlyMap<string, JsonNode>): Partial<Usage> {
  const details = asObject(valueOf(fields.get('usageDetails')));
  const usage = details && Object.keys(details).length > 0 ? details : asObject(valueOf(fields.get('usage')));
  return bucketUsage({
    input: firstNumber(usage, 'input', 'input_tokens', 'prompt_tokens'), output: firstNumber(usage, 'output', 'output_tokens', 'completion_tokens'), total: firstNumber(usage, 'total', 'total_tokens'),
    read: firstNumber(usage, 'input_cached_tokens', 'cache_read_input_tokens', 'input_cache_read'), write: firstNumber(usage, 'cache_creation_input_tokens', 'input_cache_creation'), reasoning: firstNumber(usage, 'output_reasoning_tokens', 'output_reasoning'),
  });
}
