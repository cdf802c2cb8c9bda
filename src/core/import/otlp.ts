import { asArray, asObject, asString } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Role, ToolSchema, Usage } from '../trace/model';
import { hasOwnText } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate, openEmbedded } from './embedded-json';
import type { Located } from './embedded-json';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { firstNumber, observedRole } from './observed-message';
import { FLAT_MESSAGE, attributeMap, eventRole, isFailed, otlpParts, plainJson, spanKind, toolOf } from './otlp-decode';
import { PromptHistory, withoutRepeats } from './prompt-history';
import type { PromptCall, PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { spanId } from './span-id';
import { toolSchemas } from './tool-schemas';

/**
 * OTLP/JSON traces (formats.md §14) with OpenInference or GenAI conventions (attributes, span events, and the flattened
 * forms of OpenLLMetry and the Vercel AI SDK): one document, several, or an export request a line; one trajectory a trace.
 * Model spans repeat their prompt, which is put together again; tool spans fill in what the messages lack.
 *
 * countsReasoning: false. The recorded prompts say what went back.
 */
export const otlp: Format = {
  id: 'otlp',
  title: 'OpenTelemetry trace (OTLP)',
  reads: 'parts',
  detect,
  open: (context) => new OtlpSession(context),
  decode: (records, facts) => otlpParts(records, facts.role),
};

const RESOURCE_KEYS = ['resourceSpans', 'resource_spans'] as const;
const SCOPE_KEYS = ['scopeSpans', 'scope_spans', 'instrumentationLibrarySpans', 'instrumentation_library_spans'] as const;

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => asArray(record) ?? [record]).map(asObject);
  const isExport = objects.every((object) => object && [...RESOURCE_KEYS, ...SCOPE_KEYS].some((key) => Array.isArray(object[key])));
  return objects.length > 0 && isExport ? 0.97 : 0;
}

interface OtlpSpan { id: string; parent: string; name: string; kind: string; start: number; end: number; at: Located; attributes: ReadonlyMap<string, JsonNode>; values: Readonly<Record<string, unknown>>; events: readonly JsonNode[]; status: { code: unknown; message: string | undefined } }

class OtlpSession implements FormatSession {
  private readonly traces = new Map<string, OtlpSpan[]>();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    for (const document of node.kind === 'array' ? node.elements() : [node]) {
      const fields = document.fields();
      const resources = RESOURCE_KEYS.map((key) => fields.get(key)).find((value) => value !== undefined);
      for (const resource of resources?.elements() ?? [document]) {
        const own = resource.fields();
        const scopes = SCOPE_KEYS.map((key) => own.get(key)).find((value) => value !== undefined);
        for (const scope of scopes?.elements() ?? []) for (const span of scope.field('spans')?.elements() ?? []) this.addSpan(span, line);
      }
    }
  }

  private addSpan(node: JsonNode, line: number): void {
    if (valueOf(node) === undefined) {
      this.context.count('unreadable span');
      this.context.unknown('unreadable span');
      return;
    }
    const fields = node.fields();
    const get = (name: string): unknown => valueOf(fields.get(name) ?? fields.get(name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)));
    const attributes = new Map((fields.get('attributes')?.elements() ?? []).flatMap((entry) => {
      const key = asString(valueOf(entry.field('key')));
      return key === undefined ? [] : [[key, entry] as const];
    }));
    const values = attributeMap(valueOf(fields.get('attributes')));
    const kind = spanKind(values);
    this.context.count(kind || 'span');
    const start = nanosToMs(get('startTimeUnixNano'));
    const status = asObject(get('status'));
    const span: OtlpSpan = {
      id: spanId(get('spanId')), parent: spanId(get('parentSpanId')), name: asString(get('name')) ?? '', kind, start, end: nanosToMs(get('endTimeUnixNano')), at: locate(node, line),
      attributes, values, events: fields.get('events')?.elements() ?? [], status: { code: status?.['code'], message: asString(status?.['message']) },
    };
    const trace = spanId(get('traceId'));
    const list = this.traces.get(trace);
    if (list) list.push(span);
    else this.traces.set(trace, [span]);
  }

  counts(): FileCounts {
    const all = [...this.traces.values()].flat();
    const tools = all.filter(({ kind }) => kind === 'TOOL');
    const answered = tools.filter(({ name, values }) => toolOf(name, values).output !== undefined).length;
    return { messages: all.filter(({ kind }) => kind === 'LLM').length, toolCalls: tools.length, toolResults: answered, matchedPairs: answered };
  }

  build(): TrajectoryDraft[] {
    return [...this.traces.values()].map((spans, i) => buildTrace(spans, this.traces.size > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

/** Numbers above 2^53 come as strings; a millisecond is all that is kept. */
function nanosToMs(value: unknown): number {
  const nanos = typeof value === 'string' || typeof value === 'number' ? Number(value) : NaN;
  return Number.isFinite(nanos) && nanos > 0 ? nanos / 1e6 : 0;
}

type Step = { time: number; call: PromptCall } | { time: number; tool: OtlpSpan };

function buildTrace(spans: readonly OtlpSpan[], fallback: string): TrajectoryDraft {
  const draft = new DraftWriter();
  const history = new PromptHistory(draft);
  const outer = outerCalls(spans);
  const calls = spans.filter(({ id, kind }) => kind === 'LLM' && !outer.has(id)).sort((a, b) => a.start - b.start).map(modelCall);
  const steps: Step[] = [
    ...withoutRepeats(calls).map((call): Step => ({ time: call.timestampMs ?? 0, call })),
    ...spans.filter(({ kind }) => kind === 'TOOL').map((tool): Step => ({ time: tool.start, tool })),
  ].sort((a, b) => a.time - b.time);
  for (const step of steps) {
    if ('call' in step) history.addCall(step.call);
    else addTool(history, step.tool);
  }
  history.finish();
  const times = draft.columns.build().timestampMs;
  for (const span of spans) {
    if (!isFailed(span.status.code)) continue;
    draft.events.push({ kind: 'error', sourceKind: span.kind || 'span', thread: MAIN_THREAD, afterRow: times.findLastIndex((own) => own <= span.end), label: firstLine(`${span.name}: ${span.status.message ?? 'failed'}`, 160), timestampMs: span.end, span: span.at.span(span.at.node) });
  }
  const threads = history.threads();
  const known = new Set(spans.map(({ id }) => id));
  const root = spans.find(({ parent }) => parent === '' || !known.has(parent));
  return draft.build({ name: root?.name || fallback, createdMs: root?.start || undefined }, () => (threads.length > 0 ? threads : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }]));
}

/** Model spans around model spans repeat what those say. */
function outerCalls(spans: readonly OtlpSpan[]): Set<string> {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const outer = new Set<string>();
  for (const span of spans) {
    if (span.kind !== 'LLM') continue;
    const seen = new Set<string>([span.id]);
    for (let up = byId.get(span.parent); up && !seen.has(up.id); up = byId.get(up.parent)) {
      seen.add(up.id);
      outer.add(up.id);
    }
  }
  return outer;
}

function modelCall(span: OtlpSpan): PromptCall {
  const { values, attributes, at } = span;
  const inputs = firstFound([() => flatMessages(span, /^(llm\.input_messages|gen_ai\.prompt)\./, 'user'), () => jsonMessages(span, ['gen_ai.input.messages', 'ai.prompt.messages', 'all_messages_events'], 'user'), () => eventMessages(span, false), () => textMessages(span, ['input.value', 'traceloop.entity.input', 'ai.prompt'], 'user')]);
  const outputs = firstFound([() => flatMessages(span, /^(llm\.output_messages|gen_ai\.completion)\./, 'assistant'), () => jsonMessages(span, ['gen_ai.output.messages'], 'assistant'), () => eventMessages(span, true), () => textMessages(span, ['ai.response.text', 'ai.response.toolCalls', 'output.value', 'traceloop.entity.output'], 'assistant')]);
  const system = inputs.some(({ role }) => role === 'system') ? [] : instructions(span);
  return {
    inputs: [...system, ...inputs], outputs: outputs.length > 0 ? outputs : [{ role: 'assistant', parts: [], spans: [at.span(at.node)], flags: isFailed(span.status.code) ? MessageFlag.failed : 0 }],
    timestampMs: span.start || undefined, endMs: span.end, callKey: asString(values['gen_ai.response.id']) ?? span.id, usage: spanUsage(values), span: at.span(at.node), tools: spanTools(values, attributes),
    model: asString(values['llm.model_name']) ?? asString(values['gen_ai.response.model']) ?? asString(values['gen_ai.request.model']) ?? asString(values['ai.model.id']), agent: asString(values['gen_ai.agent.name']) ?? span.name,
  };
}

function firstFound(readers: readonly (() => PromptMessage[])[]): PromptMessage[] {
  for (const read of readers) {
    const found = read();
    if (found.length > 0) return found;
  }
  return [];
}

function promptMessage(role: Role, records: readonly unknown[], at: Located, nodes: readonly JsonNode[]): PromptMessage {
  const parts = otlpParts(records, role);
  return { role, parts, spans: nodes.map((node) => at.span(node)), flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0 };
}

/** Attributes of one message are its spans. */
function flatMessages({ attributes, at, values }: OtlpSpan, prefix: RegExp, fallback: Role): PromptMessage[] {
  const groups = new Map<number, JsonNode[]>();
  const roles = new Map<number, unknown>();
  for (const [key, node] of attributes) {
    const match = prefix.test(key) ? FLAT_MESSAGE.exec(key) : null;
    if (!match) continue;
    const index = Number(match[2]);
    groups.set(index, [...(groups.get(index) ?? []), node]);
    if (match[3] === 'message.role' || match[3] === 'role') roles.set(index, values[key]);
  }
  return [...groups].sort(([a], [b]) => a - b).map(([index, nodes]) => promptMessage(observedRole({ role: roles.get(index) }, fallback), nodes.map(valueOf), at, nodes));
}

/** Messages as a JSON string, or as a structured attribute; in the span or in one of its events. */
function jsonMessages(span: OtlpSpan, keys: readonly string[], fallback: Role): PromptMessage[] {
  const sources = [span.attributes, ...span.events.map((event) => new Map((event.field('attributes')?.elements() ?? []).map((entry) => [asString(valueOf(entry.field('key'))) ?? '', entry] as const)))];
  for (const attributes of sources) {
    for (const key of keys) {
      const value = attributes.get(key)?.field('value')?.fields();
      const text = value?.get('stringValue') ?? value?.get('string_value');
      const inside = text ? openEmbedded(span.at, text) : null;
      if (inside?.node.kind === 'array') return inside.node.elements().map((element) => promptMessage(observedRole(valueOf(element), fallback), [valueOf(element)], inside, [element]));
      const list = (value?.get('arrayValue') ?? value?.get('array_value'))?.field('values')?.elements();
      if (list) return list.map((element) => promptMessage(observedRole(attributeMap((asObject(valueOf(element.field('kvlistValue') ?? element.field('kvlist_value'))))?.['values']), fallback), [valueOf(element)], span.at, [element]));
    }
  }
  return [];
}

function eventMessages(span: OtlpSpan, isAnswer: boolean): PromptMessage[] {
  return span.events.flatMap((event) => {
    const name = asString(valueOf(event.field('name'))) ?? '';
    const role = eventRole(name);
    return role === undefined || (name === 'gen_ai.choice') !== isAnswer ? [] : [promptMessage(observedRole({ role }), [valueOf(event)], span.at, [event])];
  });
}

function textMessages({ attributes, at }: OtlpSpan, keys: readonly string[], role: Role): PromptMessage[] {
  const nodes = keys.flatMap((key) => attributes.get(key) ?? []);
  // The first of these that is there says it all; only the AI SDK splits an answer in two.
  const used = nodes.filter((node, i) => i === 0 || asString(valueOf(node.field('key'))) === 'ai.response.toolCalls');
  return used.length > 0 ? [promptMessage(role, used.map(valueOf), at, used)] : [];
}

function instructions(span: OtlpSpan): PromptMessage[] {
  const node = span.attributes.get('gen_ai.system_instructions');
  const text = node?.field('value')?.field('stringValue');
  if (!node) return [];
  const inside = text ? openEmbedded(span.at, text) : null;
  if (inside) return [promptMessage('system', [valueOf(inside.node)], inside, [inside.node])];
  return [promptMessage('system', [valueOf(node)], span.at, [node])];
}

function addTool(history: PromptHistory, span: OtlpSpan): void {
  const value = valueOf(span.at.node);
  const { id, name, output } = toolOf(span.name, span.values);
  const spans = [span.at.span(span.at.node)];
  history.addTool({ id, name, timestampMs: span.start || undefined, call: { parts: otlpParts([value], 'assistant'), spans }, result: output === undefined ? null : { parts: otlpParts([value], 'tool'), spans } });
}

/** Both conventions count cached tokens inside the input. */
function spanUsage(values: Readonly<Record<string, unknown>>): Partial<Usage> {
  const input = firstNumber(values, 'llm.token_count.prompt', 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'ai.usage.promptTokens', 'ai.usage.inputTokens');
  const read = firstNumber(values, 'llm.token_count.prompt_details.cache_read', 'gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens', 'ai.usage.cachedInputTokens');
  const write = firstNumber(values, 'llm.token_count.prompt_details.cache_write', 'gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens');
  return {
    input: input === undefined ? undefined : Math.max(0, input - (read ?? 0) - (write ?? 0)), cachedInput: read, cacheWrite: write,
    output: firstNumber(values, 'llm.token_count.completion', 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'ai.usage.completionTokens', 'ai.usage.outputTokens'),
    reasoning: firstNumber(values, 'llm.token_count.completion_details.reasoning', 'gen_ai.usage.reasoning.output_tokens', 'ai.usage.reasoningTokens'),
  };
}

function spanTools(values: Readonly<Record<string, unknown>>, attributes: ReadonlyMap<string, JsonNode>): ToolSchema[] {
  const flat = [...attributes.keys()].filter((key) => /^llm\.tools\.\d+\.tool\.json_schema$/.test(key)).map((key) => plainJson(values[key]));
  if (flat.length > 0) return toolSchemas(flat);
  const listed = plainJson(values['gen_ai.tool.definitions'] ?? values['ai.prompt.tools']);
  return toolSchemas((asArray(listed) ?? []).map(plainJson));
}
