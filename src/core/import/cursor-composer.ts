import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import { timestampMs } from './content-parts';
import { bubbleParts, bubbleUsage, isCompaction, toolOf } from './cursor-bubbles';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { locate, locateAll } from './located';
import type { Located } from './located';
import { joinTrajectories } from './merge';
import { sampledObjects, share } from './sampling';

/**
 * Conversations of Cursor's `state.vscdb`, as our reader of that database writes them: `{composerId, composerData,
 * bubbles[]}`, bubbles in the order that the conversation lists. A bubble is a piece of an answer (thinking, text, or one
 * call with its result), so bubbles are put together to messages: an answer ends with its calls. A conversation that
 * another one's call started is a thread of it.
 *
 * countsReasoning: true. Thinking is kept with its signature.
 */
export const cursorComposer: Format = {
  id: 'cursor-composer',
  title: 'Cursor conversation',
  reads: 'parts',
  detect,
  open: (context) => new ComposerSession(context),
  decode: (records, { role }) => records.flatMap((record) => bubbleParts(record, role)),
};

function detect(sample: Sample): number {
  return share(sampledObjects(sample), (object) => typeof object['composerId'] === 'string' && 'composerData' in object && Array.isArray(object['bubbles'])) > 0.5 ? 0.97 : 0;
}

class ComposerSession implements FormatSession {
  private readonly runs: ComposerRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    this.context.count('conversation');
    this.runs.push(new ComposerRun(this.context, node.fields(), line));
  }

  build(): TrajectoryDraft[] {
    const byId = new Map(this.runs.map((run) => [run.id, run]));
    const parentOf = (run: ComposerRun): ComposerRun | undefined => {
      const parent = run.parentId === undefined ? undefined : byId.get(run.parentId);
      return parent === run || parent?.isEmpty === true ? undefined : parent;
    };
    const rootOf = (run: ComposerRun): ComposerRun => {
      const seen = new Set([run]);
      let at = run;
      for (let next = parentOf(at); next && !seen.has(next); next = parentOf(at)) seen.add((at = next));
      // A circle of parents has no root: each is its own.
      return parentOf(at) === undefined ? at : run;
    };
    const families = new Map<ComposerRun, ComposerRun[]>();
    for (const run of this.runs) if (!run.isEmpty) families.set(rootOf(run), [...(families.get(rootOf(run)) ?? []), run]);
    return [...families].map(([root, runs]) => this.family(root, runs.filter((run) => run !== root), parentOf));
  }

  private family(root: ComposerRun, children: readonly ComposerRun[], parentOf: (run: ComposerRun) => ComposerRun | undefined): TrajectoryDraft {
    const draft = root.build(this.context.baseName);
    if (children.length === 0) return draft;
    const nameOf = (run: ComposerRun | undefined): string => (run === undefined || run === root ? MAIN_THREAD : run.id);
    const joined = children.map((run) => {
      const parent = parentOf(run);
      return { trajectory: asTrajectory(run.build(run.id)), base: 0, threadId: run.id, parentThread: nameOf(parent), spawnedBy: parent?.calls.has(run.spawnedBy ?? '') ? run.spawnedBy : undefined, title: run.name };
    });
    const { id: _id, indexInFile: _index, format: _format, ...whole } = joinTrajectories(asTrajectory(draft), joined, '');
    return whole;
  }
}

const asTrajectory = (draft: TrajectoryDraft) => ({ ...draft, id: '', indexInFile: 0, format: cursorComposer.id });

class ComposerRun {
  readonly id: string;
  readonly parentId: string | undefined;
  readonly spawnedBy: string | undefined;
  readonly name: string | undefined;
  /** Ids of its calls. */
  readonly calls = new Set<string>();
  private readonly draft = new DraftWriter();
  private readonly data: Located | null;
  private readonly rowOfBubble = new Map<string, number>();
  /** The answer that is being put together; −1 = none. */
  private answer = -1;
  private answerHasCalls = false;
  private modelCall: string | undefined;

  constructor(private readonly context: FormatContext, fields: ReturnType<SourceRecord['node']['fields']>, private readonly line: number) {
    this.id = asString(fields.get('composerId')?.value()) ?? '';
    this.data = locate(fields.get('composerData'), line, context, 'conversation');
    const head = fields.has('composerHeader') ? locate(fields.get('composerHeader'), line, context, 'conversation header')?.value : undefined;
    const subagent = asObject(head?.['subagentInfo']) ?? asObject(this.data?.value['subagentInfo']);
    this.parentId = asString(subagent?.['parentComposerId']);
    this.spawnedBy = asString(subagent?.['toolCallId']);
    this.name = firstLine(asString(this.data?.value['name']) ?? asString(head?.['name']) ?? '', 120) || undefined;
    const inline = this.data?.node.field('conversation');
    const bubbles = locateAll([...(inline?.kind === 'array' ? inline.elements() : []), ...(fields.get('bubbles')?.elements() ?? [])], line, context, 'message');
    for (const bubble of bubbles) this.addBubble(bubble);
    this.addLatestSummary();
  }

  get isEmpty(): boolean { return this.draft.columns.rowCount === 0; }

  private addBubble(bubble: Located): void {
    const { value } = bubble;
    const { type } = value;
    const time = timestampMs(value['createdAt']) ?? timestampMs(asObject(value['timingInfo'])?.['clientRpcSendTime']);
    this.context.count(type === 1 ? 'user message' : type === 2 ? 'assistant message' : 'message');
    if (type !== 1 && type !== 2) this.context.unknown(`message type ${typeof type === 'number' ? type : 'missing'}`);
    let row: number;
    if (isCompaction(value)) {
      this.event('compaction', 'capabilityType 22', bubble, time, firstLine(asString(value['text']) ?? '', 160) || 'Context summarised', { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: null, firstKeptRow: null });
      this.answer = -1;
      return;
    }
    if (type === 2) row = this.addToAnswer(bubble, time);
    else {
      this.answer = -1;
      const parts = bubbleParts(value, 'user');
      row = this.draft.addMessage({ role: 'user', flags: type === 1 && parts.some((part) => part.type === 'text') ? MessageFlag.instruction : MessageFlag.meta, timestampMs: time }, parts, bubble.node, this.line);
    }
    const id = asString(value['bubbleId']);
    if (id !== undefined) this.rowOfBubble.set(id, row);
  }

  private addToAnswer(bubble: Located, time: number | undefined): number {
    const { value, node } = bubble;
    const tool = toolOf(value);
    const modelCall = asString(tool?.['modelCallId']);
    const goesOn = this.answer >= 0 && (!this.answerHasCalls || (modelCall !== undefined && modelCall === this.modelCall));
    const parts = bubbleParts(value, 'assistant');
    const { columns } = this.draft;
    if (goesOn) {
      columns.addSpan(this.answer, spanOf(node, this.line));
      columns.addParts(this.answer, parts);
    } else {
      const model = asString(asObject(value['modelInfo'])?.['modelName']) ?? this.model;
      // An answer that failed before it said anything is a bubble of its own.
      const flags = value['errorDetails'] && parts.length === 0 ? MessageFlag.failed : 0;
      this.answer = this.draft.addMessage({ role: 'assistant', flags, model, timestampMs: time }, parts, node, this.line);
      this.answerHasCalls = false;
    }
    const row = this.answer;
    columns.mergeUsage(row, bubbleUsage(value['tokenCount']));
    if (tool) {
      for (const part of parts) if (part.type === 'tool_call') this.calls.add(part.id);
      this.answerHasCalls = true;
      this.modelCall = modelCall;
      const results = bubbleParts(value, 'tool');
      if (results.length > 0) this.draft.addMessage({ role: 'tool', timestampMs: time }, results, node, this.line);
    }
    if (value['errorDetails'] !== undefined && value['errorDetails'] !== null) this.event('error', 'errorDetails', bubble, time, errorText(value['errorDetails']));
    return row;
  }

  private get model(): string | undefined {
    const name = asString(asObject(this.data?.value['modelConfig'])?.['modelName']);
    return name === 'default' ? undefined : name;
  }

  /** The text of the newest summary stands beside the messages; those of earlier ones are not kept. */
  private addLatestSummary(): void {
    const node = this.data?.node.field('latestConversationSummary');
    const summary = asObject(asObject(this.data?.value['latestConversationSummary'])?.['summary']);
    const last = this.draft.events.findLast(({ kind }) => kind === 'compaction');
    if (!node || !asString(summary?.['summary']) || !last?.data) return;
    const kept = this.rowOfBubble.get(asString(summary?.['clientShouldStartSendingFromInclusiveBubbleId']) ?? '');
    const parts = bubbleParts(this.data?.value['latestConversationSummary'], 'user');
    const row = this.draft.addMessage({ role: 'user', flags: MessageFlag.compactSummary }, parts, node, this.line);
    last.data['summaryRow'] = row;
    last.data['firstKeptRow'] = kept ?? null;
    this.summaryAfter = { row, after: last.afterRow };
  }

  private summaryAfter: { row: number; after: number } | undefined;

  private event(kind: 'compaction' | 'error', sourceKind: string, { node }: Located, time: number | undefined, label: string, data?: JsonObject & Record<string, null>): void {
    this.draft.events.push({ kind, sourceKind, thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, timestampMs: time, label, ...(data ? { data: { ...data } } : {}), span: spanOf(node, this.line) });
  }

  build(fallbackName: string): TrajectoryDraft {
    const createdMs = timestampMs(this.data?.value['createdAt']);
    return this.draft.build({ name: this.name ?? fallbackName, createdMs }, (columns) => {
      const thread = linearThread(columns.n, [], true);
      const moved = this.summaryAfter;
      // Written last, said where the compaction was.
      if (moved) thread.main = Uint32Array.from([...thread.main.filter((row) => row <= moved.after), moved.row, ...thread.main.filter((row) => row > moved.after && row !== moved.row)]);
      return [thread];
    });
  }
}

function errorText(value: unknown): string {
  const details = asObject(value);
  const inner = asObject(asObject(details?.['error'])?.['details']) ?? details;
  const text = [inner?.['title'], inner?.['detail'] ?? inner?.['message']].filter((part) => typeof part === 'string').join(': ');
  return firstLine(text, 160) || 'error';
}
