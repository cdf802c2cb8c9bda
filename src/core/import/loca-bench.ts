import { asArray, asBoolean, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, Role, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { hasOwnText, idText } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { firstNumber, observedParts, observedRole } from './observed-message';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * LOCA-bench trajectories and VISTA's wrapping of them (formats.md §16; keys as hkust-nlp/LOCA-bench and binyxu/VISTA write
 * them): `{messages, events, metrics}`, `loca_traj_v1`, the older `{full_messages_history, reset_events, …}`, and
 * `all_trajectories.json` by task and state. The rows are the full history; what was reset, trimmed or summarised are events.
 *
 * countsReasoning: true. Reasoning stays in the messages until a thinking reset blanks it.
 */
export const locaBench: Format = {
  id: 'loca-bench',
  title: 'LOCA-bench / VISTA run',
  reads: 'parts',
  detect,
  open: (context) => {
    const names = new Map<JsonNode, string>();
    return new RunListSession(context, (node, line) => new LocaRun(context, node, line, names.get(node)), (node) => splitRuns(node, names));
  },
  decode: (records) => records.flatMap(observedParts),
};

const EVENT_LISTS: readonly (readonly [string, string])[] = [['reset', 'reset_events'], ['trim', 'trim_events'], ['summary', 'summary_events'], ['thinking_reset', 'thinking_reset_events'], ['summary_skip', 'summary_skip_events'], ['context_management', 'context_management_events']];

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    if (!object) return 0;
    const own = runScore(object);
    if (own > 0) return own;
    const states = Object.values(object).flatMap((task) => Object.values(asObject(task) ?? {})).map(asObject);
    return states.length > 0 && states.every((state) => state && runScore(state) > 0) ? 0.93 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function runScore(object: JsonObject): number {
  if (asString(object['schema_version'])?.startsWith('loca_traj')) return 0.98;
  const events = asObject(object['events']);
  const hasLists = events !== undefined && ['reset', 'summary', 'trim'].filter((name) => Array.isArray(events[name])).length >= 2;
  if (Array.isArray(object['messages']) && hasLists && asObject(object['metrics'])) return 0.96;
  const isOld = Array.isArray(object['full_messages_history']) && ['steps', 'reset_events', 'trim_events', 'claude_messages', 'usage_tracking', 'final_messages'].some((key) => key in object);
  return isOld ? 0.95 : 0;
}

/** One run, or `{task: {state: run}}`. */
function splitRuns(node: JsonNode, names: Map<JsonNode, string>): readonly JsonNode[] {
  const fields = node.fields();
  if (['messages', 'full_messages_history', 'conversation', 'schema_version', 'claude_messages'].some((name) => fields.has(name))) return [node];
  return [...fields].flatMap(([task, states]) => [...states.fields()].map(([state, run]) => {
    names.set(run, `${task}/${state}`);
    return run;
  }));
}

const SUMMARY_START = 'You previously worked on this task in an earlier context window';

class LocaRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly tools: ToolSchema[];
  private readonly model: string | undefined;
  private readonly name: string | undefined;
  private readonly outcome: Outcome | undefined;
  /** Rows of model calls in order, and the last row that belongs to each. */
  private readonly calls: { row: number; last: number }[] = [];
  private summaries: number[] = [];

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number, key: string | undefined) {
    const fields = node.fields();
    const inner = fields.get('conversation')?.fields() ?? fields;
    const payload = fields.get('provider_payload')?.fields() ?? fields;
    this.model = asString(valueOf(payload.get('model')));
    this.tools = toolSchemas(valueOf(payload.get('tools') ?? fields.get('tools')));
    const task = asObject(valueOf(fields.get('task')));
    this.name = key ?? ([asString(task?.['config_name']), idText(task?.['task_id']) && `task ${idText(task?.['task_id'])}`, idText(task?.['run_id']) && `run ${idText(task?.['run_id'])}`].filter(Boolean).join(' ') || undefined);
    this.outcome = outcomeOf(asObject(valueOf(fields.get('metrics'))) ?? { accuracy: valueOf(fields.get('accuracy')), completed: valueOf(fields.get('completed')) });
    this.addMessages(inner, fields);
    this.addUsage(valueOf(payload.get('usage_tracking')));
    this.addEvents(fields);
    context.count('message', this.draft.columns.rowCount);
  }

  /** The full history; some writers leave the opening task out of it, which the messages that are left still have. */
  private addMessages(inner: ReadonlyMap<string, JsonNode>, outer: ReadonlyMap<string, JsonNode>): void {
    const list = (name: string): readonly JsonNode[] => (inner.get(name) ?? outer.get(name))?.elements() ?? [];
    const full = list('full_messages_history');
    const left = [list('messages'), list('claude_messages'), list('final_messages')].find((found) => found.length > 0) ?? [];
    const rows = full.length > 0 ? full : left;
    const startsAsked = roleOf(rows[0]) === 'user' || roleOf(rows[0]) === 'system';
    if (!startsAsked && rows !== left && roleOf(left[0]) === 'user') this.addMessage(left[0]!);
    for (const message of rows) this.addMessage(message);
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const role = observedRole(value);
    const parts: Part[] = observedParts(value);
    const row = this.draft.addMessage({ role, flags: this.flagsOf(role, parts), model: role === 'assistant' ? this.model : undefined }, parts, node, this.line);
    if (role === 'assistant') this.calls.push({ row, last: row });
    else if (this.calls.length > 0) this.calls.at(-1)!.last = row;
    if (this.draft.columns.rowFlags(row) & MessageFlag.compactSummary) this.summaries.push(row);
  }

  /** The person asks once; budget notes, warnings and summary requests are the harness's. */
  private flagsOf(role: Role, parts: readonly Part[]): number {
    if (role !== 'user' || !hasOwnText(parts)) return 0;
    const first = parts.find((part) => part.type === 'text');
    if (first?.type === 'text' && first.text.startsWith(SUMMARY_START)) return MessageFlag.compactSummary;
    return this.calls.length > 0 ? MessageFlag.harness : MessageFlag.instruction;
  }

  private addUsage(list: unknown): void {
    for (const entry of asArray(list) ?? []) {
      const usage = asObject(entry);
      const call = this.calls[(asNumber(usage?.['step']) ?? 0) - 1];
      if (usage && call) this.draft.columns.mergeUsage(call.row, stepUsage(asObject(usage['usage']) ?? usage));
    }
  }

  private addEvents(fields: ReadonlyMap<string, JsonNode>): void {
    const grouped = fields.get('events')?.fields();
    const found: TraceEvent[] = [];
    for (const [name, oldName] of EVENT_LISTS) {
      for (const node of (grouped?.get(name) ?? fields.get(oldName))?.elements() ?? []) {
        const event = asObject(valueOf(node));
        if (event) found.push(this.makeEvent(name, node, event));
        else this.context.unknown(`event ${name}`);
      }
    }
    found.sort((a, b) => a.afterRow - b.afterRow);
    this.nameRows(found);
    this.draft.events.push(...found);
  }

  /**
   * Resets and trims count what they took from the messages that were left (hkust-nlp/LOCA-bench, run_react.py): a reset
   * the results of the oldest calls, an answer with all of its results as one pair; a trim whole answers with theirs, the
   * harness's notes about them too. Which those were follows from the edits before.
   */
  private nameRows(events: readonly TraceEvent[]): void {
    const { columns } = this.draft;
    const gone = new Set<number>();
    for (const event of events) {
      const last = event.afterRow;
      if (event.sourceKind === 'summary') for (let row = 0; row <= last; row++) gone.add(row);
      const data = event.data!;
      if (event.sourceKind === 'reset' && typeof data['cleared_tool_uses'] === 'number') {
        const cleared = this.calls
          .map(({ row, last: end }) => rangeOf(row + 1, Math.min(end, last)).filter((at) => columns.role(at) === 'tool' && !gone.has(at)))
          .filter((results) => results.length > 0).slice(0, data['cleared_tool_uses']).flat();
        cleared.forEach((row) => { gone.add(row); });
        data['clearedRows'] = cleared.join(',');
      } else if (event.sourceKind === 'trim' && typeof data['removedMessages'] === 'number') {
        const isNote = (row: number): boolean => (columns.rowFlags(row) & MessageFlag.harness) !== 0;
        const removed = rangeOf(0, last).filter((row) => !gone.has(row) && (columns.role(row) === 'assistant' || columns.role(row) === 'tool' || isNote(row))).slice(0, data['removedMessages']);
        removed.forEach((row) => { gone.add(row); });
        data['removedRows'] = removed.join(',');
      }
    }
  }

  /** Steps count model calls from 1; an event happens after the results of its step. */
  private makeEvent(name: string, node: JsonNode, value: JsonObject): TraceEvent {
    const step = asNumber(value['step']);
    const call = step === undefined ? undefined : this.calls[Math.min(step, this.calls.length) - 1];
    // The API reports its edits with the answer they were made for; the harness edits when the results are there.
    const afterRow = step === undefined ? this.draft.columns.rowCount - 1 : ((name === 'context_management' ? call?.row : call?.last) ?? -1);
    const info = asObject(value['reset_info']) ?? asObject(value['thinking_reset_info']) ?? asObject(value['trim_info']) ?? {};
    const data: Record<string, number | string | boolean | null> = {
      tokensBefore: firstNumber(value, 'tokens_before_reset', 'tokens_before', 'total_tokens') ?? firstNumber(info, 'original_tokens', 'tokens_before') ?? null,
      tokensAfter: firstNumber(value, 'tokens_after_reset', 'tokens_after') ?? firstNumber(info, 'final_tokens', 'tokens_after') ?? null,
      step: step ?? null, threshold: asNumber(value['reset_size']) ?? null,
    };
    const pairs = firstNumber(info, 'num_pairs_removed');
    let label = 'The context was edited.';
    if (name === 'reset') {
      label = `${pairs ?? 'The oldest'} call pairs were cleared.`;
      if (pairs !== undefined) data['cleared_tool_uses'] = pairs;
    } else if (name === 'thinking_reset') {
      label = `Reasoning of ${firstNumber(info, 'num_cleared') ?? 'earlier'} answers was blanked.`;
    } else if (name === 'trim') {
      const removed = firstNumber(info, 'removed_count');
      label = `${removed ?? 'The oldest'} messages were trimmed from the front.`;
      data['removedMessages'] = removed ?? null;
    } else if (name === 'summary') {
      label = 'The history was summarised into a new context.';
      const summaryRow = this.summaries.find((row) => row > afterRow) ?? null;
      Object.assign(data, { trigger: asString(value['trigger_reason']) ?? null, summaryRow, firstKeptRow: null, summary: summaryRow === null ? (asString(value['summary']) ?? null) : null });
    } else if (name === 'summary_skip') label = `A summary was put off: ${asString(value['reason']) ?? 'no reason given'}.`;
    else {
      const cleared = firstNumber(value, 'cleared_tool_uses');
      if (cleared !== undefined) data['cleared_tool_uses'] = cleared;
    }
    const kind = name === 'summary' ? 'compaction' : name === 'summary_skip' ? 'other' : 'context-edit';
    return { kind, sourceKind: name, thread: MAIN_THREAD, afterRow, label, data, span: spanOf(node, this.line) };
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.name ?? fallbackName, model: this.model, outcome: this.outcome }, (columns) => [linearThread(columns.n, this.tools, true)]);
  }
}

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from + i);
}

function roleOf(node: JsonNode | undefined): Role | undefined {
  return node ? observedRole(valueOf(node)) : undefined;
}

function outcomeOf(metrics: JsonObject): Outcome | undefined {
  const accuracy = asNumber(metrics['accuracy']);
  const completed = asBoolean(metrics['completed']);
  if (accuracy === undefined && completed === undefined) return undefined;
  return { ...(accuracy === undefined ? {} : { reward: accuracy, success: accuracy >= 1 }), ...(completed === undefined ? {} : { label: completed ? 'completed' : 'not completed' }) };
}

/** OpenAI's names count cached tokens inside the prompt, Anthropic's apart. */
function stepUsage(usage: JsonObject): Partial<Usage> {
  const prompt = asNumber(usage['prompt_tokens']);
  const cached = asNumber(asObject(usage['prompt_tokens_details'])?.['cached_tokens']);
  if (prompt !== undefined) return { input: prompt - (cached ?? 0), cachedInput: cached, output: asNumber(usage['completion_tokens']) };
  return { input: asNumber(usage['input_tokens']), cachedInput: asNumber(usage['cache_read_input_tokens']), cacheWrite: asNumber(usage['cache_creation_input_tokens']), output: asNumber(usage['output_tokens']) };
}
