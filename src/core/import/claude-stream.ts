import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, ToolSchema, TraceEvent } from '../trace/model';
import { anthropicParts, anthropicUsage } from './claude-decode';
import { hasOwnText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { sampledObjects, share } from './sampling';
import { ThreadLines } from './thread-lines';
import { namedTools } from './tool-schemas';
import { typedRecord } from './typed-record';

/**
 * What `claude -p --output-format stream-json` and the Claude Agent SDK print (anthropics/claude-agent-sdk-python
 * src/claude_agent_sdk/types.py): messages without a tree. Lines of one message id are one answer; lines with a
 * `parent_tool_use_id` belong to the sub-agent which that call started. Partial messages (`stream_event`) are repeated
 * whole and only counted. The file's own total stands in its `result`; it is compared, never added.
 *
 * countsReasoning: true, as for Claude Code.
 */
export const claudeStream: Format = {
  id: 'claude-stream',
  title: 'Claude Code stream-json',
  reads: 'whole',
  detect,
  open: (context) => new ClaudeStreamSession(context),
  decode: (records) => records.flatMap((record) => anthropicParts(asObject(asObject(record)?.['message'])?.['content'])),
};

const TYPES = new Set(['system', 'assistant', 'user', 'result', 'stream_event', 'control_request', 'control_response', 'rate_limit_event', 'tool_progress', 'auth_status', 'tool_use_summary', 'prompt_suggestion']);

function isOwn(object: JsonObject): boolean {
  return TYPES.has(asString(object['type']) ?? '') && typeof object['session_id'] === 'string' && !('sessionId' in object) && !('parentUuid' in object);
}

function detect(sample: Sample): number {
  const objects = sample.shape === 'lines' ? sampledObjects(sample) : sample.records.flatMap((record) => asArray(record) ?? []).map(asObject).filter((object) => object !== undefined);
  const isMarked = objects.some((object) => (object['type'] === 'system' && 'subtype' in object) || (object['type'] === 'result' && 'subtype' in object) || ('message' in object && typeof object['session_id'] === 'string' && Array.isArray(asObject(object['message'])?.['content'])));
  return isMarked && share(objects, isOwn) > 0.6 ? 0.95 : 0;
}

class ClaudeStreamSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly lines = new ThreadLines();
  private readonly rowOfMessage = new Map<string, number>();
  private tools: ToolSchema[] = [];
  private model: string | undefined;
  private outcome: Outcome | undefined;
  private readonly spawns = new Map<string, { thread: string; title?: string }>();

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const { node, line } = record;
    if (node.kind === 'array') for (const element of node.elements()) this.addLine({ node: element, line });
    else this.addLine(record);
  }

  private addLine(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const message = asObject(object['message']);
    if (message && (type === 'user' || type === 'assistant')) this.addMessage(record, type, object, message);
    else if (type === 'system') this.addSystem(record, object);
    else if (type === 'result') this.addResult(record, object);
    else if (!TYPES.has(type)) {
      this.context.unknown(type);
      this.event(record, 'other', type, type, object);
    }
  }

  private threadOf(object: JsonObject): string {
    const call = asString(object['parent_tool_use_id']);
    if (call === undefined) return MAIN_THREAD;
    if (!this.lines.has(call)) {
      const spawn = this.spawns.get(call);
      this.lines.open(call, { spawnedBy: call, parentThread: spawn?.thread, title: spawn?.title });
    }
    return call;
  }

  private addMessage({ node, line }: SourceRecord, type: 'user' | 'assistant', object: JsonObject, message: JsonObject): void {
    const { columns } = this.draft;
    const thread = this.threadOf(object);
    const parts = anthropicParts(message['content']);
    const side = thread === MAIN_THREAD ? 0 : MessageFlag.sidechain;
    for (const part of parts) if (part.type === 'tool_call') this.spawns.set(part.id, { thread, title: spawnTitle(part) });
    if (type === 'user') {
      const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
      const isTyped = !isResult && side === 0 && object['isSynthetic'] !== true && hasOwnText(parts);
      const flags = side | (isResult ? 0 : isTyped ? MessageFlag.instruction : MessageFlag.meta);
      this.lines.add(thread, this.draft.addMessage({ role: isResult ? 'tool' : 'user', flags, timestampMs: timestampMs(object['timestamp']) }, parts, node, line));
      return;
    }
    const id = asString(message['id']);
    const key = id === undefined ? undefined : `${thread}\n${id}`;
    let row = key === undefined ? undefined : this.rowOfMessage.get(key);
    if (row === undefined) {
      const isLocal = message['model'] === '<synthetic>';
      row = columns.addRow({ role: 'assistant', flags: side | (isLocal ? MessageFlag.synthetic : 0), timestampMs: timestampMs(object['timestamp']), model: asString(message['model']), callKey: id });
      if (key !== undefined) this.rowOfMessage.set(key, row);
      this.lines.add(thread, row);
    }
    columns.addSpan(row, spanOf(node, line));
    columns.addParts(row, parts);
    columns.mergeUsage(row, anthropicUsage(message['usage']));
    if (object['error'] !== undefined && object['error'] !== null) columns.addFlags(row, MessageFlag.failed);
  }

  private addSystem(record: SourceRecord, object: JsonObject): void {
    const subtype = asString(object['subtype']) ?? 'system';
    if (subtype === 'init') {
      this.model ??= asString(object['model']);
      if (this.tools.length === 0) this.tools = namedTools(object['tools']);
    } else if (subtype === 'compact_boundary') {
      const facts = asObject(object['compact_metadata']) ?? asObject(object['compactMetadata']);
      this.event(record, 'compaction', subtype, 'Context compacted', object, { tokensBefore: asNumber(facts?.['pre_tokens']) ?? asNumber(facts?.['preTokens']) ?? null, tokensAfter: asNumber(facts?.['post_tokens']) ?? null, trigger: asString(facts?.['trigger']) ?? null, summaryRow: null, firstKeptRow: null });
    } else if (subtype !== 'status' && subtype !== 'hook_started' && subtype !== 'hook_progress' && subtype !== 'hook_response') {
      this.event(record, subtype === 'api_retry' ? 'retry' : 'other', subtype, subtype.replaceAll('_', ' '), object);
    }
  }

  /** `subtype` success | error_max_turns | error_during_execution | …; its usage sums up the run. */
  private addResult(record: SourceRecord, object: JsonObject): void {
    const subtype = asString(object['subtype']) ?? 'result';
    const failed = object['is_error'] === true || subtype.startsWith('error');
    this.outcome = { success: !failed, label: subtype };
    if (failed) this.event(record, 'error', 'result', firstLine(asString(object['result']) ?? '', 160) || subtype.replaceAll('_', ' '), object);
    const denied = asArray(object['permission_denials'])?.length ?? 0;
    if (denied > 0) this.event(record, 'other', 'permission_denials', `${denied} tool ${denied === 1 ? 'call was' : 'calls were'} not permitted.`, object);
  }

  private event({ node, line }: SourceRecord, kind: TraceEvent['kind'], sourceKind: string, label: string, object: JsonObject, data?: TraceEvent['data']): void {
    const thread = this.lines.home(this.threadOf(object));
    this.draft.events.push({ kind, sourceKind, thread, afterRow: this.lines.lastRow(thread), label, timestampMs: timestampMs(object['timestamp']), span: spanOf(node, line), ...(data ? { data } : {}) });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0 && this.model === undefined) return [];
    this.lines.open(MAIN_THREAD, { tools: this.tools });
    return [this.draft.build({ name: this.context.baseName, outcome: this.outcome }, () => this.lines.threads(true))];
  }
}

function spawnTitle(part: Extract<Part, { type: 'tool_call' }>): string | undefined {
  if (part.name !== 'Task' && part.name !== 'Agent') return undefined;
  try {
    return asString(asObject(JSON.parse(part.args))?.['description']);
  } catch {
    return undefined;
  }
}
