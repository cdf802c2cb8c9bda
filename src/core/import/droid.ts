import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Role } from '../trace/model';
import { anthropicParts, anthropicUsage } from './claude-decode';
import { hasOwnText, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { MessageTree, PREVIOUS, splitLines } from './message-tree';
import { sampledObjects, share } from './sampling';
import { typedRecord } from './typed-record';

/**
 * Factory Droid session JSONL (formats.md §18): `session_start`, then messages with Anthropic blocks in a tree by
 * `parentId`. Token counts stand in a sibling settings file, which is not read.
 *
 * countsReasoning: true, as for the Anthropic API.
 */
export const droid: Format = {
  id: 'droid',
  title: 'Factory Droid session',
  reads: 'whole',
  detect,
  open: (context) => new DroidSession(context),
  decode: (records) => records.flatMap((record) => anthropicParts(asObject(asObject(record)?.['message'])?.['content'])),
};

const SERVICE_TYPES = new Set(['session_start', 'todo_state', 'session_end', 'settings']);

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const objects = sampledObjects(sample);
  const messages = share(objects, (object) => object['type'] === 'message' && 'role' in (asObject(object['message']) ?? {}));
  return objects.some((object) => object['type'] === 'session_start') && (messages > 0.3 || objects.length === 1) ? 0.96 : 0;
}

class DroidSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly tree = new MessageTree();
  private title = '';

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const typed = typedRecord(record, this.context);
    if (!typed) return;
    const { object, type } = typed;
    const message = asObject(object['message']);
    const row = type === 'message' && message ? this.addMessage(record, object, message) : -1;
    this.tree.add(asString(object['id']), 'parentId' in object ? asString(object['parentId']) ?? null : type === 'session_start' ? null : PREVIOUS, row, '');
    if (row < 0) this.addOther(record, type, object);
  }

  private addMessage({ node, line }: SourceRecord, object: JsonObject, message: JsonObject): number {
    const parts = anthropicParts(message['content']);
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const role: Role = message['role'] === 'assistant' ? 'assistant' : message['role'] === 'system' ? 'system' : isResult ? 'tool' : 'user';
    const flags = role !== 'user' ? 0 : hasOwnText(parts) ? MessageFlag.instruction : MessageFlag.meta;
    const row = this.draft.addMessage({ role, flags, timestampMs: timestampMs(object['timestamp']), model: asString(message['model']), callKey: role === 'assistant' ? asString(message['id']) : undefined }, parts, node, line);
    this.draft.columns.mergeUsage(row, anthropicUsage(message['usage']));
    return row;
  }

  private addOther({ node, line }: SourceRecord, type: string, object: JsonObject): void {
    if (type === 'session_start') this.title = asString(object['sessionTitle']) ?? asString(object['title']) ?? this.title;
    if (SERVICE_TYPES.has(type)) return;
    const isCompaction = type.startsWith('compaction');
    if (!isCompaction) this.context.unknown(type);
    this.draft.events.push({
      kind: isCompaction ? 'compaction' : 'other', sourceKind: type, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: timestampMs(object['timestamp']), label: type.replaceAll('_', ' '), span: spanOf(node, line),
      ...(isCompaction ? { data: { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null, summary: asString(object['summaryText']) ?? asString(object['summary']) ?? null } } : {}),
    });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [
      this.draft.build({ name: firstLine(this.title, 120) || this.context.baseName }, (columns) => {
        const rows = Array.from({ length: columns.n }, (_, row) => row);
        return [{ id: MAIN_THREAD, tools: [], ...splitLines(rows, this.tree.parentRows(columns.n)), countsReasoning: true }];
      }),
    ];
  }
}
