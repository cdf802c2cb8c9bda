import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, TraceEvent, Usage } from '../trace/model';
import { hasOwnText, idText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { geminiParts } from './gemini-parts';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';
import { mostly } from './sampling';
import { ThreadLines } from './thread-lines';

/**
 * Google ADK (formats.md §18; google/adk-python src/google/adk/events/event.py and sessions/session.py): a session with
 * its `events`, a list of events, or JSONL of events or sessions. Both key spellings. Pieces of a stream (`partial`) are
 * repeated whole and only counted. Agents share one conversation; a `branch` is a thread of its own.
 *
 * countsReasoning: false. Thoughts are left out of later requests.
 */
export const googleAdk: Format = {
  id: 'google-adk',
  title: 'Google ADK session',
  reads: 'parts',
  detect,
  open: (context) => new AdkSession(context),
  decode: (records) => records.flatMap((record) => eventParts(asObject(record) ?? {})),
};

/** Python's and JavaScript's spelling of a key. */
function either(object: JsonObject, camel: string): unknown {
  return object[camel] ?? object[camel.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

function isEvent(value: unknown): boolean {
  const object = asObject(value);
  if (!object || typeof object['author'] !== 'string') return false;
  const isMarked = 'invocationId' in object || 'invocation_id' in object;
  return isMarked && ('content' in object || 'actions' in object || 'errorCode' in object || 'error_code' in object);
}

function isSession(value: unknown): boolean {
  const object = asObject(value);
  const events = asArray(object?.['events']);
  return object !== undefined && events !== undefined && (events.length > 0 ? mostly(events, isEvent) : either(object, 'appName') !== undefined && either(object, 'userId') !== undefined);
}

function detect(sample: Sample): number {
  const values = sample.records.flatMap((record) => asArray(record) ?? [record]);
  return mostly(values, (value) => isEvent(value) || isSession(value)) ? 0.96 : 0;
}

function eventParts(event: JsonObject): Part[] {
  return geminiParts(asObject(event['content'])?.['parts']);
}

/** The prompt includes cached tokens, candidates exclude thoughts. */
function adkUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  const count = (name: string): number | undefined => (usage ? asNumber(either(usage, name)) : undefined);
  const prompt = count('promptTokenCount');
  const cached = count('cachedContentTokenCount');
  return { input: prompt === undefined ? undefined : Math.max(0, prompt - (cached ?? 0)), cachedInput: cached, output: count('candidatesTokenCount'), reasoning: count('thoughtsTokenCount') };
}

class AdkSession implements FormatSession {
  private readonly runs: AdkRun[] = [];
  /** Events that stand alone make one run. */
  private loose: AdkRun | null = null;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    for (const element of node.kind === 'array' ? node.elements() : [node]) {
      const events = element.field('events');
      if (events) {
        const run = new AdkRun(this.context, element);
        this.runs.push(run);
        for (const event of events.elements()) run.addEvent(event, line);
        if (events.elements(1).length === 0) this.context.count('session');
      } else {
        if (!this.loose) this.runs.push((this.loose = new AdkRun(this.context)));
        this.loose.addEvent(element, line);
      }
    }
  }

  build(): TrajectoryDraft[] {
    const many = this.runs.length > 1;
    return this.runs.map((run, i) => run.build(many ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

class AdkRun {
  private readonly draft = new DraftWriter();
  private readonly lines = new ThreadLines();
  private readonly pairing = new OrderPairing();
  private readonly name: string | undefined;

  constructor(private readonly context: FormatContext, session?: JsonNode) {
    const fields = session?.fields();
    const app = asString(valueOf(fields?.get('appName') ?? fields?.get('app_name')));
    const id = idText(valueOf(fields?.get('id')));
    this.name = app === undefined ? undefined : `${app} ${id}`.trim();
  }

  addEvent(node: JsonNode, line: number): void {
    const value = valueOf(node);
    const event = asObject(value);
    if (!event) {
      this.context.count('unreadable event');
      this.context.unknown('unreadable event');
      return;
    }
    if (event['partial'] === true) {
      this.context.count('partial event');
      return;
    }
    this.context.count('event');
    const thread = this.threadOf(event);
    if (asArray(asObject(event['content'])?.['parts']) !== undefined) this.addMessage(event, node, line, thread);
    this.addFacts(event, node, line, thread);
  }

  /** `agent_1.agent_2`: agents that do not see each other's turns. */
  private threadOf(event: JsonObject): string {
    const branch = asString(event['branch']);
    if (!branch) return MAIN_THREAD;
    const cut = branch.lastIndexOf('.');
    this.lines.open(branch, { title: branch.slice(cut + 1), ...(cut < 0 ? {} : { parentThread: branch.slice(0, cut) }) });
    return branch;
  }

  private addMessage(event: JsonObject, node: JsonNode, line: number, thread: string): void {
    const parts = this.pairing.assign(eventParts(event));
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const role: Role = isResult ? 'tool' : event['author'] === 'user' ? 'user' : 'assistant';
    const side = thread === MAIN_THREAD ? 0 : MessageFlag.sidechain;
    const flags = side | (role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0);
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(event['timestamp']), model: role === 'assistant' ? asString(either(event, 'modelVersion')) : undefined }, parts, node, line);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, adkUsage(either(event, 'usageMetadata')));
    this.lines.add(thread, row);
  }

  private addFacts(event: JsonObject, node: JsonNode, line: number, thread: string): void {
    const push = (kind: TraceEvent['kind'], sourceKind: string, label: string, data?: TraceEvent['data']): void => {
      const home = this.lines.home(thread);
      this.draft.events.push({ kind, sourceKind, thread: home, afterRow: this.lines.lastRow(home), label: firstLine(label, 160), timestampMs: timestampMs(event['timestamp']), span: spanOf(node, line), ...(data ? { data } : {}) });
    };
    const code = asString(either(event, 'errorCode'));
    const message = asString(either(event, 'errorMessage'));
    if (code !== undefined || message !== undefined) push('error', 'errorCode', [code, message].filter(Boolean).join(': '));
    if (event['interrupted'] === true) push('interruption', 'interrupted', 'The answer was interrupted.');
    const actions = asObject(event['actions']);
    if (!actions) return;
    const target = asString(either(actions, 'transferToAgent'));
    if (target) push('other', 'transferToAgent', `Handed over to ${target}`);
    if (actions['escalate'] === true) push('other', 'escalate', 'Escalated to the parent agent');
    const rewind = asString(either(actions, 'rewindBeforeInvocationId'));
    if (rewind) push('checkpoint', 'rewindBeforeInvocationId', `Went back to before invocation ${rewind}`);
    const compaction = asObject(actions['compaction']);
    if (compaction) this.addCompaction(compaction, push);
  }

  /** Events of a span of time are replaced by a summary, which stands in the action itself. */
  private addCompaction(compaction: JsonObject, push: (kind: TraceEvent['kind'], sourceKind: string, label: string, data: TraceEvent['data']) => void): void {
    const summary = geminiParts(asObject(either(compaction, 'compactedContent'))?.['parts']).map((part) => (part.type === 'text' ? part.text : '')).join('\n');
    push('compaction', 'compaction', 'Earlier events were compacted', {
      tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary,
      startTimestamp: asNumber(either(compaction, 'startTimestamp')) ?? null, endTimestamp: asNumber(either(compaction, 'endTimestamp')) ?? null,
    });
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.name ?? fallbackName }, () => this.lines.threads(false));
  }
}
