import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import type { Thread } from '../trace/model';
import { timestampMs } from './content-parts';
import { DraftWriter, MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import type { Located } from './located';
import { opencodeParts } from './opencode-parts';
import { OpencodeThread, countPart } from './opencode-thread';
import { sampledObjects, share } from './sampling';

/**
 * Objects of OpenCode's store in any order, one after the other or a line each (formats.md §4), and the lines of
 * `opencode run --format json`: parts find their message, messages their session, by id; ids sort by time. A session
 * whose parent is in the file becomes a thread of it.
 *
 * countsReasoning: true. As in the export.
 */
export const opencodeStore: Format = {
  id: 'opencode-store',
  title: 'OpenCode store dump',
  reads: 'whole',
  detect,
  open: (context) => new StoreSession(context),
  decode: (records, { role }) => opencodeParts(records, role),
};

const hasPrefix = (value: unknown, prefix: string): boolean => asString(value)?.startsWith(prefix) === true;

function isStored(object: JsonObject): boolean {
  const id = object['id'];
  return (hasPrefix(id, 'prt_') && 'messageID' in object) || (hasPrefix(id, 'msg_') && 'sessionID' in object) || (hasPrefix(id, 'ses_') && 'time' in object) || hasPrefix(asObject(object['part'])?.['id'], 'prt_');
}

function detect(sample: Sample): number {
  const found = share(sampledObjects(sample), isStored);
  return found > 0.5 ? 0.96 : found > 0.2 ? 0.7 : 0;
}

/** Where a record stands; it is parsed again when its session is written, so that nothing parsed is kept. */
interface Place { id: string; node: JsonNode; line: number }
interface StoredMessage { id: string; session: string; info: Place | null; parts: Place[] }

class StoreSession implements FormatSession {
  private readonly sessions = new Map<string, Located>();
  private readonly messages = new Map<string, StoredMessage>();
  private readonly errors: { at: Located; session: string; text: string }[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const value = node.value();
    const object = asObject(value);
    if (!object) {
      this.context.count('list');
      return;
    }
    const at: Located = { value: object, node, line };
    const id = asString(object['id']) ?? '';
    const inner = asObject(object['part']);
    if (id.startsWith('prt_')) this.addPart(at);
    else if (id.startsWith('msg_')) this.addInfo(at, id);
    else if (id.startsWith('ses_')) {
      this.context.count('session');
      this.sessions.set(id, at);
    } else if (inner && hasPrefix(inner['id'], 'prt_')) this.addPart({ value: inner, node: node.field('part')!, line });
    else if (object['type'] === 'error' && 'sessionID' in object) this.addError(at);
    else this.addOther(object);
  }

  private addPart(at: Located): void {
    const { value } = at;
    countPart(value, this.context);
    const message = this.message(asString(value['messageID']) ?? '', asString(value['sessionID']));
    message.parts.push({ id: asString(value['id']) ?? '', node: at.node, line: at.line });
  }

  private addInfo(at: Located, id: string): void {
    this.context.count('message');
    const message = this.message(id, asString(at.value['sessionID']));
    message.info = { id, node: at.node, line: at.line };
    message.session = asString(at.value['sessionID']) ?? message.session;
  }

  private addError(at: Located): void {
    this.context.count('error');
    const error = asObject(at.value['error']);
    this.errors.push({ at, session: asString(at.value['sessionID'])!, text: asString(asObject(error?.['data'])?.['message']) ?? asString(error?.['name']) ?? 'error' });
  }

  /** Bookkeeping of the store beside the sessions. Shares hold a secret: only counted. */
  private addOther(object: JsonObject): void {
    const kind = 'worktree' in object ? 'project' : 'secret' in object ? 'share' : null;
    this.context.count(kind ?? 'object');
    if (kind === null) this.context.unknown('object');
  }

  private message(id: string, session: string | undefined): StoredMessage {
    let message = this.messages.get(id);
    if (!message) this.messages.set(id, (message = { id, session: session ?? '', info: null, parts: [] }));
    return message;
  }

  build(): TrajectoryDraft[] {
    const bySession = new Map<string, StoredMessage[]>();
    for (const message of this.messages.values()) {
      const list = bySession.get(message.session);
      if (list) list.push(message);
      else bySession.set(message.session, [message]);
    }
    for (const list of bySession.values()) list.sort((a, b) => compare(a.id, b.id));
    const parentOf = (id: string): string | undefined => {
      const parent = asString(this.sessions.get(id)?.value['parentID']);
      return parent !== undefined && parent !== id && bySession.has(parent) ? parent : undefined;
    };
    const rootOf = (id: string): string => {
      const seen = new Set([id]);
      let at = id;
      for (let next = parentOf(at); next !== undefined && !seen.has(next); next = parentOf(at)) seen.add((at = next));
      return seen.has(parentOf(at) ?? '') ? id : at;
    };
    const families = new Map<string, string[]>();
    // Message ids sort by time, so a family starts with its first message.
    for (const [id] of [...bySession].sort(([, a], [, b]) => compare(a[0]!.id, b[0]!.id))) {
      const root = rootOf(id);
      families.set(root, [...(families.get(root) ?? []), id]);
    }
    return [...families].map(([root, ids]) => this.family(root, [root, ...ids.filter((id) => id !== root)], bySession, parentOf));
  }

  private family(root: string, ids: readonly string[], bySession: ReadonlyMap<string, StoredMessage[]>, parentOf: (id: string) => string | undefined): TrajectoryDraft {
    const draft = new DraftWriter();
    const nameOf = (id: string): string => (id === root ? MAIN_THREAD : id);
    const written = ids.map((id) => this.writeSession(draft, id, nameOf(id), id !== root, bySession.get(id) ?? []));
    const threads = ids.map((id, i): Thread => {
      const parent = parentOf(id);
      const thread: Thread = { id: nameOf(id), tools: [], main: Uint32Array.from(written[i]!.rows), branches: [], countsReasoning: true };
      if (id === root || parent === undefined) return thread;
      const spawnedBy = written[ids.indexOf(parent)]?.callOfSession.get(id);
      const title = firstLine(asString(this.sessions.get(id)?.value['title']) ?? '', 120);
      return { ...thread, parentThread: nameOf(parent), ...(spawnedBy ? { spawnedBy } : {}), ...(title ? { title } : {}) };
    });
    const info = this.sessions.get(root)?.value;
    const name = firstLine(asString(info?.['title']) ?? '', 120) || root || this.context.baseName;
    return draft.build({ name, createdMs: timestampMs(asObject(info?.['time'])?.['created']) }, () => threads);
  }

  private writeSession(draft: DraftWriter, id: string, thread: string, sidechain: boolean, messages: readonly StoredMessage[]): OpencodeThread {
    const writer = new OpencodeThread(draft, thread, sidechain);
    const times = new Map<number, number>();
    for (const message of messages) {
      const parts = message.parts.sort((a, b) => compare(a.id, b.id)).map(parsed);
      const own = message.info && parsed(message.info);
      // `opencode run` prints no record of the message itself.
      const info = { value: own?.value ?? { role: 'assistant', id: message.id }, at: own };
      times.set(draft.columns.rowCount, timestampMs(asObject(info.value['time'])?.['created']) ?? NaN);
      writer.addMessage(info, parts);
    }
    writer.finish(this.sessions.get(id), (row) => times.get(row) ?? NaN);
    for (const { at, session, text } of this.errors) {
      if (session === id) draft.events.push({ kind: 'error', sourceKind: 'error', thread, afterRow: draft.columns.rowCount - 1, timestampMs: timestampMs(at.value['timestamp']), label: firstLine(text, 160), span: spanOf(at.node, at.line) });
    }
    return writer;
  }
}

function parsed({ node, line }: Place): Located {
  return { value: asObject(node.value()) ?? {}, node, line };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
