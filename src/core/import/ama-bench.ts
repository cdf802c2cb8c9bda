import { asArray, asBoolean, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part } from '../trace/model';
import { contentParts, idText, otherPart, toolCall } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { Format, FormatContext, RowFacts, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * AMA-Bench episodes (formats.md §16): JSONL or an array of `{episode_id, task, trajectory: [{turn_idx, action,
 * observation}], qa_pairs}`. An action is a call and its observation the result; ids are `turn-N`.
 *
 * countsReasoning: false. None is recorded.
 */
export const amaBench: Format = {
  id: 'ama-bench',
  title: 'AMA-Bench episodes',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new AmaRun(context, node, line), elementsOrSelf),
  decode: (records, facts) => records.flatMap((record) => turnParts(record, facts)),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const isEpisode = (object: JsonObject | undefined): boolean => {
    const first = asObject(asArray(object?.['trajectory'])?.[0]);
    return object !== undefined && 'episode_id' in object && first !== undefined && 'action' in first && 'observation' in first;
  };
  return objects.length > 0 && objects.every(isEpisode) ? (objects.some((object) => 'qa_pairs' in object! || 'turn_idx' in asObject(asArray(object!['trajectory'])![0])!) ? 0.97 : 0.9) : 0;
}

function turnParts(record: unknown, facts: Pick<RowFacts, 'role'>): Part[] {
  if (typeof record === 'string') return contentParts(record);
  const turn = asObject(record);
  if (!turn) return [otherPart('turn', record)];
  if (facts.role === 'tool') return [{ type: 'tool_result', callId: '', content: contentParts(turn['observation']) }];
  const action = turn['action'];
  const object = asObject(action);
  if (object) return [toolCall('', object['name'] ?? object['type'] ?? 'action', object['arguments'] ?? object)];
  const text = asString(action) ?? '';
  return [{ ...toolCall('', /^\s*([A-Za-z_][\w.-]*)/.exec(text)?.[1] ?? 'action', text), fenced: true }, ...contentParts(text)];
}

class AmaRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly name: string;
  private readonly outcome: Outcome | undefined;

  constructor(context: FormatContext, node: JsonNode, line: number) {
    const fields = node.fields();
    const value = (key: string): unknown => valueOf(fields.get(key));
    this.name = [asString(value('domain')), asString(value('task_type')), `episode ${idText(value('episode_id'))}`].filter(Boolean).join(' ');
    const success = asBoolean(value('success')) ?? (asNumber(value('success')) === undefined ? undefined : asNumber(value('success')) === 1);
    if (success !== undefined) this.outcome = { success };
    const task = fields.get('task');
    if (task && typeof valueOf(task) === 'string') this.draft.addMessage({ role: 'user', flags: MessageFlag.instruction }, contentParts(valueOf(task)), task, line);
    const turns = fields.get('trajectory')?.elements() ?? [];
    for (const [i, turn] of turns.entries()) this.addTurn(turn, i, line);
    const questions = asArray(value('qa_pairs'))?.length ?? 0;
    if (questions > 0) this.draft.events.push({ kind: 'other', sourceKind: 'qa_pairs', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: `${questions} questions are asked about the episode.` });
    if (context.single) context.count('turn', turns.length);
    else context.count('episode');
  }

  private addTurn(node: JsonNode, index: number, line: number): void {
    const value = valueOf(node);
    if (value === undefined) return;
    const id = `turn-${asNumber(asObject(value)?.['turn_idx']) ?? index}`;
    const call = turnParts(value, { role: 'assistant' }).map((part) => (part.type === 'tool_call' ? { ...part, id } : part));
    this.draft.addMessage({ role: 'assistant' }, call, node, line);
    const observation = asObject(value)?.['observation'];
    if (observation === undefined || observation === null) return;
    this.draft.addMessage({ role: 'tool' }, turnParts(value, { role: 'tool' }).map((part) => (part.type === 'tool_result' ? { ...part, callId: id } : part)), node, line);
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.name || fallbackName, outcome: this.outcome }, (columns) => [linearThread(columns.n, [], false)]);
  }
}
