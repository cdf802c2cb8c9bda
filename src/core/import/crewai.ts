import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { decodeUtf8, firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, TraceEvent } from '../trace/model';
import { otherPart, textPart } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { valueOf } from './run-list';
import { mostly } from './sampling';
import { CREW_ENTRY } from './text-records';
import { utcMs } from './utc-time';

/**
 * CrewAI's `output_log_file` (formats.md §18; crewAIInc/crewAI lib/crewai/src/crewai/utilities/file_handler.py), JSON or text:
 * an entry a start and an end of a task. A task is the crew's word to an agent, its output the agent's; the calls in
 * between are not logged. Times are local and have no zone: read as UTC.
 *
 * countsReasoning: false. None is recorded.
 */
export const crewai: Format = {
  id: 'crewai',
  title: 'CrewAI log',
  reads: 'text',
  detect,
  open: (context) => new CrewSession(context),
  decode: (records, facts) => records.flatMap((record) => entryParts(entryOf(asString(record) ?? ''), facts.role === 'assistant')),
};

function isEntry(value: unknown): boolean {
  const object = asObject(value);
  return object !== undefined && typeof object['timestamp'] === 'string' && 'task_name' in object && 'task' in object && 'agent' in object && 'status' in object;
}

function detect(sample: Sample): number {
  if (sample.shape === 'text') return sample.records.some((record) => CREW_ENTRY.test(asString(record) ?? '')) ? 0.96 : 0;
  return mostly(sample.records.flatMap((record) => asArray(record) ?? [record]), isEntry) ? 0.95 : 0;
}

const FIELDS = ['task_name', 'task', 'agent', 'status', 'output'] as const;

/** An entry of either form; of text, values end where the next known key begins, since quotes in them are not escaped. */
function entryOf(text: string): JsonObject {
  if (text.startsWith('{')) {
    try {
      return asObject(JSON.parse(text)) ?? {};
    } catch {
      return {};
    }
  }
  const found: Record<string, string> = { timestamp: text.slice(0, 19) };
  FIELDS.forEach((name, i) => {
    const opening = `${name}="`;
    const at = text.indexOf(i === 0 ? opening : `, ${opening}`);
    if (at < 0) return;
    const from = at + opening.length + (i === 0 ? 0 : 2);
    const next = FIELDS.slice(i + 1).map((key) => text.indexOf(`", ${key}="`, from)).find((end) => end >= 0);
    const end = next ?? text.lastIndexOf('"');
    if (end >= from) found[name] = text.slice(from, end);
  });
  return found;
}

/** In a crew the agent's name says who speaks. */
function entryParts(entry: JsonObject, isAnswer: boolean): Part[] {
  const agent = asString(entry['agent']);
  const text = asString(isAnswer ? entry['output'] : entry['task']);
  const said = text === undefined ? [otherPart('entry', entry)] : [textPart(text)];
  return isAnswer && agent ? [textPart(`${agent}:`), ...said] : said;
}

class CrewSession implements FormatSession {
  private readonly draft = new DraftWriter();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    if (node.kind === 'array') for (const element of node.elements()) this.addEntry(element, line, asObject(valueOf(element)));
    else if (node.kind === 'object') this.addEntry(node, line, asObject(node.value()));
    else this.addText(node, line);
  }

  private addText(node: JsonNode, line: number): void {
    this.addEntry(node, line, entryOf(decodeUtf8(node.bytes.subarray(node.from, node.to))));
  }

  private addEntry(node: JsonNode, line: number, entry: JsonObject | undefined): void {
    const status = asString(entry?.['status']) ?? 'entry without status';
    this.context.count(status);
    if (!entry || !isEntry(entry)) {
      this.context.unknown('entry');
      this.event(node, line, 'other', 'entry', 'An entry of unknown form', undefined);
      return;
    }
    const time = utcMs(entry['timestamp']);
    const agent = asString(entry['agent']) ?? '?';
    const isAnswer = entry['output'] !== undefined && entry['output'] !== null;
    if (status === 'started' || !isAnswer) {
      if (status !== 'started') this.event(node, line, status === 'failed' ? 'error' : 'other', status, `${agent}: ${status}`, time);
      if (status === 'started') this.addTask(node, line, { role: 'user', flags: MessageFlag.instruction, timestampMs: time }, entry);
      return;
    }
    this.addTask(node, line, { role: 'assistant', flags: status === 'failed' ? MessageFlag.failed : 0, timestampMs: time }, entry);
    if (status !== 'completed') this.event(node, line, status === 'failed' ? 'error' : 'other', status, firstLine(`${agent}: ${status}`, 160), time);
  }

  private addTask(node: JsonNode, line: number, row: Parameters<DraftWriter['addMessage']>[0], entry: JsonObject): void {
    this.draft.addMessage(row, entryParts(entry, row.role === 'assistant'), node, line);
  }

  private event(node: JsonNode, line: number, kind: TraceEvent['kind'], sourceKind: string, label: string, time: number | undefined): void {
    this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label, timestampMs: time, span: { byteOffset: node.byteOffset, byteLength: node.byteLength, ...(line > 0 ? { line } : {}) } });
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0 && this.draft.events.length === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
