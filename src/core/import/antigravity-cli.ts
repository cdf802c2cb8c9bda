import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, TraceEvent } from '../trace/model';
import { otherPart, reasoningPart, textPart, timestampMs, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, FormatSession, RowFacts, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';

/**
 * Antigravity CLI steps (formats.md §18): calls stand in planner responses, their results are later steps of a type that
 * goes with the tool. Nothing records an id, so a result takes the oldest open call whose tool fits.
 *
 * countsReasoning: false. Thinking is a summary for the display.
 */
export const antigravityCli: Format = {
  id: 'antigravity-cli',
  title: 'Antigravity CLI steps',
  reads: 'whole',
  detect,
  open: (context) => new AntigravitySession(context),
  decode: (records, facts) => records.flatMap((record) => stepParts(record, facts)),
};

function detect(sample: Sample): number {
  const found = share(sampledObjects(sample), (object) => 'step_index' in object && 'source' in object && /^[A-Z][A-Z_]+$/.test(asString(object['type']) ?? ''));
  return found > 0.6 ? 0.96 : 0;
}

/** Step type in which a tool's result comes. */
const RESULT_TYPE: Readonly<Record<string, string>> = {
  list_dir: 'LIST_DIRECTORY', view_file: 'VIEW_FILE', view_file_outline: 'VIEW_FILE', run_command: 'RUN_COMMAND', grep_search: 'GREP_SEARCH', search_web: 'SEARCH_WEB', find_by_name: 'FIND',
  write_file: 'CODE_ACTION', write_to_file: 'CODE_ACTION', replace_file_content: 'CODE_ACTION', multi_replace_file_content: 'CODE_ACTION', read_url_content: 'READ_URL_CONTENT',
};
const USER_REQUEST = /<USER_REQUEST>\n?([^]*?)\n?<\/USER_REQUEST>/;

function stepParts(record: unknown, { role }: Pick<RowFacts, 'role'>): Part[] {
  const step = asObject(record) ?? {};
  const content = asString(step['content']) ?? '';
  if (role === 'tool') return [{ type: 'tool_result', callId: '', content: [textPart(content)], ...(isFailed(step) ? { isError: true } : {}) }];
  if (role === 'user' && step['type'] === 'USER_INPUT') return userParts(content);
  const thinking = asString(step['thinking']) ?? '';
  return [
    ...(thinking === '' ? [] : [reasoningPart(thinking)]),
    ...(content === '' ? [] : [textPart(content)]),
    ...(asArray(step['tool_calls']) ?? []).map((call) => toolCall('', asObject(call)?.['name'], asObject(call)?.['args'])),
  ];
}

function userParts(content: string): Part[] {
  const request = USER_REQUEST.exec(content);
  if (!request) return [textPart(content)];
  const around = content.replace(request[0], '').trim();
  return [textPart(request[1]!), ...(around === '' ? [] : [otherPart('added context', around)])];
}

function isFailed(step: JsonObject): boolean {
  return /ERROR|FAIL|CANCEL/.test(asString(step['status']) ?? '');
}

class AntigravitySession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly open: { id: string; type: string | undefined }[] = [];
  private calls = 0;
  private messages = 0;
  private shortened = 0;

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const step = asObject(node.value());
    const type = asString(step?.['type']) ?? 'record without type';
    this.context.count(type);
    if (!step) return this.context.unknown(type);
    const time = timestampMs(step['created_at']);
    if ((asArray(step['truncated_fields']) ?? []).length > 0) this.shortened++;
    if (type === 'USER_INPUT' || type === 'PLANNER_RESPONSE') {
      this.messages++;
      const role = type === 'USER_INPUT' ? 'user' : 'assistant';
      const parts = stepParts(step, { role }).map((part) => (part.type === 'tool_call' ? { ...part, id: this.openCall(part.name) } : part));
      const row = this.draft.addMessage({ role, flags: role === 'user' ? MessageFlag.instruction : isFailed(step) ? MessageFlag.failed : 0, timestampMs: time }, parts, node, line);
      if (role === 'assistant' && isFailed(step)) this.push({ node, line }, 'error', type, row, asString(step['status'])!, time);
    } else if (step['source'] === 'MODEL' || !asString(step['source'])?.startsWith('SYSTEM')) this.addResult({ node, line }, step, type, time);
    else this.addSystem({ node, line }, step, type, time);
  }

  private openCall(name: string): string {
    const id = `call-${++this.calls}`;
    this.open.push({ id, type: RESULT_TYPE[name] });
    return id;
  }

  private addResult({ node, line }: SourceRecord, step: JsonObject, type: string, time: number | undefined): void {
    // GENERIC is what tools without a type of their own answer with.
    const index = this.open.findIndex((call) => (call.type ?? 'GENERIC') === type);
    const callId = index < 0 ? '' : this.open.splice(index, 1)[0]!.id;
    this.draft.addMessage({ role: 'tool', timestampMs: time }, stepParts(step, { role: 'tool' }).map((part) => (part.type === 'tool_result' ? { ...part, callId } : part)), node, line);
  }

  private addSystem(record: SourceRecord, step: JsonObject, type: string, time: number | undefined): void {
    const content = asString(step['content']) ?? '';
    if (content === '') return;
    const isCheckpoint = type === 'CHECKPOINT';
    const before = this.draft.columns.rowCount - 1;
    const row = this.draft.addMessage({ role: 'user', flags: isCheckpoint ? MessageFlag.compactSummary : MessageFlag.meta, timestampMs: time }, stepParts(step, { role: 'user' }), record.node, record.line);
    if (isCheckpoint) this.push(record, 'compaction', type, before, firstLine(content, 160), time).data = { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: row, firstKeptRow: null };
  }

  private push({ node, line }: SourceRecord, kind: EventKind, sourceKind: string, afterRow: number, label: string, time: number | undefined): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow, timestampMs: time, label, span: spanOf(node, line) };
    this.draft.events.push(event);
    return event;
  }

  /** Results name no call, so none counts as one; here they are paired all the same. */
  counts(): Partial<FileCounts> { return { messages: this.messages, toolResults: 0, matchedPairs: 0 }; }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    const draft = this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)]);
    if (this.shortened > 0) draft.warnings.push(`${this.shortened} steps were stored with shortened text.`);
    return [draft];
  }
}
