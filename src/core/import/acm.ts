import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { EventKind, Part, Role } from '../trace/model';
import { contentParts, idText, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { utcMs } from './utc-time';

/**
 * The append-only log of an agent that manages its own context (ACM, systems.md §3.1, our own NDJSON): messages, and
 * directives with what they really removed, pinned or brought back (`effective`) and what was refused.
 */
export const acm: Format = {
  id: 'acm',
  title: 'ACM log',
  reads: 'whole',
  detect,
  open: (context) => new AcmSession(context),
  decode: (records) => records.flatMap((record) => partsOf(asObject(record) ?? {})),
};

function detect({ records }: Sample): number {
  const ours = records.filter((record) => {
    const object = asObject(record);
    return object !== undefined && 'seq' in object && ((object['kind'] === 'message' && 'role' in object && 'id' in object) || (object['kind'] === 'directive' && 'op' in object));
  }).length;
  return ours * 2 > records.length ? 0.95 : 0;
}

const ROLES: Readonly<Record<string, Role>> = { system: 'system', developer: 'system', user: 'user', assistant: 'assistant', tool: 'tool' };

/** `callIds` are the calls an assistant message makes, or those a tool message answers. Whole calls, where written, say more. */
function partsOf(object: JsonObject): Part[] {
  const content = contentParts(object['content']);
  const callIds = (asArray(object['callIds']) ?? []).map(idText).filter((id) => id !== '');
  if (object['role'] === 'tool') {
    const isError = object['isError'] === true ? { isError: true } : {};
    if (callIds.length === 0) return [{ type: 'tool_result', callId: '', content, ...isError }];
    return callIds.map((callId, i): Part => ({ type: 'tool_result', callId, content: i === 0 ? content : [], ...isError }));
  }
  const calls = (asArray(object['calls']) ?? asArray(object['tool_calls']) ?? []).map((call) => {
    const facts = asObject(call);
    const inner = asObject(facts?.['function']) ?? facts;
    return toolCall(facts?.['id'], inner?.['name'], inner?.['arguments'] ?? inner?.['args'] ?? inner?.['input']);
  });
  const written = new Set(calls.map(({ id }) => id));
  return [...content, ...calls, ...(object['role'] === 'assistant' ? callIds.filter((id) => !written.has(id)).map((id) => toolCall(id, '', '')) : [])];
}

const EVENTS: Readonly<Record<string, EventKind>> = { remove_context: 'context-edit', retrieve_context: 'context-edit', pin: 'other', unpin: 'other' };
/** Our name of what a directive does (recorded-ops.ts). */
const DIRECTIVES: Readonly<Record<string, string>> = { remove_context: 'archive', retrieve_context: 'recover', pin: 'pin', unpin: 'unpin' };

class AcmSession implements FormatSession {
  private readonly writer = new DraftWriter();
  /** Message id → row. */
  private readonly rows = new Map<string, number>();
  private users = 0;

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    const kind = asString(object?.['kind']) ?? asString(object?.['type']) ?? 'record';
    if (object && kind === 'message') this.message(object, record);
    else if (object && kind === 'directive') this.directive(object, record);
    else {
      this.context.unknown(kind);
      this.writer.events.push({ kind: 'other', sourceKind: kind, thread: 'main', afterRow: this.writer.columns.rowCount - 1, label: kind, span: spanOf(record.node, record.line) });
    }
    this.context.count(kind);
  }

  private message(object: JsonObject, { node, line }: SourceRecord): void {
    const role = ROLES[asString(object['role']) ?? ''] ?? 'user';
    const flags = role === 'user' && this.users++ >= 0 ? MessageFlag.instruction : 0;
    const row = this.writer.addMessage({ role, flags, timestampMs: utcMs(object['ts']), model: asString(object['model']) }, partsOf(object), node, line);
    const id = idText(object['id']);
    if (id !== '' && !this.rows.has(id)) this.rows.set(id, row);
    else if (id !== '') this.context.warn(`Two messages are called ${id}; directives mean the first.`);
  }

  private directive(object: JsonObject, { node, line }: SourceRecord): void {
    const op = asString(object['op']) ?? 'directive';
    if (!Object.hasOwn(EVENTS, op)) this.context.unknown(`directive ${op}`);
    const ids = idList(object['effective']) ?? idList(object['ids']) ?? [];
    const refused = (asArray(object['refused']) ?? []).map((item) => asString(asObject(item)?.['id']) ?? idText(item));
    const label = asString(object['label']);
    const summary = asString(object['summary']);
    const timestampMs = utcMs(object['ts']);
    const by = asString(object['by']);
    this.writer.events.push({
      kind: Object.hasOwn(EVENTS, op) ? EVENTS[op]! : 'other', sourceKind: op, thread: 'main', afterRow: (by === undefined ? undefined : this.rows.get(by)) ?? this.writer.columns.rowCount - 1,
      ...(timestampMs === undefined ? {} : { timestampMs }),
      label: `${op.replaceAll('_', ' ')}: ${ids.length} ${ids.length === 1 ? 'message' : 'messages'}${label === undefined ? '' : ` as “${label}”`}${refused.length > 0 ? `, ${refused.length} refused` : ''}`,
      data: {
        ids: ids.join(' '), targetRows: ids.flatMap((id) => this.rows.get(id) ?? []).join(','), refused: refused.join(' '),
        ...(Object.hasOwn(EVENTS, op) ? { directive: DIRECTIVES[op]! } : {}),
        ...(label === undefined ? {} : { name: label }), ...(summary === undefined ? {} : { summary }), ...(by === undefined ? {} : { by }),
      },
      span: spanOf(node, line),
    });
  }

  build(): TrajectoryDraft[] {
    return [this.writer.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}

/** A list of ids, or `{from, to}` of numbered ones. */
function idList(value: unknown): string[] | undefined {
  const list = asArray(value);
  if (list) return list.map(idText).filter((id) => id !== '');
  const range = asObject(value);
  const from = /^(.*?)(\d+)$/.exec(asString(range?.['from']) ?? '');
  const to = /^(.*?)(\d+)$/.exec(asString(range?.['to']) ?? '');
  if (!from || !to || from[1] !== to[1]) return undefined;
  const first = Number(from[2]);
  const count = Math.min(10_000, Number(to[2]) - first + 1);
  return Array.from({ length: Math.max(0, count) }, (_, i) => `${from[1]}${String(first + i).padStart(from[2]!.length, '0')}`);
}
