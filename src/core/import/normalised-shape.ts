import { asArray, asBoolean, asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { ContentPart, EventKind, Outcome, Part, Thread, ToolSchema, TraceEvent, Usage } from '../trace/model';
import { moveRowFacts } from '../trace/row-facts';

/** Guards for our own files: somebody may have edited one. What is not understood becomes an `other` part. */

const USAGE_FIELDS = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;
export const EVENT_KINDS: ReadonlySet<string> = new Set<EventKind>(['compaction', 'context-edit', 'condensation', 'error', 'retry', 'interruption', 'model-change', 'summary', 'checkpoint', 'other']);

export function readUsage(value: unknown): Usage | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const [input, cachedInput, cacheWrite, output, reasoning] = USAGE_FIELDS.map((field) => {
    const number = asNumber(object[field]);
    return number === undefined || number < 0 ? null : number;
  }) as [number | null, number | null, number | null, number | null, number | null];
  return { input, cachedInput, cacheWrite, output, reasoning };
}

export function readParts(value: unknown): Part[] {
  return (asArray(value) ?? []).map(readPart);
}

function readPart(value: unknown): Part {
  const object = asObject(value);
  if (object?.['type'] === 'reasoning') {
    const text = asString(object['text']);
    if (text !== undefined) return { type: 'reasoning', text, ...(object['redacted'] === true ? { redacted: true } : {}) };
  }
  if (object?.['type'] === 'tool_call') {
    const name = asString(object['name']);
    if (name !== undefined) return { type: 'tool_call', id: asString(object['id']) ?? '', name, args: asString(object['args']) ?? '', ...(object['fenced'] === true ? { fenced: true } : {}) };
  }
  if (object?.['type'] === 'tool_result') return readResult(object);
  return readContent(value);
}

function readResult(object: JsonObject): Part {
  const toolName = asString(object['toolName']);
  const isError = asBoolean(object['isError']);
  const exitCode = asNumber(object['exitCode']);
  return {
    type: 'tool_result', callId: asString(object['callId']) ?? '', ...(toolName === undefined ? {} : { toolName }), content: (asArray(object['content']) ?? []).map(readContent),
    ...(isError === undefined ? {} : { isError }), ...(exitCode === undefined ? {} : { exitCode }),
  };
}

function readContent(value: unknown): ContentPart {
  const object = asObject(value);
  const text = asString(object?.['text']);
  if (object?.['type'] === 'text' && text !== undefined) return { type: 'text', text };
  if (object?.['type'] === 'image') {
    const numbers = Object.fromEntries((['bytes', 'width', 'height'] as const).flatMap((key) => (asNumber(object[key]) === undefined ? [] : [[key, asNumber(object[key])]])));
    const ref = asString(object['ref']);
    return { type: 'image', mime: asString(object['mime']) ?? 'image', ...numbers, ...(ref === undefined ? {} : { ref }) };
  }
  const raw = asString(object?.['raw']);
  if (object?.['type'] === 'other' && raw !== undefined) return { type: 'other', kind: asString(object['kind']) ?? 'other', raw };
  return { type: 'other', kind: asString(object?.['type']) ?? 'part', raw: stringifyJson(value) };
}

export function readOutcome(value: unknown): Outcome | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const reward = asNumber(object['reward']);
  const success = asBoolean(object['success']);
  const label = asString(object['label']);
  return { ...(reward === undefined ? {} : { reward }), ...(success === undefined ? {} : { success }), ...(label === undefined ? {} : { label }) };
}

function readTools(value: unknown): ToolSchema[] {
  return (asArray(value) ?? []).flatMap((tool) => {
    const name = asString(asObject(tool)?.['name']);
    const json = asString(asObject(tool)?.['json']);
    return name === undefined || json === undefined ? [] : [{ name, json }];
  });
}

/** File row → row here; absent = its line was lost. */
export type RowMap = ReadonlyMap<number, number>;

/** Threads whose every reference holds: rows once, branches not empty, parents known. Rows that no thread names join the first. */
export function readThreads(value: unknown, rows: RowMap, rowCount: number, callIds: ReadonlySet<string>): Thread[] {
  const owner = new Int32Array(rowCount).fill(-1);
  const threads: Thread[] = [];
  const ids = new Set<string>();
  for (const item of asArray(value) ?? []) {
    const object = asObject(item);
    const id = asString(object?.['id']);
    if (!object || id === undefined || ids.has(id)) continue;
    const at = threads.length;
    const claim = (list: unknown): Uint32Array => {
      const seen = new Set<number>();
      for (const number of asArray(list) ?? []) {
        const row = rows.get(asNumber(number) ?? -1);
        if (row === undefined || seen.has(row) || (owner[row] !== -1 && owner[row] !== at)) continue;
        owner[row] = at;
        seen.add(row);
      }
      return Uint32Array.from(seen);
    };
    ids.add(id);
    const main = claim(object['main']);
    const branchIds = new Set<string>();
    const branches = (asArray(object['branches']) ?? []).flatMap((branch) => {
      const facts = asObject(branch);
      const branchId = asString(facts?.['id']);
      if (!facts || branchId === undefined || branchIds.has(branchId)) return [];
      const own = claim(facts['rows']);
      if (own.length === 0) return [];
      branchIds.add(branchId);
      const title = asString(facts['title']);
      const forkAfter = Math.round(Math.min(main.length - 1, Math.max(-1, asNumber(facts['forkAfter']) ?? -1)));
      return [{ id: branchId, ...(title === undefined ? {} : { title }), forkAfter, rows: own }];
    });
    const [title, parentThread, spawnedBy] = [asString(object['title']), asString(object['parentThread']), asString(object['spawnedBy'])];
    threads.push({ id, ...(title === undefined ? {} : { title }), ...(parentThread === undefined ? {} : { parentThread }), ...(spawnedBy === undefined ? {} : { spawnedBy }), tools: readTools(object['tools']), main, branches, countsReasoning: object['countsReasoning'] === true });
  }
  if (threads.length === 0) threads.push({ id: 'main', tools: [], main: new Uint32Array(0), branches: [], countsReasoning: false });
  const homeless = [...owner.keys()].filter((row) => owner[row] === -1);
  if (homeless.length > 0) threads[0]!.main = Uint32Array.from([...threads[0]!.main, ...homeless]);
  threads.forEach((thread, i) => {
    if (thread.parentThread !== undefined && !ids.has(thread.parentThread)) delete thread.parentThread;
    if (i > 0 && thread.spawnedBy !== undefined && !callIds.has(thread.spawnedBy)) delete thread.spawnedBy;
  });
  return threads;
}

/** An event with its rows as they are here. */
export function readEvent(object: JsonObject, rows: RowMap, threads: readonly Thread[]): TraceEvent {
  const kind = asString(object['kind']) ?? 'other';
  const thread = asString(object['thread']);
  const timestampMs = asNumber(object['timestampMs']);
  const after = asNumber(object['afterRow']) ?? -1;
  const data = asObject(object['data']);
  return {
    kind: EVENT_KINDS.has(kind) ? (kind as EventKind) : 'other',
    sourceKind: asString(object['sourceKind']) ?? kind,
    thread: threads.some(({ id }) => id === thread) ? thread! : threads[0]!.id,
    afterRow: rows.get(after) ?? lastUpTo(rows, after),
    ...(timestampMs === undefined ? {} : { timestampMs }),
    label: asString(object['label']) ?? kind,
    ...(data ? { data: readData(data, rows) } : {}),
  };
}

function lastUpTo(rows: RowMap, wanted: number): number {
  let last = -1;
  for (const [fileRow, row] of rows) if (fileRow <= wanted) last = Math.max(last, row);
  return last;
}

function readData(data: JsonObject, rows: RowMap): NonNullable<TraceEvent['data']> {
  const out: NonNullable<TraceEvent['data']> = {};
  for (const [key, value] of Object.entries(data)) {
    out[key] = value === null || typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : stringifyJson(value);
  }
  return moveRowFacts(out, (row) => rows.get(row));
}
