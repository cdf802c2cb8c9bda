import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { ContentPart, Part, Role, Thread, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { contentParts, hasOwnText, idText, otherPart, reasoningPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { FileCounts, FileLinks, Format, FormatContext, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * ATIF, the Agent Trajectory Interchange Format (formats.md §8; harbor rfcs/0001), any 1.x. A step is one row, its
 * observation the row after it. Results without `source_call_id` pair by position inside the step. Steps that repeat
 * earlier ones (`is_copied_context`) are flagged as not part of this run: their calls were made elsewhere.
 *
 * countsReasoning: false. The format does not say whether `reasoning_content` went back; terminus-2 and OpenHands do not send it.
 */
export const atif: Format = {
  id: 'atif',
  title: 'ATIF trajectory',
  reads: 'parts',
  detect,
  open: (context) => new AtifSession(context),
  decode: (records, facts) => records.flatMap((record) => (facts.role === 'tool' ? observationParts(record) : stepParts(record))),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const scores = objects.map((object) => {
    const version = object?.['schema_version'];
    const step = asObject(asArray(object?.['steps'])?.[0]);
    const isSteps = step !== undefined && 'source' in step && ('step_id' in step || 'message' in step);
    if (typeof version === 'string' && version.startsWith('ATIF')) return isSteps || Array.isArray(object?.['steps']) ? 0.98 : 0.7;
    const isNumberLike = typeof version === 'number' || (typeof version === 'string' && /^v?\d+(\.\d+)*$/.test(version));
    return isSteps && isNumberLike && 'step_id' in step ? 0.92 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function stepParts(record: unknown): Part[] {
  const step = asObject(record);
  if (!step) return [otherPart('step', record)];
  const reasoning = asString(step['reasoning_content']);
  const calls = (asArray(step['tool_calls']) ?? []).map((value): Part => {
    const call = asObject(value);
    return call ? toolCall(call['tool_call_id'], call['function_name'], call['arguments']) : otherPart('tool_call', value);
  });
  return [...(reasoning ? [reasoningPart(reasoning)] : []), ...atifContent(step['message']), ...calls];
}

/** An entry that neither says anything nor names a call only points to another trajectory. */
function observationParts(record: unknown): Part[] {
  return (asArray(asObject(record)?.['results']) ?? []).flatMap((value): Part[] => {
    const result = asObject(value);
    if (!result) return [otherPart('result', value)];
    const callId = idText(result['source_call_id']);
    const refs = result['subagent_trajectory_ref'];
    const content = atifContent(result['content']);
    if (!('content' in result) && callId === '') return refs === undefined ? [] : [otherPart('subagent_trajectory_ref', refs)];
    if (refs !== undefined && refs !== null) content.push(otherPart('subagent_trajectory_ref', refs));
    return [{ type: 'tool_result', callId, content }];
  });
}

/** Images stand in files beside the trajectory: `source.path`. */
function atifContent(content: unknown): ContentPart[] {
  if (!Array.isArray(content)) return contentParts(content);
  return content.flatMap((block): ContentPart[] => {
    const source = asObject(asObject(block)?.['source']);
    const path = asString(source?.['path']);
    if (asObject(block)?.['type'] !== 'image' || path === undefined) return contentParts([block]);
    return [{ type: 'image', mime: asString(source?.['media_type']) ?? 'image', ref: path }];
  });
}

/** `prompt_tokens` includes cached ones; ours are apart. */
function atifUsage(value: unknown): Partial<Usage> {
  const metrics = asObject(value);
  const prompt = asNumber(metrics?.['prompt_tokens']);
  const cached = asNumber(metrics?.['cached_tokens']);
  return { input: prompt === undefined ? undefined : Math.max(0, prompt - (cached ?? 0)), cachedInput: cached, output: asNumber(metrics?.['completion_tokens']) };
}

/** What harbor appends to the id of a session that goes on in another file. */
const CONTINUATION = /-cont-\d+$/;

interface SubagentRef { key: string; callId?: string; label: string; isSummary: boolean }

function subagentRefs(observation: unknown, callIds: readonly string[]): SubagentRef[] {
  return (asArray(asObject(observation)?.['results']) ?? []).flatMap((value, i) => {
    const result = asObject(value);
    const refs = asArray(result?.['subagent_trajectory_ref']) ?? (asObject(result?.['subagent_trajectory_ref']) ? [result!['subagent_trajectory_ref']] : []);
    const callId = idText(result?.['source_call_id']) || callIds[i];
    return refs.map((ref): SubagentRef => {
      const object = asObject(ref);
      const key = idText(object?.['trajectory_id']) || idText(object?.['session_id']);
      const path = asString(object?.['trajectory_path']) ?? '';
      const label = asString(asObject(object?.['extra'])?.['summary']) ?? key;
      return { key, ...(callId ? { callId } : {}), label, isSummary: /summari[sz]ation/i.test(`${key} ${path} ${label}`) };
    });
  });
}

/** A document in which the one before it goes on belongs to its run. */
class AtifSession extends RunListSession<AtifRun> {
  constructor(context: FormatContext) {
    super(context, (node, line) => new AtifRun(context, node, line), elementsOrSelf);
  }

  override add(record: SourceRecord): void {
    const last = this.runs.at(-1);
    if (record.node.kind === 'object' && last?.goesOnIn(record.node) === true) last.extend(record.node, record.line);
    else super.add(record);
  }
}

interface Line { id: string; rows: number[]; tools: ToolSchema[]; title?: string; parent?: string; spawnedBy?: string }

class AtifRun implements ImportRun {
  private readonly knownLinks: FileLinks;
  private readonly draft = new DraftWriter();
  private readonly lines: Line[] = [];
  private readonly callOfAgent = new Map<string, string>();
  private readonly agentName: string | undefined;
  private model: string | undefined;
  private steps = 0;
  /** File in which the run goes on, as its last document says. */
  private next: string | undefined;
  private readonly session: string | undefined;
  private final: JsonObject | undefined;
  private isPartial = false;
  /** A compaction whose first message and call are still to come. */
  private openEvent: TraceEvent | null = null;
  private lastPrompt: number | null = null;

  constructor(private readonly context: FormatContext, node: JsonNode, private line: number) {
    const fields = node.fields();
    const agent = asObject(valueOf(fields.get('agent')));
    this.agentName = asString(agent?.['name']);
    this.model = asString(agent?.['model_name']);
    this.addDocument(fields, { id: MAIN_THREAD, rows: [], tools: toolSchemas(agent?.['tool_definitions']) });
    const extra = asObject(agent?.['extra']);
    const parent = asString(extra?.['parent_session_id']);
    const own = asString(valueOf(fields.get('trajectory_id'))) ?? asString(valueOf(fields.get('session_id')));
    this.session = own;
    this.knownLinks = { sessionId: parent ?? own, isSubagent: parent !== undefined, agentId: parent === undefined ? undefined : own, callOfAgent: this.callOfAgent, spawnByPrompt: new Map() };
  }

  get counts(): Pick<FileCounts, 'messages'> { return { messages: this.steps }; }

  get links(): FileLinks { return this.next === undefined ? this.knownLinks : { ...this.knownLinks, continuedIn: this.next.split(/[\\/]/).at(-1)! }; }

  /** Only what says that it belongs here: the same session (harbor adds `-cont-N`), or steps copied from before. */
  goesOnIn(node: JsonNode): boolean {
    if (this.next === undefined || this.lines[0]!.rows.length === 0) return false;
    const session = asString(valueOf(node.field('session_id')));
    const first = asObject(valueOf(node.field('steps')?.elements(1)[0]));
    return first?.['is_copied_context'] === true || (session !== undefined && this.session !== undefined && session.replace(CONTINUATION, '') === this.session.replace(CONTINUATION, ''));
  }

  /** The next part opens a new context with the steps that it repeats: those are rows already. */
  extend(node: JsonNode, line: number): void {
    this.line = line;
    const fields = node.fields();
    const copied = (fields.get('steps')?.elements() ?? []).filter((step) => asObject(valueOf(step))?.['is_copied_context'] === true);
    const event = this.event(this.lines[0]!, 'compaction', 'continued_trajectory_ref', `The run goes on in a new context that opens with ${copied.length} copied ${copied.length === 1 ? 'step' : 'steps'}.`, node);
    event.data = { tokensBefore: this.lastPrompt, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, copiedSteps: copied.length };
    this.addDocument(fields, this.lines[0]!, event);
  }

  /** Counts the steps of a document; `continuing` = the event by which an earlier one goes on in it. */
  private addDocument(fields: ReadonlyMap<string, JsonNode>, line: Line, continuing?: TraceEvent): void {
    const before = this.steps;
    this.final = asObject(valueOf(fields.get('final_metrics'))) ?? this.final;
    this.isPartial = asObject(valueOf(fields.get('extra')))?.['partial'] === true;
    this.next = asString(valueOf(fields.get('continued_trajectory_ref')));
    this.addTrajectory(fields, line, continuing);
    this.context.count('step', this.steps - before);
  }

  private addTrajectory(fields: ReadonlyMap<string, JsonNode>, line: Line, continuing?: TraceEvent): void {
    if (!this.lines.includes(line)) this.lines.push(line);
    this.openEvent = continuing ?? null;
    if (!continuing) this.lastPrompt = null;
    let answered = continuing !== undefined;
    let copied = 0;
    for (const node of fields.get('steps')?.elements() ?? []) {
      const step = asObject(valueOf(node));
      if (!step) {
        this.context.unknown('unreadable step');
        continue;
      }
      if (continuing && step['is_copied_context'] === true) {
        this.context.count('copied step');
        continue;
      }
      if (copied > 0 && step['is_copied_context'] !== true) {
        this.event(line, 'checkpoint', 'is_copied_context', `${copied} steps repeat what another trajectory recorded.`, node);
        copied = -1;
      }
      if (step['is_copied_context'] === true && copied >= 0) copied++;
      this.addStep(node, step, line, answered);
      if (step['source'] === 'agent') answered = true;
    }
    const next = asString(valueOf(fields.get('continued_trajectory_ref')));
    if (next !== undefined) this.event(line, 'checkpoint', 'continued_trajectory_ref', `The run goes on in ${next}.`, fields.get('continued_trajectory_ref')!);
    for (const child of fields.get('subagent_trajectories')?.elements() ?? []) this.addChild(child, line);
  }

  private addStep(node: JsonNode, step: JsonObject, line: Line, answered: boolean): void {
    this.steps++;
    const source = asString(step['source']) ?? 'user';
    // A system step after the first answer is a word of the harness, no system prompt.
    const role: Role = source === 'agent' ? 'assistant' : source === 'system' && !answered ? 'system' : 'user';
    let flags = (step['is_copied_context'] === true ? MessageFlag.demonstration : 0) | (line.parent === undefined ? 0 : MessageFlag.sidechain);
    const parts = stepParts(step);
    if (source === 'system' && role === 'user') flags |= MessageFlag.harness;
    else if (role === 'user' && this.openEvent) flags |= MessageFlag.compactSummary;
    else if (role === 'user' && flags === 0 && hasOwnText(parts)) flags |= MessageFlag.instruction;
    const time = timestampMs(step['timestamp']);
    const row = this.draft.addMessage({ role, flags, timestampMs: time, model: role === 'assistant' ? (asString(step['model_name']) ?? this.model) : undefined }, parts, node, this.line);
    line.rows.push(row);
    const usage = atifUsage(step['metrics']);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, usage);
    const prompt = asNumber(asObject(step['metrics'])?.['prompt_tokens']) ?? null;
    this.closeCompaction(role, row, prompt);
    if (prompt !== null) this.lastPrompt = prompt;
    const callIds = parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : []));
    const observation = node.field('observation');
    if (!observation || observation.kind !== 'object') return;
    this.addObservation(observation, callIds, line, time);
    this.addRefs(subagentRefs(step['observation'], callIds), step, node, line, time);
  }

  private addObservation(node: JsonNode, callIds: readonly string[], line: Line, time: number | undefined): void {
    let position = 0;
    const parts = observationParts(valueOf(node)).map((part): Part => {
      if (part.type !== 'tool_result') return part;
      const byPosition = callIds[position++];
      return part.callId === '' ? { ...part, callId: byPosition ?? '' } : part;
    });
    if (parts.every((part) => part.type === 'other')) return;
    line.rows.push(this.draft.addMessage({ role: 'tool', timestampMs: time }, parts, node, this.line));
  }

  /** No record type says "compaction": the harness writes a system step that points to the summarising sub-agents. */
  private addRefs(refs: readonly SubagentRef[], step: JsonObject, node: JsonNode, line: Line, time: number | undefined): void {
    for (const ref of refs) if (ref.callId !== undefined && ref.key !== '') this.callOfAgent.set(ref.key, ref.callId);
    if (refs.length === 0) return;
    const label = firstLine(asString(step['message']) ?? '', 160) || refs.map((ref) => ref.label).join('; ');
    const isCompaction = refs.some((ref) => ref.isSummary) || (step['source'] === 'system' && /summari[sz]|compact|condens/i.test(label));
    const event = this.event(line, isCompaction ? 'compaction' : 'other', 'subagent_trajectory_ref', label, node, time);
    if (!isCompaction) return;
    event.data = { tokensBefore: this.lastPrompt, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, subagents: refs.length };
    this.openEvent = event;
  }

  /** The first user step after it holds the summary, the first call after it the new size. */
  private closeCompaction(role: Role, row: number, prompt: number | null): void {
    const data = this.openEvent?.data;
    if (!data) return;
    if (role === 'user' && data['summaryRow'] === null && (this.draft.columns.rowFlags(row) & MessageFlag.compactSummary)) data['summaryRow'] = row;
    if (role !== 'assistant') return;
    data['tokensAfter'] = prompt;
    this.openEvent = null;
  }

  private addChild(node: JsonNode, parent: Line): void {
    const fields = node.fields();
    const agent = asObject(valueOf(fields.get('agent')));
    const key = asString(valueOf(fields.get('trajectory_id'))) ?? asString(valueOf(fields.get('session_id')));
    const spawnedBy = key === undefined ? undefined : this.callOfAgent.get(key);
    let id = key ?? `agent-${this.lines.length}`;
    while (this.lines.some((line) => line.id === id)) id = `${id}-${this.lines.length}`;
    this.addTrajectory(fields, { id, rows: [], tools: toolSchemas(agent?.['tool_definitions']), title: asString(agent?.['name']), parent: parent.id, ...(spawnedBy === undefined ? {} : { spawnedBy }) });
  }

  private event(line: Line, kind: TraceEvent['kind'], sourceKind: string, label: string, node: JsonNode, time?: number): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: line.id, afterRow: line.rows.at(-1) ?? -1, label, span: spanOf(node, this.line), ...(time === undefined ? {} : { timestampMs: time }) };
    this.draft.events.push(event);
    return event;
  }

  private notes(): string[] {
    const notes = this.isPartial ? ['The writer was interrupted: the trajectory is partial.'] : [];
    const total = asNumber(this.final?.['total_prompt_tokens']);
    const columns = this.draft.columns.build();
    let sum = 0;
    for (let row = 0; row < columns.n; row++) sum += (columns.usage[row * 5] || 0) + (columns.usage[row * 5 + 1] || 0);
    if (total !== undefined && total !== sum) notes.push(`final_metrics gives ${total} prompt tokens, the recorded steps ${sum}: it counts sub-agents, earlier parts and calls without a step.`);
    return notes;
  }

  build(fallbackName: string): TrajectoryDraft {
    const name = fallbackName || this.agentName || 'trajectory';
    const built = this.draft.build({ name, model: this.model }, () => this.lines.map((line): Thread => ({
      id: line.id, tools: line.tools, main: Uint32Array.from(line.rows), branches: [], countsReasoning: false,
      ...(line.title === undefined ? {} : { title: line.title }), ...(line.parent === undefined ? {} : { parentThread: line.parent }), ...(line.spawnedBy === undefined ? {} : { spawnedBy: line.spawnedBy }),
    })));
    return { ...built, warnings: [...built.warnings, ...this.notes()] };
  }
}
