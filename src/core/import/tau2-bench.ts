import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, Role, ToolSchema } from '../trace/model';
import { plainRole } from './chat-rows';
import { contentParts, hasOwnText, idText, otherPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { openaiUsage } from './openai-decode';
import { valueOf } from './run-list';
import { toolSchemas } from './tool-schemas';
import { utcMs } from './utc-time';

/**
 * tau2-bench (formats.md §15): a results file with its simulations, one simulation, or JSONL of them. A tool message's
 * own `id` is the call's id. Users call tools too: those calls stand in user rows. Voice runs have ticks instead of
 * messages; the chunks of one utterance are one row.
 *
 * countsReasoning: false, as for chat completions.
 */
export const tau2Bench: Format = {
  id: 'tau2-bench',
  title: 'tau2-bench simulations',
  reads: 'parts',
  detect,
  open: (context) => new Tau2Session(context),
  decode: (records) => rowParts(records),
};

function detect(sample: Sample): number {
  const objects = sample.records.map(asObject);
  const scores = objects.map((object) => {
    if (!object) return 0;
    if (isSimulation(object)) return 0.95;
    const info = asObject(object['info']);
    const isResults = info !== undefined && 'environment_info' in info && ('agent_info' in info || 'user_info' in info);
    return isResults || (Array.isArray(object['simulations']) && Array.isArray(object['tasks'])) ? 0.95 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function isSimulation(object: JsonObject): boolean {
  const hasRun = Array.isArray(object['ticks']) || Array.isArray(object['messages']);
  return hasRun && 'task_id' in object && ('termination_reason' in object || 'reward_info' in object) && ('start_time' in object || 'trial' in object);
}

/** The chunks of an utterance, or one message (a group of tool messages is one too). */
function rowParts(records: readonly unknown[]): Part[] {
  // The policy of the results file is the system prompt of each simulation.
  if (typeof records[0] === 'string') return contentParts(records[0]);
  const objects = records.map((record) => asObject(record) ?? {});
  if (objects.some((object) => 'contains_speech' in object)) return speechParts(objects);
  return objects.flatMap(messageParts);
}

function speechParts(chunks: readonly JsonObject[]): Part[] {
  const text = chunks.map((chunk) => asString(chunk['content']) ?? '').join('');
  return text.trim() === '' ? [otherPart('speech', `${chunks.length} ticks of speech without a transcript`)] : contentParts(text);
}

function messageParts(message: JsonObject): Part[] {
  const group = asArray(message['tool_messages']);
  if (group) return group.flatMap((entry) => messageParts({ role: 'tool', ...asObject(entry) }));
  if (message['role'] === 'tool' || ('requestor' in message && 'error' in message && !('name' in message))) return [resultPart(message)];
  if ('arguments' in message && 'name' in message) return [toolCall(message['id'], message['name'], message['arguments'])];
  const calls = (asArray(message['tool_calls']) ?? []).map((call): Part => toolCall(asObject(call)?.['id'], asObject(call)?.['name'], asObject(call)?.['arguments']));
  return [...contentParts(message['content']), ...calls];
}

function resultPart(message: JsonObject): Part {
  const content = message['content'];
  const isPlain = content === null || content === undefined || typeof content === 'string';
  return { type: 'tool_result', callId: idText(message['id']), content: contentParts(isPlain ? content : stringifyJson(content)), ...(message['error'] === true ? { isError: true } : {}) };
}

class Tau2Session implements FormatSession {
  private readonly runs: Tau2Run[] = [];
  private model: string | undefined;
  private policy: JsonNode | undefined;
  private policyLine = 0;
  private tools: ToolSchema[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const info = fields.get('info')?.fields();
    if (info) {
      this.model = asString(asObject(valueOf(info.get('agent_info')))?.['llm']);
      const environment = info.get('environment_info');
      this.policy = environment?.field('policy');
      this.policyLine = line;
      this.tools = toolSchemas(valueOf(environment?.field('tool_defs')));
    }
    const list = fields.get('simulations');
    if (list) for (const simulation of list.elements()) this.addSimulation(simulation, line, false);
    else if (fields.has('ticks') || fields.has('messages')) this.addSimulation(node, line, this.context.single);
    else this.context.warn('The file is an index: its simulations are in files of their own.');
  }

  private addSimulation(node: JsonNode, line: number, single: boolean): void {
    const run = new Tau2Run(this.context, node, line, this.model, this.tools);
    run.read(this.policy, this.policyLine);
    this.runs.push(run);
    if (single) this.context.count(run.isVoice ? 'tick' : 'message', run.units);
    else this.context.count('simulation');
  }

  build(): TrajectoryDraft[] { return this.runs.map((run) => run.build(this.context.baseName)); }

  counts(): Partial<FileCounts> { return { messages: this.runs.reduce((sum, run) => sum + run.messages, 0) }; }
}

class Tau2Run {
  messages = 0;
  units = 0;
  readonly isVoice: boolean;
  private readonly draft = new DraftWriter();
  private readonly fields: ReadonlyMap<string, JsonNode>;
  private readonly name: string;
  private readonly outcome: Outcome | undefined;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number, private readonly model: string | undefined, private readonly tools: ToolSchema[]) {
    this.fields = node.fields();
    this.isVoice = (this.fields.get('ticks')?.elements(1).length ?? 0) > 0;
    const trial = asNumber(valueOf(this.fields.get('trial')));
    this.name = `task ${idText(valueOf(this.fields.get('task_id')))}${trial === undefined ? '' : ` trial ${trial}`}`;
    const reward = asNumber(asObject(valueOf(this.fields.get('reward_info')))?.['reward']);
    const label = asString(valueOf(this.fields.get('termination_reason')));
    if (reward !== undefined || label !== undefined) this.outcome = { ...(reward === undefined ? {} : { reward, success: reward === 1 }), ...(label === undefined ? {} : { label }) };
  }

  read(policy: JsonNode | undefined, policyLine: number): void {
    const list = this.fields.get('messages')?.elements() ?? [];
    const startsWithSystem = asObject(valueOf(list[0]))?.['role'] === 'system';
    if (policy && typeof valueOf(policy) === 'string' && !startsWithSystem) this.draft.addMessage({ role: 'system' }, contentParts(valueOf(policy)), policy, policyLine);
    for (const message of list) this.addMessage(message);
    const ticks = this.fields.get('ticks')?.elements() ?? [];
    if (list.length === 0) this.addTicks(ticks);
    this.units = this.isVoice ? ticks.length : list.length;
    this.messages = list.length;
  }

  private addMessage(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return;
    }
    const message = asObject(value) ?? {};
    const role = plainRole(asString(message['role']) ?? '', this.context);
    const parts = rowParts([message]);
    const flags = role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
    const row = this.draft.addMessage({ role, flags, timestampMs: utcMs(message['timestamp']), model: role === 'assistant' ? this.model : undefined }, parts, node, this.line);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, openaiUsage(message['usage']));
  }

  /** Each speaker's chunks run on until that speaker is silent; both may speak in the same tick. */
  private addTicks(ticks: readonly JsonNode[]): void {
    const open: Record<'user' | 'agent', { nodes: JsonNode[]; time: number | undefined }> = { user: { nodes: [], time: undefined }, agent: { nodes: [], time: undefined } };
    const flush = (who: 'user' | 'agent'): void => {
      const { nodes, time } = open[who];
      if (nodes.length > 0) this.addRow(who === 'user' ? 'user' : 'assistant', nodes, time);
      open[who] = { nodes: [], time: undefined };
    };
    for (const tick of ticks) {
      const fields = tick.fields();
      const time = utcMs(valueOf(fields.get('timestamp')));
      for (const who of ['user', 'agent'] as const) {
        const chunk = fields.get(`${who}_chunk`);
        const value = asObject(valueOf(chunk));
        if (chunk && value && (value['contains_speech'] === true || (asString(value['content']) ?? '') !== '')) {
          if (open[who].nodes.length === 0) open[who].time = time;
          open[who].nodes.push(chunk);
        } else flush(who);
      }
      for (const [name, role] of TICK_TOOLS) {
        for (const entry of (fields.get(name)?.elements() ?? []).filter((node) => valueOf(node) !== undefined)) {
          flush(role === 'assistant' ? 'agent' : 'user');
          this.addRow(name.endsWith('results') ? 'tool' : role, [entry], time);
        }
      }
    }
    flush('user');
    flush('agent');
  }

  private addRow(role: Role, nodes: readonly JsonNode[], time: number | undefined): void {
    const parts = rowParts(nodes.map(valueOf));
    const flags = role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
    const row = this.draft.columns.addRow({ role, flags, timestampMs: time, model: role === 'assistant' ? this.model : undefined });
    for (const node of nodes) this.draft.columns.addSpan(row, spanOf(node, this.line));
    this.draft.columns.addParts(row, parts);
  }

  build(file: string): TrajectoryDraft {
    const reason = this.outcome?.label;
    const draft = this.draft.build({ name: `${file} ${this.name}`, model: this.model, outcome: this.outcome, createdMs: utcMs(valueOf(this.fields.get('start_time'))) }, (columns) => [linearThread(columns.n, this.tools, false)]);
    if (reason !== undefined && /error/i.test(reason)) draft.events.push({ kind: 'error', sourceKind: 'termination_reason', thread: MAIN_THREAD, afterRow: draft.columns.n - 1, label: reason });
    return draft;
  }
}

const TICK_TOOLS: readonly (readonly [string, Role])[] = [['user_tool_calls', 'user'], ['user_tool_results', 'user'], ['agent_tool_calls', 'assistant'], ['agent_tool_results', 'assistant']];
