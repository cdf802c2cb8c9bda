import { asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Usage } from '../trace/model';
import { hasOwnText, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate } from './embedded-json';
import type { Located } from './embedded-json';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { langchainMessage, langchainModel, langchainUsage } from './langchain-decode';
import { firstNumber, observedParts, observedRole, result } from './observed-message';
import { PromptHistory, messageKey } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { utcMs } from './utc-time';

/**
 * LangSmith runs (formats.md §12): one run, nested `child_runs`, or a flat list or JSONL in any order; one trajectory a
 * trace. The conversation is that of the model runs, which repeat their history; dumps that were cut to a root's inputs and
 * outputs are read from those. Tool runs fill in what the messages lack.
 *
 * countsReasoning: false. The recorded prompts say what went back.
 */
export const langsmith: Format = {
  id: 'langsmith',
  title: 'LangSmith runs',
  reads: 'parts',
  detect,
  open: (context) => new LangSmithSession(context),
  decode: (records, facts) => records.flatMap((record) => recordParts(record, facts.role)),
};

const RUN_TYPES = new Set(['llm', 'chain', 'tool', 'retriever', 'embedding', 'prompt', 'parser']);

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const scores = objects.map((object) => {
    if (!object) return 0;
    if (RUN_TYPES.has(asString(object['run_type']) ?? '')) return ['trace_id', 'dotted_order', 'parent_run_id', 'child_runs', 'parent_run_ids'].some((key) => key in object) ? 0.97 : 0.6;
    // Public dumps are often cut to these three.
    const [inputs, outputs] = [asObject(object['inputs']), asObject(object['outputs'])];
    const isCut = 'id' in object && Array.isArray(inputs?.['messages']) && (Array.isArray(outputs?.['messages']) || Array.isArray(outputs?.['generations']));
    return isCut ? 0.9 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

function recordParts(record: unknown, role: Role): Part[] {
  const run = asObject(record);
  if (run?.['run_type'] !== 'tool') return observedParts(record);
  const inputs = asObject(run['inputs']);
  if (role !== 'tool') return [toolCall('', run['name'], asString(inputs?.['input']) ?? stringifyJson(inputs?.['input'] ?? inputs))];
  const outputs = asObject(run['outputs']);
  const output = outputs && 'output' in outputs ? outputs['output'] : outputs;
  const message = langchainMessage(output);
  const failed = run['status'] === 'error' || asString(run['error']) !== undefined;
  return [{ ...result(message?.['tool_call_id'], run['name'], message ? message['content'] : (output ?? run['error'])), ...(failed ? { isError: true } : {}) }];
}

interface Run { id: string; parent: string | undefined; type: string; name: string; order: string; time: number; end: number; error: string | undefined; at: Located; fields: ReadonlyMap<string, JsonNode> }

class LangSmithSession implements FormatSession {
  private readonly traces = new Map<string, Run[]>();
  private messages = 0;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    for (const run of node.kind === 'array' ? node.elements() : [node]) this.addRun(run, line, undefined, undefined);
  }

  private addRun(node: JsonNode, line: number, parent: string | undefined, trace: string | undefined): void {
    if (valueOf(node) === undefined) {
      this.context.count('unreadable run');
      this.context.unknown('unreadable run');
      return;
    }
    const fields = node.fields();
    const text = (name: string): string | undefined => asString(valueOf(fields.get(name)));
    const id = text('id') ?? text('run_id') ?? `run-${this.traces.size}`;
    const type = text('run_type') ?? 'run';
    this.context.count(type);
    const own = text('trace_id') ?? trace ?? text('parent_run_id') ?? id;
    const time = utcMs(valueOf(fields.get('start_time'))) ?? 0;
    const run: Run = { id, parent: text('parent_run_id') ?? parent, type, name: text('name') ?? '', order: text('dotted_order') ?? '', time, end: utcMs(valueOf(fields.get('end_time'))) ?? time, error: text('error'), at: locate(node, line), fields };
    const list = this.traces.get(own);
    if (list) list.push(run);
    else this.traces.set(own, [run]);
    this.messages += inputNodes(run).length + outputNodes(run).length;
    for (const child of fields.get('child_runs')?.elements() ?? []) this.addRun(child, line, id, own);
  }

  counts(): Pick<FileCounts, 'messages'> { return { messages: this.messages }; }

  build(): TrajectoryDraft[] {
    return [...this.traces.values()].map((runs, i) => buildTrace(runs, this.traces.size > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

/** `inputs.messages`: a list of messages, or of lists of them. */
function inputNodes(run: Run): readonly JsonNode[] {
  const list = run.fields.get('inputs')?.field('messages')?.elements() ?? [];
  return list.flatMap((element) => (element.kind === 'array' ? element.elements() : [element]));
}

function outputNodes(run: Run): readonly JsonNode[] {
  const outputs = run.fields.get('outputs');
  const generations = outputs?.field('generations')?.elements() ?? [];
  const first = generations[0]?.kind === 'array' ? (generations[0].elements()[0] ?? undefined) : generations[0];
  const message = first?.field('message') ?? first?.field('text');
  if (message) return [message];
  const list = outputs?.field('messages');
  if (list) return list.elements().flatMap((element) => (element.kind === 'array' ? element.elements() : [element]));
  const choice = outputs?.field('choices')?.elements(1)[0]?.field('message');
  if (choice) return [choice];
  return outputs?.field('role') && outputs.field('content') ? [outputs] : [];
}

function promptMessage(run: Run, node: JsonNode, fallback: Role): PromptMessage {
  const value = valueOf(node);
  const role = typeof value === 'string' ? fallback : observedRole(value, fallback);
  const parts = recordParts(value, role);
  return { role, parts, spans: [run.at.span(node)], flags: role === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0 };
}

function buildTrace(runs: readonly Run[], fallbackName: string): TrajectoryDraft {
  const draft = new DraftWriter();
  const history = new PromptHistory(draft);
  const ids = new Set(runs.map(({ id }) => id));
  const root = runs.find(({ parent }) => parent === undefined || !ids.has(parent));
  const sorted = [...runs].sort((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : a.time - b.time));
  const calls = sorted.filter((run) => run.type === 'llm' && (inputNodes(run).length > 0 || outputNodes(run).length > 0));
  if (calls.length > 0) for (const run of sorted) addStep(history, run, calls);
  else if (root) addRoot(history, root);
  history.finish();
  for (const run of sorted) {
    if (run.error === undefined || runs.some((other) => other.parent === run.id && other.error !== undefined)) continue;
    draft.events.push({ kind: 'error', sourceKind: run.type, thread: MAIN_THREAD, afterRow: draft.columns.rowCount - 1, label: firstLine(`${run.name}: ${run.error}`, 160), timestampMs: run.end, span: run.at.span(run.at.node) });
  }
  const threads = history.threads();
  return draft.build({ name: root?.name || fallbackName, createdMs: root?.time || undefined }, () => (threads.length > 0 ? threads : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }]));
}

function addStep(history: PromptHistory, run: Run, calls: readonly Run[]): void {
  if (run.type === 'tool') {
    const value = asObject(valueOf(run.at.node));
    if (!value) return;
    const parts = recordParts(value, 'tool');
    const id = parts[0]?.type === 'tool_result' ? parts[0].callId : '';
    const spans = [run.at.span(run.at.node)];
    history.addTool({ id, name: run.name, timestampMs: run.time || undefined, call: { parts: recordParts(value, 'assistant'), spans }, result: value['outputs'] || value['error'] ? { parts, spans } : null });
  } else if (calls.includes(run)) {
    const outputs = outputNodes(run);
    const answer = langchainMessage(valueOf(outputs[0]));
    const extra = asObject(valueOf(run.fields.get('extra')));
    history.addCall({
      inputs: inputNodes(run).map((node) => promptMessage(run, node, 'user')),
      outputs: outputs.length > 0 ? outputs.map((node) => promptMessage(run, node, 'assistant')) : [{ role: 'assistant', parts: [], spans: [run.at.span(run.at.node)], flags: MessageFlag.failed }],
      timestampMs: run.time || undefined, endMs: run.end, callKey: run.id, usage: runUsage(run, answer), span: run.at.span(run.at.node), agent: run.name,
      model: asString(asObject(extra?.['metadata'])?.['ls_model_name']) ?? asString(asObject(extra?.['invocation_params'])?.['model']) ?? (answer && langchainModel(answer)),
    });
  }
}

/** A root whose outputs hold the whole state: what it was given stands in there too. */
function addRoot(history: PromptHistory, root: Run): void {
  const inputs = inputNodes(root).map((node) => promptMessage(root, node, 'user'));
  const outputs = outputNodes(root).map((node) => promptMessage(root, node, 'assistant'));
  const said = new Set(outputs.map(messageKey));
  const isState = inputs.every((message) => said.has(messageKey(message)));
  const all = isState ? outputs : [...inputs, ...outputs];
  if (all.length === 0) return;
  const from = all.findLastIndex(({ role }) => role === 'user') + 1;
  const model = outputNodes(root).map((node) => langchainMessage(valueOf(node))).flatMap((message) => (message && langchainModel(message)) ?? []).at(-1);
  history.addCall({ inputs: all.slice(0, from), outputs: all.slice(from), timestampMs: root.time || undefined, usage: runUsage(root, undefined), model, span: root.at.span(root.at.node) });
}

/** Messages know more than a run's sums, which hold cached tokens inside the prompt. */
function runUsage(run: Run, answer: JsonObject | undefined): Partial<Usage> {
  const own = answer ? langchainUsage(answer) : {};
  if (own.input !== undefined || own.output !== undefined) return own;
  const sums = { prompt_tokens: valueOf(run.fields.get('prompt_tokens')), completion_tokens: valueOf(run.fields.get('completion_tokens')) };
  return { input: firstNumber(sums, 'prompt_tokens'), output: firstNumber(sums, 'completion_tokens') };
}
