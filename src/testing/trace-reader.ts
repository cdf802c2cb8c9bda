import { ROLES } from '../core/trace/model';
import type { Message, MessageColumns, Thread, Trajectory, Usage } from '../core/trace/model';

const NO_USAGE: Usage = { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null };

/** Columns of messages made by hand: the same numbers an importer would store, without byte spans. */
export function columnsOf(messages: readonly Message[]): MessageColumns {
  const n = messages.length;
  const strings = [''];
  const numbers = new Map<string, number>([['', 0]]);
  const intern = (text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, strings.length);
    return strings.push(text) - 1;
  };
  const callStart = [0], callIds: number[] = [], callNames: number[] = [];
  const resultStart = [0], resultCallIds: number[] = [], resultErrors: number[] = [];
  const usage = new Float64Array(n * 5).fill(Number.NaN);
  const chars = new Uint32Array(n);
  messages.forEach((message, i) => {
    for (const part of message.parts) {
      if (part.type === 'tool_call') {
        callIds.push(intern(part.id));
        callNames.push(intern(part.name));
        chars[i]! += part.name.length + part.args.length;
      } else if (part.type === 'tool_result') {
        resultCallIds.push(intern(part.callId));
        resultErrors.push(part.isError ? 1 : 0);
        for (const content of part.content) if (content.type === 'text') chars[i]! += content.text.length;
      } else if (part.type === 'text' || part.type === 'reasoning') chars[i]! += part.text.length;
    }
    callStart.push(callIds.length);
    resultStart.push(resultCallIds.length);
    const u = message.usage;
    if (u) [u.input, u.cachedInput, u.cacheWrite, u.output, u.reasoning].forEach((value, k) => (usage[i * 5 + k] = value ?? Number.NaN));
  });
  return {
    n,
    role: Uint8Array.from(messages, (m) => ROLES.indexOf(m.role)),
    flags: Uint16Array.from(messages, (m) => m.flags),
    timestampMs: Float64Array.from(messages, (m) => m.timestampMs ?? Number.NaN),
    model: Uint32Array.from(messages, (m) => intern(m.model ?? '')),
    callKey: Uint32Array.from(messages, (m) => intern(m.callId ?? '')),
    usage,
    chars,
    spanStart: new Uint32Array(n + 1),
    spanOffset: new Float64Array(0),
    spanLength: new Uint32Array(0),
    spanLine: new Uint32Array(0),
    callStart: Uint32Array.from(callStart),
    callIds: Uint32Array.from(callIds),
    callNames: Uint32Array.from(callNames),
    resultStart: Uint32Array.from(resultStart),
    resultCallIds: Uint32Array.from(resultCallIds),
    resultErrors: Uint8Array.from(resultErrors),
    strings,
  };
}

/** A trajectory of one thread `main` over the messages. */
export function trajectoryOf(messages: readonly Message[], thread: Partial<Thread> = {}): Trajectory {
  return {
    id: `${'0'.repeat(64)}#0`,
    indexInFile: 0,
    name: 'made by hand',
    format: 'testing',
    threads: [{ id: 'main', tools: [], main: Uint32Array.from(messages, (_, i) => i), branches: [], countsReasoning: true, ...thread }],
    events: [],
    columns: columnsOf(messages),
    warnings: [],
    usage: NO_USAGE,
  };
}

/** Reads hand-made messages as an importer's `TraceReader` would read a file. */
export function messagesReader(messages: readonly Message[]) {
  const at = (row: number): Message => {
    const message = messages[row];
    if (!message) throw new RangeError(`No message in row ${row}.`);
    return message;
  };
  return {
    async readMessages(rows: ArrayLike<number>, onMessage: (message: Message) => void | Promise<void>): Promise<void> {
      for (let i = 0; i < rows.length; i++) await onMessage({ ...at(rows[i]!), index: i });
    },
    readMessage: (row: number): Promise<Message> => Promise.resolve(at(row)),
    readRaw: (row: number): Promise<string[]> => Promise.resolve([JSON.stringify(at(row))]),
  };
}
