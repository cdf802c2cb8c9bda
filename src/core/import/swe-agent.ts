import { asArray, asNumber, asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, Role } from '../trace/model';
import { contentParts, otherPart, reasoningPart, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, RowFacts, Sample, SourceRecord, TrajectoryDraft } from './format';
import { chatParts } from './openai-decode';
import type { JsonNode } from './json-node';
import { valueOf } from './run-list';

/**
 * SWE-agent .traj, v0 and v1 (formats.md §5): `history` holds the messages, `trajectory` the steps (whose copies of the
 * whole prompt are not read). Without native tool calls the `action` of an assistant turn is its call and the next user
 * turn its result, with ids `step-N`. The observation of a last step that never went back to the model stands in
 * `trajectory` alone: it is a result in the row of its call.
 *
 * countsReasoning: only where thinking blocks are recorded, which are then sent back.
 */
export const sweAgent: Format = {
  id: 'swe-agent',
  title: 'SWE-agent trajectory',
  reads: 'parts',
  detect,
  open: (context) => new SweSession(context),
  decode: (records, facts) => records.flatMap((record) => recordParts(record, facts)),
};

function detect(sample: Sample): number {
  const objects = sample.records.map(asObject);
  const scores = objects.map((object): number => {
    const step = asObject(asArray(object?.['trajectory'])?.[0]);
    const isSteps = step !== undefined && 'action' in step && 'observation' in step;
    const isEmpty = asArray(object?.['trajectory'])?.length === 0;
    const hasStats = asObject(asObject(object?.['info'])?.['model_stats']) !== undefined;
    if (isSteps) return object && ('history' in object || hasStats) ? 0.97 : 0.6;
    return isEmpty && Array.isArray(object?.['history']) && hasStats ? 0.9 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

/** First word of an action; a shell line that starts with none is `bash`. */
const COMMAND_NAME = /^\s*([A-Za-z_][\w.-]*)/;

function recordParts(record: unknown, facts: Pick<RowFacts, 'role' | 'flags'>): Part[] {
  // The observation of a step, out of `trajectory`.
  if (typeof record === 'string') return [{ type: 'tool_result', callId: '', content: contentParts(record) }];
  const entry = asObject(record);
  if (!entry) return [otherPart('entry', record)];
  if (entry['role'] === undefined) return stepParts(entry);
  const isDemo = (facts.flags & MessageFlag.demonstration) !== 0;
  if (facts.role === 'assistant') return [...thinkingParts(entry), ...assistantParts(entry, isDemo)];
  if (facts.role !== 'tool' || isDemo) return contentParts(entry['content']);
  const ids = asArray(entry['tool_call_ids']);
  const isError = entry['is_error'] === true;
  return [{ type: 'tool_result', callId: asString(ids?.[0]) ?? asString(entry['tool_call_id']) ?? '', content: contentParts(entry['content']), ...(isError ? { isError } : {}) }];
}

function thinkingParts(entry: JsonObject): Part[] {
  return (asArray(entry['thinking_blocks']) ?? []).map((block) => reasoningPart(asObject(block)?.['thinking']));
}

function assistantParts(entry: JsonObject, isDemo: boolean): Part[] {
  const parts = chatParts(entry);
  // Calls of a demonstration were never made: kept raw, so that nothing counts or pairs them.
  if (isDemo) return parts.map((part) => (part.type === 'tool_call' ? otherPart('tool_call', part.args) : part));
  if (parts.some((part) => part.type === 'tool_call')) return parts;
  const action = asString(entry['action']);
  return action?.trim() ? [...parts, actionCall(action)] : parts;
}

function actionCall(action: string): Part {
  return { ...toolCall('', COMMAND_NAME.exec(action)?.[1] ?? 'bash', action), fenced: true };
}

/** A step of a file without history. */
function stepParts(step: JsonObject): Part[] {
  const said = contentParts(asString(step['response']) ?? asString(step['thought']) ?? '');
  const action = asString(step['action']);
  return action?.trim() ? [...said, actionCall(action)] : said;
}

class SweSession implements FormatSession {
  private readonly runs: SweRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const run = new SweRun(this.context, node, line);
    this.runs.push(run);
    if (this.context.single) this.context.count('step', run.steps);
    else this.context.count('trajectory');
  }

  build(): TrajectoryDraft[] {
    const { baseName } = this.context;
    return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${baseName} #${i + 1}` : baseName));
  }
}

class SweRun {
  readonly steps: number;
  private readonly draft = new DraftWriter();
  private readonly info: JsonObject;
  private readonly model: string | undefined;
  private countsReasoning = false;
  /** Ids of calls that wait for their results, and the row of their message. */
  private open: { row: number; ids: string[]; action: string | undefined } = { row: -1, ids: [], action: undefined };
  private actions = 0;
  private answered = false;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    const info = fields.get('info');
    this.info = asObject(valueOf(info)) ?? {};
    this.model = modelName(fields.get('replay_config'));
    const steps = fields.get('trajectory')?.elements() ?? [];
    this.steps = steps.length;
    const history = fields.get('history')?.elements() ?? [];
    for (const entry of history) this.addEntry(entry);
    if (history.length === 0) for (const step of steps) this.addStep(step);
    else this.addLastObservation(steps[steps.length - 1]);
  }

  private addEntry(node: JsonNode): void {
    const entry = asObject(valueOf(node));
    if (!entry) {
      this.context.unknown('history entry');
      return;
    }
    const source = asString(entry['role']) ?? 'user';
    const isDemo = entry['is_demo'] === true || entry['message_type'] === 'demonstration';
    const isObservation = source === 'user' && !isDemo && this.open.ids.length > 0;
    const role: Role = source === 'system' || source === 'assistant' ? source : source === 'tool' || isObservation ? 'tool' : 'user';
    let flags = isDemo ? MessageFlag.demonstration : 0;
    if (role === 'user' && !isDemo) flags |= this.answered ? MessageFlag.harness : MessageFlag.instruction;
    const parts = this.withIds(recordParts(entry, { role, flags }));
    const row = this.draft.addMessage({ role, flags, timestampMs: undefined }, parts, node, this.line);
    if (role === 'assistant' && !isDemo) {
      this.answered = true;
      this.open = { row, ids: parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])), action: asString(entry['action']) };
      if (Array.isArray(entry['thinking_blocks'])) this.countsReasoning = true;
    }
  }

  private withIds(parts: Part[]): Part[] {
    return parts.map((part) => {
      if (part.type === 'tool_call') return part.id === '' ? { ...part, id: `step-${++this.actions}` } : part;
      if (part.type !== 'tool_result') return part;
      const id = part.callId || (this.open.ids[0] ?? '');
      this.open.ids = this.open.ids.filter((open) => open !== id);
      return { ...part, callId: id };
    });
  }

  private addLastObservation(step: JsonNode | undefined): void {
    const fields = step?.fields();
    const observation = fields?.get('observation');
    const seen = observation?.kind === 'string' ? valueOf(observation) : undefined;
    if (this.open.ids.length === 0 || !observation || seen === undefined) return;
    const action = asString(valueOf(fields!.get('action')));
    if (this.open.action !== undefined && action !== undefined && action.trim() !== this.open.action.trim()) return;
    this.draft.columns.addSpan(this.open.row, spanOf(observation, this.line));
    this.draft.columns.addParts(this.open.row, this.withIds(recordParts(seen, { role: 'assistant', flags: 0 })));
  }

  private addStep(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable step');
      return;
    }
    const parts = this.withIds(recordParts(value, { role: 'assistant', flags: 0 }));
    const row = this.draft.addMessage({ role: 'assistant' }, parts, node, this.line);
    this.open = { row, ids: parts.flatMap((part) => (part.type === 'tool_call' ? [part.id] : [])), action: undefined };
    const observation = node.field('observation');
    const seen = observation?.kind === 'string' ? valueOf(observation) : undefined;
    if (observation && seen !== undefined && this.open.ids.length > 0) {
      this.draft.addMessage({ role: 'tool' }, this.withIds(recordParts(seen, { role: 'tool', flags: 0 })), observation, this.line);
    }
  }

  build(fallbackName: string): TrajectoryDraft {
    const draft = this.draft.build({ name: fallbackName, model: this.model, outcome: this.outcome() }, (columns) => [linearThread(columns.n, [], this.countsReasoning)]);
    // Tokens are recorded for the whole run only; 0 beside real calls means that they were not measured.
    const stats = asObject(this.info['model_stats']);
    const sent = asNumber(stats?.['tokens_sent']) || null;
    const received = asNumber(stats?.['tokens_received']) || null;
    return { ...draft, usage: { ...draft.usage, input: sent, output: received } };
  }

  private outcome(): Outcome | undefined {
    const label = asString(this.info['exit_status']);
    return label === undefined ? undefined : { label };
  }
}

/** `replay_config` is JSON in a string (v1) or an object. */
function modelName(config: JsonNode | undefined): string | undefined {
  let value = valueOf(config);
  if (typeof value === 'string') {
    try {
      value = parseJson(value);
    } catch {
      return undefined;
    }
  }
  const agent = asObject(asObject(value)?.['agent']);
  const model = asObject(agent?.['model']);
  return asString(model?.['name']) ?? asString(model?.['model_name']);
}
