import { asObject, asString } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role } from '../trace/model';
import { anthropicParts } from './claude-decode';
import { hasOwnText, otherPart, textPart } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';

/**
 * Cursor agent transcripts (formats.md §11): `{role, message{content[]}}` a line, without ids, times, usage or models;
 * the user's words stand in `<user_query>`, what is around them is context that Cursor added.
 *
 * countsReasoning: false. None is written.
 */
export const cursorAgent: Format = {
  id: 'cursor-agent',
  title: 'Cursor agent transcript',
  reads: 'whole',
  detect,
  open: (context) => new CursorSession(context),
  decode: (records) => records.flatMap(lineParts),
};

function detect(sample: Sample): number {
  if (sample.shape !== 'lines') return 0;
  const found = share(sampledObjects(sample), (object) => {
    const message = asObject(object['message']);
    return typeof object['role'] === 'string' && Array.isArray(message?.['content']) && !('type' in object) && !('uuid' in object) && !('role' in message);
  });
  return found > 0.6 ? 0.94 : 0;
}

const USER_QUERY = /<user_query>\n?([^]*?)\n?<\/user_query>/;

function lineParts(record: unknown): Part[] {
  const object = asObject(record) ?? {};
  const parts = anthropicParts(asObject(object['message'])?.['content']);
  if (object['role'] !== 'user') return parts;
  return parts.flatMap((part): Part[] => {
    const query = part.type === 'text' ? USER_QUERY.exec(part.text) : null;
    if (!query || part.type !== 'text') return [part];
    const around = part.text.replace(query[0], () => '').trim();
    return [...(around === '' ? [] : [otherPart('added context', around)]), textPart(query[1]!)];
  });
}

class CursorSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const object = asObject(node.value());
    const source = asString(object?.['role']) ?? 'record without role';
    this.context.count(source);
    if (!object || !asObject(object['message'])) return this.context.unknown(source);
    const parts = this.pairing.assign(lineParts(object));
    const isResult = parts.length > 0 && parts.every((part) => part.type === 'tool_result');
    const role: Role = source === 'assistant' ? 'assistant' : source === 'system' ? 'system' : isResult ? 'tool' : 'user';
    this.draft.addMessage({ role, flags: role !== 'user' ? 0 : hasOwnText(parts) ? MessageFlag.instruction : MessageFlag.meta }, parts, node, line);
  }

  build(): TrajectoryDraft[] {
    if (this.draft.columns.rowCount === 0) return [];
    return [this.draft.build({ name: this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
