import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Outcome, Role, ToolSchema, TraceEvent } from '../trace/model';
import { plainRole } from './chat-rows';
import { hasOwnText, idText } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { InspectAgents } from './inspect-agents';
import { attachmentHashes, inspectOutcome, inspectParts, inspectUsage } from './inspect-decode';
import type { JsonNode } from './json-node';
import { valueOf } from './run-list';
import { toolSchemas } from './tool-schemas';
import { utcMs } from './utc-time';

/**
 * Inspect AI logs as JSON (formats.md §9): one trajectory a sample and epoch. A header without samples and samples of
 * their own (the members of an .eval archive) are read as well, in any order. `attachment://` texts are spans after the
 * message's own. Sub-agents are threads (inspect-agents.ts). Model events give usage; compactions, limits, errors and retries become events.
 *
 * countsReasoning: true. Reasoning blocks stay in the messages that Inspect sends back.
 */
export const inspect: Format = {
  id: 'inspect',
  title: 'Inspect log',
  reads: 'parts',
  detect,
  open: (context) => new InspectSession(context),
  decode: (records) => inspectParts(records),
};

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    if (!object) return 0;
    const isLog = asObject(object['eval']) !== undefined && 'status' in object && ('samples' in object || 'plan' in object || 'results' in object || 'stats' in object);
    return isLog ? 0.97 : isSample(object) ? 0.93 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function isSample(object: JsonObject): boolean {
  return 'id' in object && typeof object['epoch'] === 'number' && 'input' in object && 'target' in object && ('messages' in object || 'events' in object || 'output' in object);
}

class InspectSession implements FormatSession {
  private readonly runs: InspectRun[] = [];
  private readonly unshown = new Map<string, number>();
  private task: string | undefined;
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const header = asObject(valueOf(fields.get('eval')));
    if (!header) {
      this.addSample(node, line);
      this.sayUnshown();
      return;
    }
    this.task = asString(header['task']);
    this.model = asString(header['model']);
    const error = asString(asObject(valueOf(fields.get('error')))?.['message']);
    if (error !== undefined) this.context.warn(`The evaluation ended with an error: ${firstLine(error, 160)}`);
    const status = asString(valueOf(fields.get('status')));
    if (status === 'started' || status === 'cancelled') this.context.warn(`The evaluation is ${status === 'started' ? 'still running' : 'cancelled'}: samples may be missing.`);
    for (const sample of fields.get('samples')?.elements() ?? []) this.addSample(sample, line);
    this.sayUnshown();
  }

  private addSample(node: JsonNode, line: number): void {
    const run = new InspectRun(this.context, node, line);
    this.runs.push(run);
    this.context.count('sample');
    for (const [kind, count] of run.unshown) this.unshown.set(kind, (this.unshown.get(kind) ?? 0) + count);
  }

  /** What is left out is said, with its number (import-cases.md A14). */
  private sayUnshown(): void {
    if (this.unshown.size === 0) return;
    const all = [...this.unshown].sort((a, b) => b[1] - a[1]);
    const count = all.reduce((sum, [, n]) => sum + n, 0);
    this.context.warn(`${count} ${count === 1 ? 'event of the log stays in the file and is' : 'events of the log stay in the file and are'} not shown: ${all.map(([kind, n]) => `${kind} ${n}`).join(', ')}.`);
    this.unshown.clear();
  }

  build(): TrajectoryDraft[] { return this.runs.map((run) => run.build(this.task ?? this.context.baseName, this.model)); }

  counts(): Partial<FileCounts> { return { messages: this.runs.reduce((sum, run) => sum + run.messages, 0) }; }
}

const EVENT_KINDS: Readonly<Record<string, TraceEvent['kind']>> = { compaction: 'compaction', sample_limit: 'interruption', error: 'error', checkpoint: 'checkpoint', interrupt: 'interruption', approval: 'other', input: 'other', score_edit: 'other' };
/** Of these the content stands nowhere else: they are counted. */
const UNSHOWN_EVENTS: ReadonlySet<string> = new Set(['state', 'store', 'sandbox', 'info', 'logger', 'score', 'subtask']);
/** Bookkeeping of the log; thousands of them are usual. */
const QUIET_EVENTS = new Set(['sample_init', 'span_begin', 'span_end', 'step', 'state', 'store', 'sandbox', 'tool', 'model', 'info', 'logger', 'score', 'subtask', 'anchor', 'branch']);

class InspectRun {
  messages = 0;
  /** Events that are not shown, by kind. */
  readonly unshown = new Map<string, number>();
  private readonly draft = new DraftWriter();
  private readonly fields: ReadonlyMap<string, JsonNode>;
  private readonly attachments: ReadonlyMap<string, JsonNode>;
  private readonly rowOfMessage = new Map<string, number>();
  private readonly assistants: number[] = [];
  private tools: ToolSchema[] = [];
  private readonly outcome: Outcome | undefined;
  private readonly agents: InspectAgents;
  /** Rows of the sample's own agent; what follows is of sub-agents. */
  private readonly ownRows: number;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    this.fields = node.fields();
    const transcript = this.fields.get('transcript')?.fields();
    this.attachments = (this.fields.get('attachments') ?? transcript?.get('content'))?.fields() ?? new Map<string, JsonNode>();
    this.readMessages();
    this.ownRows = this.draft.columns.rowCount;
    const events = (this.fields.get('events') ?? transcript?.get('events'))?.elements() ?? [];
    this.agents = new InspectAgents(context, this.draft, this.attachments, line, events, (this.fields.get('events_data')?.field('messages') ?? this.fields.get('message_pool'))?.elements() ?? []);
    this.readEvents(events);
    this.outcome = inspectOutcome(this.value('scores') ?? this.value('score'), this.value('error'), this.value('limit'));
  }

  private value(name: string): unknown { return valueOf(this.fields.get(name)); }

  private readMessages(): void {
    const list = this.fields.get('messages')?.elements() ?? [];
    for (const message of list) this.addMessage(message);
    this.messages = list.length;
    const input = this.fields.get('input');
    if (list.length > 0 || !input) return;
    // A sample that failed before its first call has its input alone.
    if (typeof valueOf(input) === 'string') this.addRow('user', MessageFlag.instruction, input, valueOf(input));
    else for (const message of input.elements()) this.addMessage(message);
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const message = asObject(value) ?? {};
    const role = plainRole(asString(message['role']) ?? '', this.context);
    // After the first answer only the person's own turns are marked as input; the others are the scaffold's.
    const isTyped = message['source'] === 'input' || message['source'] === 'operator' || this.assistants.length === 0;
    const row = this.addRow(role, role !== 'user' ? 0 : isTyped ? MessageFlag.instruction : MessageFlag.harness, node, value, asString(message['model']));
    if (role === 'assistant') this.assistants.push(row);
    const id = idText(message['id']);
    if (id !== '') this.rowOfMessage.set(id, row);
  }

  private addRow(role: Role, flags: number, node: JsonNode, value: unknown, model?: string): number {
    const texts = attachmentHashes(value).map((hash) => this.attachments.get(hash));
    const known = texts.every((text) => typeof valueOf(text) === 'string') ? (texts as JsonNode[]) : [];
    const parts = inspectParts([value, ...known.map(valueOf)]);
    const isEmpty = flags === MessageFlag.instruction && !hasOwnText(parts) && !parts.some((part) => part.type === 'image');
    const row = this.draft.columns.addRow({ role, flags: isEmpty ? 0 : flags, model });
    this.draft.columns.addSpan(row, spanOf(node, this.line));
    for (const text of known) this.draft.columns.addSpan(row, spanOf(text, this.line));
    this.draft.columns.addParts(row, parts);
    return row;
  }

  private readEvents(events: readonly JsonNode[]): void {
    const calls = events.filter((event) => kindOf(event) === 'model' && this.agents.laneOf(event) === null);
    // Old logs have no message ids: as many calls as answers are taken in order.
    const inOrder = this.rowOfMessage.size === 0 && calls.length === this.assistants.length;
    let row = -1;
    let call = 0;
    for (const event of events) {
      const kind = kindOf(event);
      const lane = kind === 'model' ? this.agents.laneOf(event) : null;
      if (lane !== null && !this.isOwnAnswer(event)) this.addAgentCall(event, lane);
      else if (kind === 'model') {
        const own = this.addCall(event, inOrder ? this.assistants[call] : undefined);
        call++;
        row = Math.max(row, own);
      } else if (!QUIET_EVENTS.has(kind)) this.addEvent(event, kind, row);
      else if (UNSHOWN_EVENTS.has(kind)) this.unshown.set(kind, (this.unshown.get(kind) ?? 0) + 1);
    }
  }

  /** After a handoff the messages of the agent stand in the sample. */
  private isOwnAnswer(event: JsonNode): boolean {
    return this.rowOfMessage.has(answerId(event));
  }

  private addAgentCall(event: JsonNode, lane: string): void {
    const row = this.agents.addCall(lane, event);
    const error = asString(valueOf(event.field('error')));
    if (error) this.event('error', 'model', firstLine(error, 160), event, row, utcMs(valueOf(event.field('timestamp'))), lane);
  }

  /** Usage, time and model of a call go to the message that it wrote. Returns its row; −1 = not in the sample's messages. */
  private addCall(event: JsonNode, row: number | undefined): number {
    const output = event.field('output')?.fields();
    const own = row ?? this.rowOfMessage.get(answerId(event)) ?? -1;
    if (this.tools.length === 0) this.tools = toolSchemas(valueOf(event.field('tools')));
    const error = asString(valueOf(event.field('error')));
    const retries = asNumber(valueOf(event.field('retries')));
    const time = utcMs(valueOf(event.field('timestamp')));
    if (error) this.event('error', 'model', firstLine(error, 160), event, own, time);
    if (retries !== undefined && retries > 0) this.event('retry', 'model', `The call was retried ${retries} times.`, event, own, time);
    if (own < 0) return own;
    this.draft.columns.mergeUsage(own, inspectUsage(valueOf(output?.get('usage'))));
    const model = asString(valueOf(output?.get('model'))) ?? asString(valueOf(event.field('model')));
    if (model) this.draft.columns.setModel(own, model);
    return own;
  }

  private addEvent(node: JsonNode, kind: string, row: number): void {
    const value = asObject(valueOf(node)) ?? {};
    if (!Object.hasOwn(EVENT_KINDS, kind)) this.context.unknown(`event ${kind || 'without kind'}`);
    const label = asString(value['message']) ?? asString(asObject(value['error'])?.['message']) ?? asString(value['reason']) ?? kind.replaceAll('_', ' ');
    const event = this.event(EVENT_KINDS[kind] ?? 'other', kind, firstLine(label, 160), node, row, utcMs(value['timestamp']));
    if (kind !== 'compaction') return;
    event.data = { tokensBefore: asNumber(value['tokens_before']) ?? null, tokensAfter: asNumber(value['tokens_after']) ?? null, trigger: asString(value['source']) ?? null, strategy: asString(value['type']) ?? null, summaryRow: null, firstKeptRow: null };
    event.label = `Compaction${value['type'] === undefined ? '' : ` (${String(value['type'])})`}`;
  }

  private event(kind: TraceEvent['kind'], sourceKind: string, label: string, node: JsonNode, afterRow: number, time: number | undefined, thread = MAIN_THREAD): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread, afterRow, label, span: spanOf(node, this.line), ...(time === undefined ? {} : { timestampMs: time }) };
    this.draft.events.push(event);
    return event;
  }

  build(task: string, model: string | undefined): TrajectoryDraft {
    const epoch = asNumber(this.value('epoch'));
    const name = `${task} ${idText(this.value('id'))}${epoch === undefined ? '' : ` epoch ${epoch}`}`;
    const own = asString(asObject(this.value('output'))?.['model']) || undefined;
    // Before the columns are taken: it writes what the last prompts left open.
    const agentThreads = this.agents.threads();
    const draft = this.draft.build({ name, model: own ?? model, outcome: this.outcome }, () => [linearThread(this.ownRows, this.tools, true), ...agentThreads]);
    // Without events the sample's totals are all there is.
    if (Object.values(draft.usage).some((value) => value !== null)) return draft;
    const usage = { ...draft.usage };
    for (const total of Object.values(asObject(this.value('model_usage')) ?? {})) {
      for (const [key, value] of Object.entries(inspectUsage(total)) as [keyof typeof usage, number | undefined][]) if (value !== undefined) usage[key] = (usage[key] ?? 0) + value;
    }
    return { ...draft, usage };
  }
}

/** Id of the message that a model event wrote; '' = none. */
function answerId(event: JsonNode): string {
  return idText(valueOf(event.field('output')?.field('choices')?.elements(1)[0]?.field('message')?.field('id')));
}

function kindOf(event: JsonNode): string {
  return asString(valueOf(event.field('event'))) ?? '';
}
