import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Usage } from '../trace/model';
import { contentParts, idText, otherPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, Sample, SourceRecord, TrajectoryDraft, FormatSession } from './format';
import type { JsonNode } from './json-node';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';
import { mostly } from './sampling';

/**
 * smolagents memory (formats.md §18; huggingface/smolagents src/smolagents/memory.py): `agent.memory.get_full_steps()`,
 * `get_succinct_steps()`, `agent.memory.dict()` or JSONL of steps. A task, a plan and an action are a row each; what an
 * action observed (or its error) is the row after it. The system prompt stands only in a step's input messages.
 *
 * countsReasoning: false. `model_output` is the whole answer.
 */
export const smolagents: Format = {
  id: 'smolagents',
  title: 'smolagents memory',
  reads: 'parts',
  detect,
  open: (context) => new SmolSession(context),
  decode: (records, facts) => records.flatMap((record) => (facts.role === 'tool' || facts.flags & MessageFlag.harness ? resultParts(record) : stepParts(record))),
};

function isStep(value: unknown): boolean {
  const object = asObject(value);
  if (!object) return false;
  if ('step_number' in object) return 'observations' in object || 'model_output' in object || 'tool_calls' in object || 'llm_output' in object;
  return ('plan' in object && ('model_output_message' in object || 'timing' in object)) || isTask(object) || typeof object['system_prompt'] === 'string';
}

function isTask(object: JsonObject): boolean {
  return typeof object['task'] === 'string' && Object.keys(object).every((key) => key === 'task' || key === 'task_images');
}

function stepsOf(record: unknown): readonly unknown[] | undefined {
  const object = asObject(record);
  return asArray(record) ?? asArray(object?.['steps']) ?? asArray(object?.['agent_memory']) ?? asArray(object?.['intermediate_steps']);
}

function detect(sample: Sample): number {
  const lists = sample.records.map(stepsOf);
  const steps = lists.every((list) => list === undefined) ? sample.records : lists.flatMap((list) => list ?? []);
  const isAction = steps.some((step) => 'step_number' in (asObject(step) ?? {}) && isStep(step)) || steps.some((step) => 'plan' in (asObject(step) ?? {}) && isStep(step));
  return isAction && mostly(steps, isStep) ? 0.95 : 0;
}

function stepParts(record: unknown): Part[] {
  const step = asObject(record);
  if (!step) return typeof record === 'string' ? contentParts(record) : [otherPart('step', record)];
  // An input message of a step.
  if ('role' in step && 'content' in step) return contentParts(step['content']);
  if (typeof step['system_prompt'] === 'string') return [textPart(step['system_prompt'])];
  if (typeof step['task'] === 'string') return [textPart(step['task']), ...imagesOf(step['task_images'])];
  if (!('step_number' in step) && 'plan' in step) return contentParts(step['plan']);
  const text = contentParts(step['model_output'] ?? step['llm_output']);
  return [...text, ...calls(step, text)];
}

/** A code agent's call is the code that its answer already holds. */
function calls(step: JsonObject, text: readonly Part[]): Part[] {
  return (asArray(step['tool_calls']) ?? []).map((value) => {
    const call = asObject(value);
    const body = asObject(call?.['function']) ?? call;
    const part = toolCall(call?.['id'], body?.['name'], body?.['arguments'] ?? '');
    const isWritten = part.name === 'python_interpreter' && text.some((piece) => piece.type === 'text' && piece.text.includes(part.args.trim()));
    return isWritten ? { ...part, fenced: true } : part;
  });
}

/** One result for all calls of a step: their observations are recorded together. */
function resultParts(record: unknown): Part[] {
  const step = asObject(record) ?? {};
  const error = step['error'];
  const message = asString(asObject(error)?.['message']) ?? (typeof error === 'string' ? error : error ? stringifyJson(error) : undefined);
  const content = [...contentParts(step['observations']), ...imagesOf(step['observations_images']), ...(message === undefined ? [] : [textPart(message)])];
  const list = asArray(step['tool_calls']) ?? [];
  if (list.length === 0) return content;
  const ids = list.map((call) => idText(asObject(call)?.['id']));
  return ids.map((callId, i): Part => ({ type: 'tool_result', callId, content: i === ids.length - 1 ? content : [], ...(message === undefined ? {} : { isError: true }) }));
}

/** Pixels without their size or type. */
function imagesOf(value: unknown): { type: 'image'; mime: string }[] {
  return (asArray(value) ?? []).map(() => ({ type: 'image', mime: 'image' }));
}

function smolUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  return { input: asNumber(usage?.['input_tokens']), output: asNumber(usage?.['output_tokens']) };
}

class SmolSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private hasSystem = false;
  private task = '';
  private finished: boolean | undefined;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const fields = node.fields();
    const list = node.kind === 'array' ? node : (fields.get('steps') ?? fields.get('agent_memory') ?? fields.get('intermediate_steps'));
    const prompt = list === node ? undefined : fields.get('system_prompt');
    if (list && prompt) this.addSystem(prompt, line);
    if (list) for (const step of list.elements()) this.addStep(step, line);
    else this.addStep(node, line);
  }

  private addSystem(node: JsonNode, line: number): void {
    this.hasSystem = true;
    this.draft.addMessage({ role: 'system' }, stepParts(valueOf(node)), node, line);
  }

  private addStep(node: JsonNode, line: number): void {
    const value = valueOf(node);
    const step = asObject(value);
    if (!step) {
      this.context.count('unreadable step');
      this.context.unknown('unreadable step');
      return;
    }
    const time = timestampMs(asObject(step['timing'])?.['start_time'] ?? step['start_time']);
    if (typeof step['system_prompt'] === 'string') {
      this.context.count('system prompt');
      this.addSystem(node, line);
    } else if (typeof step['task'] === 'string') {
      this.context.count('task');
      this.task ||= step['task'];
      this.draft.addMessage({ role: 'user', flags: MessageFlag.instruction, timestampMs: time }, stepParts(step), node, line);
    } else if ('step_number' in step || 'plan' in step) this.addAction(node, step, line, time);
    else {
      this.context.count('other');
      this.context.unknown('step without kind');
      this.draft.events.push({ kind: 'other', sourceKind: 'step', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: 'A step of unknown kind', span: spanOf(node, line) });
    }
  }

  private addAction(node: JsonNode, step: JsonObject, line: number, time: number | undefined): void {
    const isPlan = !('step_number' in step);
    this.context.count(isPlan ? 'plan' : 'action');
    const system = node.field('model_input_messages')?.elements(1)[0];
    if (!this.hasSystem && system && asString(valueOf(system.field('role'))) === 'system') this.addSystem(system, line);
    const failed = asObject(step['error'])?.['type'] === 'AgentGenerationError';
    const row = this.draft.addMessage({ role: 'assistant', flags: failed ? MessageFlag.failed : 0, timestampMs: time }, this.pairing.assign(stepParts(step)), node, line);
    this.draft.columns.mergeUsage(row, smolUsage(step['token_usage']));
    if (isPlan) return;
    if (step['is_final_answer'] === true) this.finished = true;
    const parts = resultParts(step);
    if (parts.length === 0 || parts.every((part) => part.type === 'tool_result' && part.content.length === 0)) return;
    const isResult = parts.every((part) => part.type === 'tool_result');
    this.draft.addMessage({ role: isResult ? 'tool' : 'user', flags: isResult ? 0 : MessageFlag.harness, timestampMs: timestampMs(asObject(step['timing'])?.['end_time'] ?? step['end_time']) }, this.pairing.assign(parts), node, line);
    const type = asString(asObject(step['error'])?.['type']);
    if (type !== undefined) this.draft.events.push({ kind: 'error', sourceKind: type, thread: MAIN_THREAD, afterRow: row, label: firstLine(asString(asObject(step['error'])?.['message']) ?? type, 160), timestampMs: time, span: spanOf(node, line) });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    const outcome = this.finished === undefined ? undefined : { label: 'final answer given' };
    return [this.draft.build({ name: firstLine(this.task, 80) || this.context.baseName, outcome }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
