import { asArray, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Outcome, Part } from '../trace/model';
import { contentParts, idText, otherPart, reasoningPart, textPart, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, RowFacts, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * BrowseComp-Plus run files (formats.md §16): `result` lists reasoning, calls with their outputs, and text. What stands
 * before a result is one answer of the model. The question is not in the file, only its id.
 *
 * countsReasoning: true. The runners hand reasoning items back with each request.
 */
export const browsecompPlus: Format = {
  id: 'browsecomp-plus',
  title: 'BrowseComp-Plus run',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new BrowseRun(context, node, line), elementsOrSelf),
  decode: (records, facts) => records.flatMap((record) => itemParts(record, facts)),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const isRun = (object: JsonObject | undefined): boolean => object !== undefined && 'query_id' in object && Array.isArray(object['result']) && ('retrieved_docids' in object || 'tool_call_counts' in object);
  return objects.length > 0 && objects.every(isRun) ? 0.97 : 0;
}

function itemParts(record: unknown, facts: Pick<RowFacts, 'role'>): Part[] {
  const item = asObject(record);
  if (!item) return [otherPart('item', record)];
  const output = item['output'];
  switch (item['type']) {
    case 'reasoning': return textsOf(output).map((text) => reasoningPart(text));
    case 'output_text': return textsOf(output).map(textPart);
    case 'tool_call':
      if (facts.role !== 'tool') return [toolCall(item['call_id'], item['tool_name'], item['arguments'])];
      return [{ type: 'tool_result', callId: idText(item['call_id']), content: contentParts(typeof output === 'string' || output === null ? output : stringifyJson(output)) }];
    default: return [otherPart(asString(item['type']) ?? 'item', item)];
  }
}

function textsOf(output: unknown): string[] {
  return (asArray(output) ?? [output]).flatMap((text) => asString(text) ?? asString(asObject(text)?.['text']) ?? (text === null || text === undefined ? [] : stringifyJson(text)));
}

class BrowseRun implements ImportRun {
  readonly counts: Pick<FileCounts, 'messages'>;
  private readonly draft = new DraftWriter();
  private readonly name: string;
  private readonly model: string | undefined;
  private readonly outcome: Outcome | undefined;
  private open = -1;
  private calls = 0;
  private texts = 0;

  constructor(private readonly context: FormatContext, node: JsonNode, private readonly line: number) {
    const fields = node.fields();
    this.name = `query ${idText(valueOf(fields.get('query_id')))}`;
    this.model = asString(asObject(valueOf(fields.get('metadata')))?.['model']);
    const status = asString(valueOf(fields.get('status')));
    if (status !== undefined) this.outcome = { label: status };
    for (const item of fields.get('result')?.elements() ?? []) this.addItem(item);
    const counted = Object.values(asObject(valueOf(fields.get('tool_call_counts'))) ?? {}).reduce<number>((sum, count) => sum + (asNumber(count) ?? 0), 0);
    if (counted > this.calls) this.draft.warnings.push(`The run made ${counted} calls; the file has ${this.calls} of them.`);
    this.counts = { messages: this.texts };
    context.count('run');
  }

  private addItem(node: JsonNode): void {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable item');
      return;
    }
    const type = asString(asObject(value)?.['type']) ?? '';
    if (type === 'output_text') this.texts++;
    else if (type !== 'reasoning' && type !== 'tool_call') this.context.unknown(type || 'item');
    const id = type === 'tool_call' ? `call-${++this.calls}` : '';
    const withId = (parts: Part[]): Part[] => parts.map((part) => (part.type === 'tool_call' ? { ...part, id: part.id || id } : part.type === 'tool_result' ? { ...part, callId: part.callId || id } : part));
    const parts = withId(itemParts(value, { role: 'assistant' }));
    if (this.open < 0) this.open = this.draft.addMessage({ role: 'assistant', model: this.model }, parts, node, this.line);
    else {
      this.draft.columns.addSpan(this.open, spanOf(node, this.line));
      this.draft.columns.addParts(this.open, parts);
    }
    if (type !== 'tool_call' || asObject(value)?.['output'] === undefined) return;
    this.draft.addMessage({ role: 'tool' }, withId(itemParts(value, { role: 'tool' })), node, this.line);
    this.open = -1;
  }

  build(fallbackName: string): TrajectoryDraft {
    const file = fallbackName.replace(/ #\d+$/, '');
    return this.draft.build({ name: `${file} ${this.name}`, model: this.model, outcome: this.outcome }, (columns) => [linearThread(columns.n, [], true)]);
  }
}
