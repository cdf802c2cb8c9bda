import { asArray, asObject, asString } from '../base/json';
import type { ToolSchema } from '../trace/model';
import { ChatRows, chatRecordParts } from './chat-rows';
import { contentParts, timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import { spanOf } from './format';
import type { FileCounts, Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { chatRole } from './openai-decode';
import { RunListSession, valueOf } from './run-list';
import type { ImportRun } from './run-list';
import { toolSchemas } from './tool-schemas';

/**
 * hermes-agent `session_*.json` (formats.md §17): OpenAI chat with reasoning, a system prompt and the session's facts beside
 * it. `session_meta` entries in the list are no messages of the conversation.
 *
 * countsReasoning: false, as for chat completions.
 */
export const hermesAgent: Format = {
  id: 'hermes-agent',
  title: 'hermes-agent session',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new HermesRun(context, node, line)),
  decode: (records) => records.flatMap((record) => (typeof record === 'string' ? contentParts(record) : chatRecordParts(record))),
};

function detect(sample: Sample): number {
  const scores = sample.records.map((record) => {
    const object = asObject(record);
    const messages = asArray(object?.['messages']);
    if (!object || !messages || typeof object['session_id'] !== 'string') return 0;
    const marks = ['session_start', 'last_updated', 'message_count', 'system_prompt', 'platform', 'model_config'].filter((key) => key in object).length;
    const isChat = messages.every((message) => typeof asObject(message)?.['role'] === 'string');
    return isChat && marks >= 3 ? 0.96 : 0;
  });
  return scores.length === 0 ? 0 : Math.min(...scores);
}

class HermesRun implements ImportRun {
  readonly counts: Pick<FileCounts, 'messages'>;
  private readonly draft = new DraftWriter();
  private readonly tools: ToolSchema[];
  private readonly model: string | undefined;
  private readonly createdMs: number | undefined;
  private readonly title: string | undefined;

  constructor(context: FormatContext, node: JsonNode, line: number) {
    const fields = node.fields();
    this.model = asString(valueOf(fields.get('model')));
    this.title = asString(valueOf(fields.get('title')));
    this.createdMs = timestampMs(valueOf(fields.get('session_start')));
    this.tools = toolSchemas(valueOf(fields.get('tools')));
    const system = fields.get('system_prompt');
    const first = asObject(valueOf(fields.get('messages')?.elements(1)[0]));
    if (system && typeof valueOf(system) === 'string' && first?.['role'] !== 'system') this.draft.addMessage({ role: 'system' }, contentParts(valueOf(system)), system, line);
    const rows = new ChatRows(context, this.draft, line);
    const list = fields.get('messages')?.elements() ?? [];
    for (const message of list) {
      const role = asObject(valueOf(message))?.['role'];
      if (chatRole(role) === null && role === 'session_meta') this.draft.events.push({ kind: 'other', sourceKind: 'session_meta', thread: MAIN_THREAD, afterRow: this.draft.columns.rowCount - 1, label: 'Session facts', span: spanOf(message, line) });
      else rows.add(message);
    }
    this.counts = { messages: list.length };
    context.count('message', list.length);
  }

  build(fallbackName: string): TrajectoryDraft {
    return this.draft.build({ name: this.title || fallbackName, model: this.model, createdMs: this.createdMs }, (columns) => [linearThread(columns.n, this.tools, false)]);
  }
}
