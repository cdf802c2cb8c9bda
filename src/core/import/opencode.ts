import { asObject, asString } from '../base/json';
import { firstLine } from '../base/text';
import { timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { FileLinks, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { locate, locateAll } from './located';
import type { Located } from './located';
import { opencodeParts } from './opencode-parts';
import { OpencodeThread, countPart } from './opencode-thread';
import { sampledObjects } from './sampling';

/**
 * `opencode export` (formats.md §4): `{info, messages[{info, parts[]}]}`, one session a file. A row is one message, its
 * spans are the message's info and those parts that are content; tokens are those of the message info, never added to
 * those of its step-finish parts. A child session (`info.parentID`) joins the session whose task call names it.
 *
 * countsReasoning: true. OpenCode sends reasoning parts back with their provider metadata.
 */
export const opencode: Format = {
  id: 'opencode',
  title: 'OpenCode export',
  reads: 'parts',
  detect,
  open: (context) => new ExportSession(context),
  decode: (records, { role }) => opencodeParts(records, role),
};

function detect(sample: Sample): number {
  const scores = sampledObjects(sample).map((object) => {
    const messages = Array.isArray(object['messages']) ? (object['messages'] as readonly unknown[]) : [];
    const first = asObject(messages[0]);
    const isMessage = first !== undefined && 'role' in (asObject(first['info']) ?? {}) && Array.isArray(first['parts']);
    const isSession = asString(asObject(object['info'])?.['id'])?.startsWith('ses_') === true;
    if (isMessage) return isSession ? 0.98 : 0.9;
    return isSession && 'messages' in object ? 0.95 : isSession ? 0.6 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

class ExportSession implements FormatSession {
  private readonly runs: ExportRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    this.runs.push(new ExportRun(this.context, node.fields(), line));
  }

  links(): FileLinks {
    return this.runs.length === 1 ? this.runs[0]!.links() : { isSubagent: false, callOfAgent: new Map(), spawnByPrompt: new Map() };
  }

  build(): TrajectoryDraft[] {
    return this.runs.map((run) => run.build(this.context.baseName));
  }
}

class ExportRun {
  private readonly draft = new DraftWriter();
  private readonly thread: OpencodeThread;
  private readonly info: Located | null;
  private readonly parentId: string | undefined;

  constructor(context: FormatContext, fields: ReturnType<SourceRecord['node']['fields']>, line: number) {
    this.info = locate(fields.get('info'), line, context, 'session');
    this.parentId = asString(this.info?.value['parentID']);
    this.thread = new OpencodeThread(this.draft, MAIN_THREAD, this.parentId !== undefined);
    const times: number[] = [];
    for (const message of fields.get('messages')?.elements() ?? []) {
      const inner = message.fields();
      const parts = locateAll(inner.get('parts')?.elements() ?? [], line, context, 'part');
      for (const part of parts) countPart(part.value, context);
      const info = locate(inner.get('info'), line, context, 'message');
      if (!info) continue;
      times.push(timestampMs(asObject(info.value['time'])?.['created']) ?? NaN);
      this.thread.addMessage({ value: info.value, at: info }, parts);
    }
    this.thread.finish(this.info ?? undefined, (row) => times[row] ?? NaN);
  }

  links(): FileLinks {
    return {
      sessionId: this.parentId ?? this.sessionId, isSubagent: this.parentId !== undefined, agentId: this.parentId === undefined ? undefined : this.sessionId,
      callOfAgent: this.thread.callOfSession, spawnByPrompt: new Map(),
    };
  }

  private get sessionId(): string | undefined { return asString(this.info?.value['id']); }

  build(fallbackName: string): TrajectoryDraft {
    const title = asString(this.info?.value['title']) ?? '';
    const createdMs = timestampMs(asObject(this.info?.value['time'])?.['created']);
    return this.draft.build({ name: firstLine(title, 120) || fallbackName, createdMs }, (columns) => [linearThread(columns.n, [], true)]);
  }
}
