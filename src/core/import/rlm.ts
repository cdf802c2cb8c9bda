import { asObject, asString } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Thread, Usage } from '../trace/model';
import { contentParts, otherPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { locate } from './embedded-json';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { firstNumber, observedParts, observedRole } from './observed-message';
import { PromptHistory } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { utcMs } from './utc-time';

/**
 * Logs of recursive language models (formats.md §18, systems.md §4.2): a metadata line, then for each run its context and
 * iterations. An iteration repeats its prompt; its code blocks are calls, what the REPL printed their results, and model
 * calls made from inside the code are threads.
 *
 * countsReasoning: false. None is recorded.
 */
export const rlm: Format = {
  id: 'rlm',
  title: 'RLM log',
  reads: 'parts',
  detect,
  open: (context) => new RlmSession(context),
  decode: (records, facts) => records.flatMap((record) => rlmParts(record, facts.role)),
};

function detect(sample: Sample): number {
  const objects = sample.records.map(asObject);
  const kinds = objects.map((object): number => {
    if (!object) return 0;
    if (object['type'] === 'iteration') return Array.isArray(object['code_blocks']) && 'response' in object ? 1 : 0;
    if (object['type'] === 'metadata') return 'root_model' in object || 'max_depth' in object ? 1 : 0;
    return object['type'] === 'run_context' || ('root_prompt' in object && 'prompt' in object) ? 1 : 0;
  });
  const own = kinds.filter((score) => score > 0).length;
  return own > 0 && own * 2 > objects.length ? 0.95 : 0;
}

/** Texts, prompt messages, and code blocks: a call in an assistant row, what was printed in a tool row. */
function rlmParts(record: unknown, role: Role): Part[] {
  if (typeof record === 'string') return contentParts(record);
  const object = asObject(record);
  if (Array.isArray(record)) return record.flatMap((message) => rlmParts(message, role));
  if (!object) return [otherPart('prompt', record)];
  if (role === 'tool' && typeof object['content'] === 'string') return [{ type: 'tool_result', callId: '', content: contentParts(object['content']) }];
  if (!('code' in object)) return observedParts(object);
  const code = asString(object['code']) ?? '';
  if (role !== 'tool') return [{ ...toolCall('', 'repl', code), fenced: true }];
  const printed = asObject(object['result']) ?? {};
  const failed = (asString(printed['stderr']) ?? '') !== '';
  return [{ type: 'tool_result', callId: '', content: contentParts([asString(printed['stdout']), asString(printed['stderr'])].filter(Boolean).join('\n')), ...(failed ? { isError: true } : {}) }];
}

interface SubCall { prompt: JsonNode; response: JsonNode; model: string | undefined; callId: string; line: number; usage: Partial<Usage> }

interface Iteration { node: JsonNode; line: number }

class RlmSession implements FormatSession {
  private readonly runs: RlmRun[] = [];
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const value = asObject(node.value());
    const type = asString(value?.['type']) ?? (value && 'root_prompt' in value ? 'run_context' : 'record');
    this.context.count(type);
    if (type === 'metadata') this.model = asString(value?.['root_model']) ?? this.model;
    else if (type === 'iteration') this.run().iterations.push({ node, line });
    else if (type === 'run_context') this.runs.push({ model: this.model, question: asString(value?.['root_prompt']) ?? asString(value?.['prompt']), iterations: [] });
    else this.context.unknown(type);
  }

  private run(): RlmRun {
    if (this.runs.length === 0) this.runs.push({ model: this.model, question: undefined, iterations: [] });
    return this.runs.at(-1)!;
  }

  build(): TrajectoryDraft[] {
    return this.runs.map((run, i) => new RunBuilder(run).build(this.runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}

interface RlmRun { model: string | undefined; question: string | undefined; iterations: Iteration[] }

/** Makes the rows of one run; anew for each look, because results wait for the prompt that holds them. */
class RunBuilder {
  private readonly draft = new DraftWriter();
  private readonly history = new PromptHistory(this.draft);
  private readonly subCalls: SubCall[] = [];
  private answer: string | undefined;

  constructor(private readonly run: RlmRun) {
    for (const { node, line } of run.iterations) this.addIteration(node, line);
    this.history.finish();
  }

  private addIteration(node: JsonNode, line: number): void {
    const at = locate(node, line);
    const fields = node.fields();
    const response = fields.get('response');
    const time = utcMs(valueOf(fields.get('timestamp')));
    const prompt = fields.get('prompt');
    const elements = prompt?.kind === 'array' ? prompt.elements() : prompt ? [prompt] : [];
    const inputs = elements.map((element, i): PromptMessage => {
      const own = valueOf(element);
      const role = promptRole(own);
      // The last turn is a new nudge each time.
      return { role, parts: rlmParts(own, role), spans: [at.span(element)], flags: role === 'user' ? MessageFlag.harness : 0, ephemeral: role === 'user' && i === elements.length - 1 };
    });
    const answer: PromptMessage = response ? { role: 'assistant', parts: rlmParts(valueOf(response), 'assistant'), spans: [at.span(response)], flags: 0 } : { role: 'assistant', parts: [], spans: [at.span(node)], flags: MessageFlag.failed };
    this.history.addCall({ inputs, outputs: [answer], timestampMs: time, model: this.run.model, span: at.span(node) });
    for (const block of fields.get('code_blocks')?.elements() ?? []) {
      const spans = [at.span(block)];
      const own = valueOf(block);
      const callId = this.history.addTool({ id: '', name: 'repl', timestampMs: time, call: { parts: rlmParts(own, 'assistant'), spans }, result: { parts: rlmParts(own, 'tool'), spans } });
      for (const call of block.field('result')?.field('rlm_calls')?.elements() ?? []) this.addSubCall(call, callId, line);
    }
    const final = valueOf(fields.get('final_answer'));
    if (typeof final === 'string' || typeof final === 'number') this.answer = String(final);
  }

  private addSubCall(node: JsonNode, callId: string, line: number): void {
    const fields = node.fields();
    const prompt = fields.get('prompt');
    const response = fields.get('response');
    if (!prompt || !response) return;
    const summary = asObject(valueOf(fields.get('usage_summary')));
    const usage = Object.values(asObject(summary?.['model_usage_summaries']) ?? {}).map(asObject)[0] ?? summary;
    const own = { prompt_tokens: valueOf(fields.get('prompt_tokens')), completion_tokens: valueOf(fields.get('completion_tokens')), ...usage };
    this.subCalls.push({
      prompt, response, callId, line, model: asString(valueOf(fields.get('root_model'))),
      usage: { input: firstNumber(own, 'total_input_tokens', 'input_tokens', 'prompt_tokens'), output: firstNumber(own, 'total_output_tokens', 'output_tokens', 'completion_tokens') },
    });
  }

  build(fallbackName: string): TrajectoryDraft {
    const { model, question } = this.run;
    const main = this.history.threads();
    const threads: Thread[] = main.length > 0 ? main : [{ id: MAIN_THREAD, tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false }];
    threads.push(...this.subCalls.map((call, i) => this.subThread(call, i)));
    const name = question === undefined ? fallbackName : firstLine(question, 80);
    return this.draft.build({ name: name || fallbackName, model, outcome: this.answer === undefined ? undefined : { label: `answer: ${firstLine(this.answer, 100)}` } }, () => threads);
  }

  private subThread({ prompt, response, model, callId, line, usage }: SubCall, index: number): Thread {
    const rows = (['user', 'assistant'] as const).map((role) => {
      const node = role === 'user' ? prompt : response;
      return this.draft.addMessage({ role, flags: MessageFlag.sidechain, model: role === 'assistant' ? model : undefined }, rlmParts(valueOf(node), role), node, line);
    });
    this.draft.columns.mergeUsage(rows[1]!, usage);
    return { id: `rlm-${index + 1}`, title: 'model call from code', parentThread: MAIN_THREAD, spawnedBy: callId, tools: [], main: Uint32Array.from(rows), branches: [], countsReasoning: false };
  }
}

const OUTPUT_TURN = /^Code executed:/;

/** What the REPL printed goes back in a user turn. */
function promptRole(value: unknown): Role {
  if (typeof value === 'string') return 'user';
  const content = asObject(value)?.['content'];
  return typeof content === 'string' && OUTPUT_TURN.test(content) ? 'tool' : observedRole(value);
}
