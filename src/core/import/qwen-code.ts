import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role, TraceEvent, Usage } from '../trace/model';
import { hasOwnText, otherPart, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { geminiParts } from './gemini-parts';
import { MessageTree, splitLines } from './message-tree';
import { sampledObjects } from './sampling';

/**
 * Qwen Code session JSONL (formats.md §3): a tree like Claude Code's with Gemini's parts. Lines that share a uuid are one
 * message. `system` lines only link; a rewind makes a branch.
 *
 * countsReasoning: false. Thought parts are stripped from the history that is sent.
 */
export const qwenCode: Format = {
  id: 'qwen-code',
  title: 'Qwen Code session',
  reads: 'whole',
  detect,
  open: (context) => new QwenSession(context),
  decode: (records) => records.flatMap(lineParts),
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const ours = sampledObjects(sample).filter((object) => 'uuid' in object && 'sessionId' in object && 'type' in object);
  if (ours.some((object) => Array.isArray(asObject(object['message'])?.['parts']))) return 0.96;
  return ours.some((object) => object['type'] === 'system' && 'systemPayload' in object) ? 0.9 : 0;
}

function lineParts(record: unknown): Part[] {
  const object = asObject(record) ?? {};
  const parts = geminiParts(asObject(object['message'])?.['parts']);
  const outcome = asString(asObject(object['toolCallResult'])?.['status']);
  const failed = outcome === 'error' || outcome === 'cancelled';
  return parts.map((part) => {
    // What hooks add to a prompt is not the user's own text.
    if (object['type'] === 'user' && part.type === 'text' && part.text.startsWith('<qwen:')) return otherPart('hook context', part.text);
    return part.type === 'tool_result' && failed ? { ...part, isError: true } : part;
  });
}

/** `promptTokenCount` includes cached tokens, `candidatesTokenCount` excludes thoughts. */
function qwenUsage(value: unknown): Partial<Usage> {
  const usage = asObject(value);
  const prompt = asNumber(usage?.['promptTokenCount']);
  if (!usage || prompt === undefined) return {};
  const cached = asNumber(usage['cachedContentTokenCount']);
  return { input: Math.max(0, prompt - (cached ?? 0)), cachedInput: cached, output: asNumber(usage['candidatesTokenCount']), reasoning: asNumber(usage['thoughtsTokenCount']) };
}

const ROLE_OF: Readonly<Record<string, Role>> = { user: 'user', assistant: 'assistant', tool_result: 'tool' };
const EVENT_OF: Readonly<Record<string, EventKind>> = { chat_compression: 'compaction', rewind: 'checkpoint' };
const SILENT = new Set(['ui_telemetry', 'slash_command', 'custom_title', 'session_artifact_snapshot', 'at_command', 'attribution_snapshot']);

class QwenSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly tree = new MessageTree();
  private title = '';
  private model: string | undefined;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    const type = asString(object?.['type']) ?? 'record without type';
    this.context.count(type);
    if (!object) return this.context.unknown('array');
    const uuid = asString(object['uuid']);
    const parent = asString(object['parentUuid']) ?? null;
    const role = ROLE_OF[type];
    if (role && asObject(object['message'])) this.tree.add(uuid, parent, this.addMessage(record, role, object, uuid), '');
    else {
      this.tree.add(uuid, parent, -1, '');
      this.addSystem(record, type, object);
    }
  }

  private addMessage({ node, line }: SourceRecord, role: Role, object: JsonObject, uuid: string | undefined): number {
    const parts = lineParts(object);
    const { columns } = this.draft;
    const time = timestampMs(object['timestamp']);
    const model = role === 'assistant' ? asString(object['model']) : undefined;
    const known = uuid === undefined ? -1 : this.tree.rowOf(uuid);
    const row = known >= 0 ? known : columns.addRow({ role, flags: userFlags(role, object, parts), timestampMs: time, callKey: role === 'assistant' ? uuid : undefined });
    columns.addSpan(row, spanOf(node, line));
    columns.addParts(row, parts);
    columns.mergeUsage(row, qwenUsage(object['usageMetadata']));
    if (model === undefined) return row;
    columns.setModel(row, model);
    if (this.model !== undefined && this.model !== model) this.push({ node, line }, 'model-change', 'model', row - 1, `${this.model} → ${model}`, time);
    this.model = model;
    return row;
  }

  private addSystem(record: SourceRecord, type: string, object: JsonObject): void {
    const subtype = asString(object['subtype']) ?? type;
    const payload = asObject(object['systemPayload']) ?? {};
    const time = timestampMs(object['timestamp']);
    const after = this.draft.columns.rowCount - 1;
    if (subtype === 'custom_title') this.title = asString(payload['customTitle']) ?? this.title;
    const failure = asString(asObject(payload['uiEvent'])?.['error_message']);
    if (failure !== undefined && failure !== '') this.push(record, 'error', subtype, after, firstLine(failure, 160), time);
    const kind = EVENT_OF[subtype];
    if (kind) {
      const event = this.push(record, kind, subtype, after, subtype === 'rewind' ? 'Rewound' : 'Chat compressed', time);
      if (kind === 'compaction') event.data = compactionData(payload);
    } else if (type !== 'system') this.context.unknown(type);
    else if (!SILENT.has(subtype)) this.push(record, 'other', subtype, after, firstLine(asString(payload['displayText']) ?? subtype.replaceAll('_', ' '), 160), time);
  }

  private push({ node, line }: SourceRecord, kind: EventKind, sourceKind: string, afterRow: number, label: string, time: number | undefined): TraceEvent {
    const event: TraceEvent = { kind, sourceKind, thread: MAIN_THREAD, afterRow, timestampMs: time, label, span: spanOf(node, line) };
    this.draft.events.push(event);
    return event;
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [
      this.draft.build({ name: firstLine(this.title, 120) || this.context.baseName }, (columns) => {
        const rows = Array.from({ length: columns.n }, (_, row) => row);
        return [{ id: MAIN_THREAD, tools: [], ...splitLines(rows, this.tree.parentRows(columns.n)), countsReasoning: false }];
      }),
    ];
  }
}

function userFlags(role: Role, object: JsonObject, parts: readonly Part[]): number {
  if (role !== 'user') return 0;
  return object['subtype'] === 'notification' || !hasOwnText(parts) ? MessageFlag.meta : MessageFlag.instruction;
}

function compactionData(payload: JsonObject): NonNullable<TraceEvent['data']> {
  const info = asObject(payload['info']) ?? payload;
  const history = Array.isArray(payload['compressedHistory']) ? payload['compressedHistory'] : [];
  const first = geminiParts(asObject(history[0])?.['parts']).find((part) => part.type === 'text');
  return {
    tokensBefore: asNumber(info['originalTokenCount']) ?? null, tokensAfter: asNumber(info['newTokenCount']) ?? null, trigger: null, summaryRow: null, firstKeptRow: null,
    summary: first?.type === 'text' ? first.text : null,
  };
}
