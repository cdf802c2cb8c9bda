import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Thread, TraceEvent } from '../trace/model';
import { hasOwnText, textPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate } from './embedded-json';
import type { Located } from './embedded-json';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { observedParts, observedRole, result } from './observed-message';
import { openaiUsage } from './openai-decode';
import { PromptHistory } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { isItem, isOutput, itemParts } from './responses-items';
import { valueOf } from './run-list';
import { mostly } from './sampling';
import { namedTools } from './tool-schemas';
import { utcMs } from './utc-time';

/**
 * OpenAI Agents SDK traces (formats.md §10; openai/openai-agents-python src/agents/tracing/span_data.py, traces.py):
 * `trace` and `trace.span` objects as JSONL, a list, or ingest batches `{data}`; one trajectory a trace. Generations repeat
 * their prompt, which is put together again; `response` spans of the built-in exporter hold no text, only usage: a step
 * without words. A function span is call and result. Spans below a function span are those of a sub-agent.
 *
 * countsReasoning: false. The recorded prompts say what went back.
 */
export const openaiAgents: Format = {
  id: 'openai-agents',
  title: 'OpenAI Agents SDK trace',
  reads: 'parts',
  detect,
  open: (context) => new AgentsSession(context),
  decode: (records, facts) => records.flatMap((record) => recordParts(record, facts.role)),
};

function isSpan(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && (object['object'] === 'trace.span' ? 'span_data' in object : object['object'] === 'trace');
}

function detect(sample: Sample): number {
  const values = sample.records.flatMap((record) => asArray(record) ?? asArray(asObject(record)?.['data']) ?? [record]);
  return mostly(values, isSpan) ? 0.97 : 0;
}

/** A span, a message of its prompt or answer, or an item of the Responses API. */
function recordParts(record: unknown, role: Role): Part[] {
  const object = asObject(record);
  if (object?.['object'] !== 'trace.span') return isItem(object) ? itemParts(object!) : observedParts(record);
  const data = asObject(object['span_data']) ?? {};
  if (data['type'] !== 'function') return [];
  if (role !== 'tool') return [toolCall('', data['name'], data['input'] ?? '')];
  const failed = object['error'] !== null && object['error'] !== undefined;
  const output = data['output'] ?? (failed ? asString(asObject(object['error'])?.['message']) : undefined);
  return [{ ...result('', data['name'], output), ...(failed ? { isError: true } : {}) }];
}

interface AgentSpan { id: string; parent: string; type: string; start: number; at: Located; data: ReadonlyMap<string, JsonNode>; order: number }

class AgentsSession implements FormatSession {
  private readonly spans = new Map<string, AgentSpan[]>();
  private readonly names = new Map<string, string>();
  private readonly seen = new Set<string>();
  private order = 0;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const list = node.kind === 'array' ? node : node.field('data');
    for (const element of list?.kind === 'array' ? list.elements() : [node]) this.addObject(element, line);
  }

  private addObject(node: JsonNode, line: number): void {
    const fields = node.fields();
    const text = (name: string): string => asString(valueOf(fields.get(name))) ?? '';
    const kind = text('object');
    if (kind === 'trace') {
      this.context.count('trace');
      this.names.set(text('id'), text('workflow_name'));
      if (!this.spans.has(text('id'))) this.spans.set(text('id'), []);
      return;
    }
    const data = fields.get('span_data')?.fields();
    if (kind !== 'trace.span' || !data || valueOf(node) === undefined) {
      this.context.count('other');
      this.context.unknown(kind === '' ? 'object without kind' : kind);
      return;
    }
    const type = asString(valueOf(data.get('type'))) ?? 'span without type';
    this.context.count(type);
    if (!KNOWN_TYPES.has(type)) this.context.unknown(type);
    const id = text('id');
    // A batch that was sent twice.
    if (id !== '' && this.seen.has(id)) return;
    this.seen.add(id);
    const list = this.spans.get(text('trace_id')) ?? [];
    this.spans.set(text('trace_id'), list);
    const start = utcMs(text('started_at')) ?? 0;
    list.push({ id, parent: text('parent_id'), type, start, at: locate(node, line), data, order: this.order++ });
  }

  build(): TrajectoryDraft[] {
    const traces = [...this.spans];
    return traces.map(([trace, spans], i) => {
      const fallback = traces.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName;
      return new TraceBuilder(spans).build(this.names.get(trace) || fallback);
    });
  }
}

const KNOWN_TYPES = new Set(['agent', 'function', 'generation', 'response', 'handoff', 'guardrail', 'custom', 'mcp_tools', 'transcription', 'speech', 'speech_group']);

interface Lane { history: PromptHistory; parent?: string; spawnedBy?: string; title?: string; agent?: string }

class TraceBuilder {
  private readonly draft = new DraftWriter();
  private readonly lanes = new Map<string, Lane>();
  private readonly byId: ReadonlyMap<string, AgentSpan>;
  private readonly callIds = new Map<string, string>();
  private readonly laneIds = new Map<string, string>();

  constructor(private readonly spans: readonly AgentSpan[]) {
    this.byId = new Map(spans.map((span) => [span.id, span]));
    this.lanes.set(MAIN_THREAD, { history: new PromptHistory(this.draft) });
  }

  build(name: string): TrajectoryDraft {
    // A span that starts in the same millisecond as its parent stands below it.
    const ordered = [...this.spans].sort((a, b) => a.start - b.start || this.depth(a) - this.depth(b) || a.order - b.order);
    for (const span of ordered) this.addSpan(span);
    for (const { history } of this.lanes.values()) history.finish();
    return this.draft.build({ name, createdMs: ordered[0]?.start || undefined }, () => this.threads());
  }

  private depth(span: AgentSpan): number {
    let steps = 0;
    for (let at = this.byId.get(span.parent); at && steps < this.spans.length; at = this.byId.get(at.parent)) steps++;
    return steps;
  }

  /** The nearest function span above a span starts the sub-agent that it belongs to. */
  private laneId(span: AgentSpan): string {
    const known = this.laneIds.get(span.id);
    if (known !== undefined) return known;
    let lane = MAIN_THREAD;
    let steps = 0;
    for (let at = this.byId.get(span.parent); at && steps < this.spans.length; at = this.byId.get(at.parent), steps++) {
      if (at.type !== 'function') continue;
      lane = at.id;
      break;
    }
    this.laneIds.set(span.id, lane);
    return lane;
  }

  private lane(span: AgentSpan): Lane {
    const id = this.laneId(span);
    let lane = this.lanes.get(id);
    if (!lane) {
      const starter = this.byId.get(id)!;
      lane = { history: new PromptHistory(this.draft, id), parent: this.laneId(starter), spawnedBy: this.callIds.get(id), title: this.text(starter, 'name') };
      this.lanes.set(id, lane);
    }
    return lane;
  }

  private text(span: AgentSpan, name: string): string | undefined { return asString(valueOf(span.data.get(name))); }

  private addSpan(span: AgentSpan): void {
    const { type } = span;
    if (type === 'generation' || type === 'response') this.addCall(span);
    else if (type === 'function') this.addFunction(span);
    else if (type === 'agent') this.lane(span).agent = this.text(span, 'name');
    else if (type === 'handoff') this.event(span, 'other', 'handoff', `${this.text(span, 'from_agent') ?? '?'} → ${this.text(span, 'to_agent') ?? '?'}`);
    else if (type === 'guardrail' && valueOf(span.data.get('triggered')) === true) this.event(span, 'interruption', 'guardrail', `Guardrail ${this.text(span, 'name') ?? ''} was triggered.`);
    else if (!KNOWN_TYPES.has(type)) this.event(span, 'other', type, type);
    const error = asObject(valueOf(span.at.node.field('error')));
    if (error) this.event(span, 'error', type, firstLine(asString(error['message']) ?? 'error', 160));
  }

  private addCall(span: AgentSpan): void {
    const lane = this.lane(span);
    const response = span.data.get('response');
    const output = span.data.get('output') ?? response?.field('output');
    const agent = this.agentOf(span);
    const id = asString(valueOf(span.data.get('response_id'))) ?? span.id;
    lane.history.addCall({
      inputs: this.messages(span, span.data.get('input'), response?.field('instructions')), outputs: [this.answer(span, output)], timestampMs: span.start || undefined, callKey: id, span: span.at.span(span.at.node),
      model: this.text(span, 'model') ?? asString(valueOf(response?.field('model'))), usage: openaiUsage(valueOf(span.data.get('usage')) ?? valueOf(response?.field('usage'))),
      agent: agent.name, tools: namedTools(agent.tools),
    });
  }

  private agentOf(span: AgentSpan): { name: string | undefined; tools: unknown } {
    let steps = 0;
    for (let at = this.byId.get(span.parent); at && steps < this.spans.length; at = this.byId.get(at.parent), steps++) if (at.type === 'agent') return { name: this.text(at, 'name'), tools: valueOf(at.data.get('tools')) };
    return { name: undefined, tools: undefined };
  }

  private messages(span: AgentSpan, input: JsonNode | undefined, instructions: JsonNode | undefined): PromptMessage[] {
    const system = typeof valueOf(instructions) === 'string' ? [message(span.at, instructions!, 'system')] : [];
    if (input?.kind === 'string') return [...system, message(span.at, input, 'user')];
    return [...system, ...(input?.elements() ?? []).map((element) => message(span.at, element, 'user'))];
  }

  /** What one call wrote is one message, of however many items. */
  private answer(span: AgentSpan, output: JsonNode | undefined): PromptMessage {
    const nodes = output?.elements() ?? [];
    const parts = nodes.flatMap((node) => recordParts(valueOf(node), 'assistant'));
    // Without words the span itself is the step.
    return { role: 'assistant', flags: 0, parts, spans: nodes.length > 0 ? nodes.map((node) => span.at.span(node)) : [span.at.span(span.at.node)] };
  }

  private addFunction(span: AgentSpan): void {
    const value = valueOf(span.at.node);
    const spans = [span.at.span(span.at.node)];
    const parts = recordParts(value, 'tool');
    const hasResult = valueOf(span.data.get('output')) !== null || parts.some((part) => part.type === 'tool_result' && part.content.length > 0);
    const id = this.lane(span).history.addTool({ id: '', name: this.text(span, 'name') ?? '', timestampMs: span.start || undefined, call: { parts: recordParts(value, 'assistant'), spans }, result: hasResult ? { parts, spans } : null });
    this.callIds.set(span.id, id);
  }

  private event(span: AgentSpan, kind: TraceEvent['kind'], sourceKind: string, label: string): void {
    const lane = this.laneId(span);
    const id = this.lanes.get(lane)?.history.isEmpty === false ? lane : MAIN_THREAD;
    this.draft.events.push({ kind, sourceKind, thread: id, afterRow: this.lanes.get(id)!.history.lastRow, label, timestampMs: span.start || undefined, span: span.at.span(span.at.node) });
  }

  private threads(): Thread[] {
    const threads = [...this.lanes].flatMap(([id, { history, parent, spawnedBy, title, agent }]) => history.threads().map((thread): Thread => (
      id === MAIN_THREAD || thread.id !== id ? thread : { ...thread, parentThread: parent ?? MAIN_THREAD, ...(spawnedBy === undefined ? {} : { spawnedBy }), title: agent ?? title ?? id }
    )));
    return threads.some(({ id }) => id === MAIN_THREAD) ? threads : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }, ...threads];
  }
}

function message(at: Located, node: JsonNode, fallback: Role): PromptMessage {
  const value = valueOf(node);
  const object: JsonObject | undefined = asObject(value);
  const type = asString(object?.['type']) ?? '';
  const role: Role = isItem(object) && type !== 'message' ? (isOutput(type) ? 'tool' : 'assistant') : observedRole(value, fallback);
  const parts = typeof value === 'string' ? [textPart(value)] : value === undefined ? [textPart('')] : recordParts(value, role);
  return { role, parts, spans: [at.span(node)], flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0 };
}
