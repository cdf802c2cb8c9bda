import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import type { Outcome, Part } from '../trace/model';
import { ChatRows, chatRecordParts } from './chat-rows';
import { idText } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * tau-bench episodes (formats.md §15): an array, one object, or a line each; `traj` is OpenAI chat, where ids may repeat
 * inside one episode and failed tools answer with text that starts "Error".
 *
 * countsReasoning: false, as for chat completions.
 */
export const tauBench: Format = {
  id: 'tau-bench',
  title: 'tau-bench episodes',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new TauRun(context, node, line), elementsOrSelf),
  decode: (records) => records.flatMap(tauParts),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const isEpisode = (object: JsonObject | undefined): boolean => Array.isArray(object?.['traj']) && 'reward' in object! && 'task_id' in object!;
  return objects.length > 0 && objects.every(isEpisode) ? 0.97 : 0;
}

function tauParts(record: unknown): Part[] {
  return chatRecordParts(record).map((part) => {
    if (part.type !== 'tool_result') return part;
    const first = part.content[0];
    return first?.type === 'text' && /^Error\b/.test(first.text) ? { ...part, isError: true } : part;
  });
}

class TauRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly name: string;
  private readonly outcome: Outcome | undefined;

  constructor(context: FormatContext, node: JsonNode, line: number) {
    const fields = node.fields();
    const trial = asNumber(valueOf(fields.get('trial')));
    this.name = `task ${idText(valueOf(fields.get('task_id')))}${trial === undefined ? '' : ` trial ${trial}`}`;
    const reward = asNumber(valueOf(fields.get('reward')));
    if (reward !== undefined) this.outcome = { reward, success: reward === 1 };
    const rows = new ChatRows(context, this.draft, line);
    for (const message of fields.get('traj')?.elements() ?? []) rows.add(message, undefined, tauParts);
    const info = asObject(valueOf(fields.get('info')));
    const error = asString(info?.['error']) ?? asString(info?.['traceback']);
    if (error) this.draft.events.push({ kind: 'error', sourceKind: 'info.error', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: firstLine(error, 160) });
    context.count('episode');
  }

  build(fallbackName: string): TrajectoryDraft {
    const file = fallbackName.replace(/ #\d+$/, '');
    return this.draft.build({ name: `${file} ${this.name}`, outcome: this.outcome }, (columns) => [linearThread(columns.n, [], false)]);
  }
}
