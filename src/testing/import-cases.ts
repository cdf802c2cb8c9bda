import { bytesSource } from '../core/base/byte-source';
import type { ByteSource } from '../core/base/byte-source';
import { importFiles } from '../core/import/import-files';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import type { ImportOptions, ImportReport } from '../core/import/types';
import { traceFaults } from '../core/trace/integrity';
import type { Message, Trajectory } from '../core/trace/model';

/** Sources and sessions of our own making for the import cases (import-cases.test.ts and its neighbours). */

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const file = (text: string, name = 'x'): ByteSource => bytesSource(name, bytes(text));
export const lines = (...records: readonly (object | string)[]): string => records.map((record) => (typeof record === 'string' ? record : JSON.stringify(record))).join('\n');

export interface Read { report: ImportReport; run: Trajectory; runs: Trajectory[]; messages: Message[]; texts: string[] }

/** Imports one source and reads its first run back, so that spans are proved; `texts` are the text parts of each message, joined. */
export async function read(given: string | Uint8Array | ByteSource, options?: ImportOptions): Promise<Read> {
  const source = typeof given === 'string' ? file(given) : given instanceof Uint8Array ? bytesSource('x', given) : given;
  const { report, trajectories, content } = await importSource(source, options);
  const held = content ?? source;
  const messages: Message[] = [];
  for (const trajectory of trajectories) {
    const faults = traceFaults(trajectory, held.size);
    if (faults.length > 0) throw new Error(faults.join('\n'));
  }
  const [run] = trajectories;
  if (run) await createTraceReader(held, run).readMessages(Array.from({ length: run.columns.n }, (_, row) => row), (message) => void messages.push(message));
  return { report, run: run!, runs: trajectories, messages, texts: messages.map(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('|')) };
}

/** Runs of files that were given together. */
export async function readTogether(...sources: ByteSource[]): Promise<{ runs: Trajectory[]; reports: ImportReport[] }> {
  const { groups } = await importFiles(sources);
  return { runs: groups.flatMap(({ trajectories }) => trajectories), reports: groups.flatMap(({ reports }) => reports) };
}

/** A line of Claude Code. Parent = the line before in the numbering, unless `more` says otherwise. */
export function claude(type: 'user' | 'assistant', id: number, content: unknown, more: Record<string, unknown> = {}): object {
  const { usage, model = 'm', messageId = `msg_${id}`, ...envelope } = more;
  const message = type === 'user' ? { role: 'user', content } : { id: messageId, role: 'assistant', model, content, ...(usage === undefined ? {} : { usage }) };
  return { parentUuid: id === 0 ? null : `n${id - 1}`, isSidechain: false, sessionId: 's', uuid: `n${id}`, type, message, ...envelope };
}
export const toolUse = (id: string, input: object = {}): object => ({ type: 'tool_use', id, name: 'f', input });
export const toolResult = (id: string, content: unknown = 'r'): object => ({ type: 'tool_result', tool_use_id: id, content });

/** A line of Codex. */
export const codex = (type: string, payload: object, timestamp = '2026-01-01T00:00:00.000Z'): object => ({ timestamp, type, payload });
export const said = (role: string, text: string, timestamp?: string): object => codex('response_item', { type: 'message', role, content: [{ type: 'input_text', text }] }, timestamp);
export const tokenCount = (total: number, timestamp?: string): object => codex('event_msg', { type: 'token_count', info: { total_token_usage: { input_tokens: total, cached_input_tokens: 0, output_tokens: total / 10, reasoning_output_tokens: 0, total_tokens: total * 1.1 }, last_token_usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 } } }, timestamp);

/** An export of OpenCode with `n` messages of text. */
export function opencodeExport(n: number, text = (i: number): string => `message ${i}`): object {
  return { info: { id: 'ses_1', title: 'x' }, messages: Array.from({ length: n }, (_, i) => ({ info: { id: `msg_${String(i).padStart(5, '0')}`, role: i % 2 ? 'assistant' : 'user', time: { created: 1_700_000_000_000 + i } }, parts: [{ type: 'text', text: text(i) }] })) };
}

/**
 * A session of Claude Code of any size whose bytes are made when they are asked for: `count` lines of `lineBytes` each, user and
 * assistant by turns. Remembers the largest piece that was asked for.
 */
export function endlessSession(count: number, lineBytes: number): ByteSource & { largestRead: () => number } {
  const shape = (id: string, parent: string, isUser: boolean): string => `{"parentUuid":"${parent}","isSidechain":false,"sessionId":"s","uuid":"${id}","type":"${isUser ? 'user' : 'assistant'}","message":{${isUser ? '' : `"id":"msg_${id}","model":"m",`}"role":"${isUser ? 'user' : 'assistant'}","content":"`;
  const end = '"}}\n';
  const name = (i: number): string => String(i).padStart(12, '0');
  const size = count * lineBytes;
  const filler = new Uint8Array(lineBytes).fill(0x78);
  let largest = 0;
  const line = (i: number, out: Uint8Array, at: number): void => {
    const head = bytes(shape(name(i), i === 0 ? '' : name(i - 1), i % 2 === 0));
    const whole = filler.slice();
    whole.set(head);
    whole.set(bytes(end), lineBytes - end.length);
    out.set(whole.subarray(Math.max(0, -at), Math.min(lineBytes, out.length - at)), Math.max(0, at));
  };
  return {
    name: 'endless', size, largestRead: () => largest,
    read: (from, to) => {
      const stop = Math.min(to, size);
      largest = Math.max(largest, stop - from);
      const out = new Uint8Array(Math.max(0, stop - from));
      for (let i = Math.floor(from / lineBytes); i * lineBytes < stop; i++) line(i, out, i * lineBytes - from);
      return Promise.resolve(out);
    },
  };
}
