import initSqlJs from 'sql.js';
import type { SqlValue } from 'sql.js';

/** SQLite databases of our own making, built in memory: statements, then rows by table. */
export async function database(schema: string, rows: Readonly<Record<string, readonly (readonly SqlValue[])[]>>): Promise<Uint8Array> {
  const sql = await initSqlJs();
  const db = new sql.Database();
  try {
    db.run(schema);
    for (const [table, values] of Object.entries(rows)) {
      for (const row of values) db.run(`INSERT INTO ${table} VALUES (${row.map(() => '?').join(', ')})`, [...row]);
    }
    return db.export();
  } finally {
    db.close();
  }
}

const json = (value: unknown): string => JSON.stringify(value);

/** Two sessions, one started by the other's task call; the columns are those of `session.sql.ts`, shortened. */
export function opencodeDatabase(more: { parts?: readonly (readonly SqlValue[])[] } = {}): Promise<Uint8Array> {
  const schema = `
    CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT NOT NULL);
    CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT NOT NULL, parent_id TEXT, slug TEXT NOT NULL, directory TEXT NOT NULL, title TEXT NOT NULL, version TEXT NOT NULL, share_url TEXT, time_created INTEGER NOT NULL, time_updated INTEGER NOT NULL);
    CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);
    CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT NOT NULL, session_id TEXT NOT NULL, time_created INTEGER NOT NULL, data TEXT NOT NULL);`;
  const part = (id: string, message: string, session: string, data: unknown): SqlValue[] => [id, message, session, 1, json(data)];
  return database(schema, {
    project: [['p', '/w']],
    session: [
      ['ses_1', 'p', null, 'a', '/w', 'Look into the parser', '1.0', 'https://share.invalid/secret', 1_700_000_000_000, 1_700_000_100_000],
      ['ses_2', 'p', 'ses_1', 'b', '/w', 'Explore the tests', '1.0', null, 1_700_000_010_000, 1_700_000_020_000],
      ['ses_3', 'p', null, 'c', '/w', 'A second task', '1.0', null, 1_700_000_200_000, 1_700_000_300_000],
    ],
    message: [
      ['msg_1', 'ses_1', 1, json({ role: 'user', time: { created: 1_700_000_000_000 } })],
      ['msg_2', 'ses_1', 2, json({ role: 'assistant', modelID: 'm-1', time: { created: 1_700_000_001_000 }, tokens: { input: 100, output: 20, reasoning: 0, cache: { read: 50, write: 0 } } })],
      ['msg_3', 'ses_2', 3, json({ role: 'user', time: { created: 1_700_000_010_000 } })],
      ['msg_4', 'ses_2', 4, json({ role: 'assistant', modelID: 'm-1', time: { created: 1_700_000_011_000 }, tokens: { input: 30, output: 5, reasoning: 0, cache: { read: 0, write: 0 } } })],
      ['msg_5', 'ses_3', 5, json({ role: 'user', time: { created: 1_700_000_200_000 } })],
      ['msg_6', 'ses_3', 6, json({ role: 'assistant', modelID: 'm-2', time: { created: 1_700_000_201_000 } })],
    ],
    part: [
      part('prt_1', 'msg_1', 'ses_1', { type: 'text', text: 'Why does the parser fail?' }),
      part('prt_2', 'msg_2', 'ses_1', { type: 'tool', callID: 'c1', tool: 'task', state: { status: 'completed', input: { description: 'Explore' }, output: 'explored', metadata: { sessionId: 'ses_2' }, time: { start: 1, end: 2 } } }),
      part('prt_3', 'msg_3', 'ses_2', { type: 'text', text: 'Explore the tests' }),
      part('prt_4', 'msg_4', 'ses_2', { type: 'text', text: 'There are three.' }),
      part('prt_5', 'msg_5', 'ses_3', { type: 'text', text: 'Now write one.' }),
      part('prt_6', 'msg_6', 'ses_3', { type: 'text', text: 'Written.' }),
      ...(more.parts ?? []),
    ],
  });
}

export function gooseDatabase(): Promise<Uint8Array> {
  const schema = `
    CREATE TABLE schema_version (version INTEGER PRIMARY KEY);
    CREATE TABLE sessions (id TEXT PRIMARY KEY, name TEXT, description TEXT, working_dir TEXT NOT NULL, created_at TIMESTAMP, updated_at TIMESTAMP, extension_data TEXT, input_tokens INTEGER, output_tokens INTEGER, accumulated_input_tokens INTEGER, accumulated_output_tokens INTEGER, model_config_json TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY AUTOINCREMENT, message_id TEXT, session_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, created_timestamp INTEGER NOT NULL, tokens INTEGER, metadata_json TEXT);`;
  const seen = json({ userVisible: true, agentVisible: true });
  return database(schema, {
    schema_version: [[5]],
    sessions: [
      ['20260101_1', 'Count the files', '', '/w', '2026-01-01 10:00:00', '2026-01-01 10:05:00', '{}', 10, 2, 300, 40, json({ model_name: 'g-1' })],
      ['20260101_2', 'Nothing said', '', '/w', '2026-01-01 11:00:00', '2026-01-01 11:00:00', '{}', null, null, null, null, null],
    ],
    messages: [
      [null, 'a', '20260101_1', 'user', json([{ type: 'text', text: 'How many files?' }]), 1_767_261_600, null, seen],
      [null, 'b', '20260101_1', 'assistant', json([{ type: 'toolRequest', id: 't1', toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls | wc -l' } } } }]), 1_767_261_601, null, seen],
      [null, 'c', '20260101_1', 'user', json([{ type: 'toolResponse', id: 't1', toolResult: { status: 'success', value: { content: [{ type: 'text', text: '7' }] } } }]), 1_767_261_602, null, seen],
      [null, 'd', '20260101_1', 'assistant', json([{ type: 'text', text: 'Seven.' }]), 1_767_261_603, null, null],
    ],
  });
}

/** One conversation with thinking, a call, a compaction and an answer; a sub-agent of it; one message that was undone. */
export function cursorDatabase(): Promise<Uint8Array> {
  const bubble = (id: string, value: Record<string, unknown>, composer = 'main'): SqlValue[] => [`bubbleId:${composer}:${id}`, json({ _v: 3, bubbleId: id, tokenCount: { inputTokens: 0, outputTokens: 0 }, ...value })];
  return database('CREATE TABLE ItemTable (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB); CREATE TABLE cursorDiskKV (key TEXT UNIQUE ON CONFLICT REPLACE, value BLOB);', {
    ItemTable: [['cursorAuth/accessToken', 'secret-token']],
    cursorDiskKV: [
      ['composerData:main', json({
        _v: 10, composerId: 'main', name: 'Read the file', createdAt: 1_780_000_000_000, modelConfig: { modelName: 'x-1' },
        fullConversationHeadersOnly: ['u1', 'a1', 'a2', 'a3', 'z', 'u2', 'a4'].map((bubbleId) => ({ bubbleId })),
        latestConversationSummary: { summary: { summary: 'A file was read.', clientShouldStartSendingFromInclusiveBubbleId: 'u2' } },
      })],
      bubble('u1', { type: 1, text: 'What is in notes.txt?', createdAt: '2026-05-28T11:00:00.000Z' }),
      bubble('a1', { type: 2, thinking: { text: 'I should read it.', signature: 's' }, capabilityType: 30 }),
      bubble('a2', { type: 2, text: 'I read it.', tokenCount: { inputTokens: 900, outputTokens: 30 } }),
      bubble('a3', { type: 2, capabilityType: 15, toolFormerData: { name: 'task_v2', toolCallId: 'call_1', status: 'completed', rawArgs: '{"prompt":"read"}', result: '{"agentId":"child","exitCode":1}' } }),
      bubble('z', { type: 2, capabilityType: 22, text: 'Chat context summarized.' }),
      bubble('u2', { type: 1, text: 'And now?' }),
      bubble('a4', { type: 2, text: 'Nothing more.', errorDetails: { error: { details: { title: 'Provider error', detail: '400' } } } }),
      bubble('gone', { type: 2, text: 'undone' }),
      ['composerData:child', json({ composerId: 'child', name: 'Sub-agent', subagentInfo: { parentComposerId: 'main', toolCallId: 'call_1' }, fullConversationHeadersOnly: [{ bubbleId: 'c1' }] })],
      bubble('c1', { type: 2, text: 'Done reading.' }, 'child'),
      ['composerData:empty', json({ composerId: 'empty', fullConversationHeadersOnly: [] })],
      ['composerData:broken', '{"composerId": "broken", '],
      ['messageRequestContext:main:u1', '{}'],
    ],
  });
}

/** What SQLite leaves in `FILE-wal` when pages of `before` become those of `after` by one commit, or one every `commitEvery` pages. */
export function writeAheadLog(before: Uint8Array, after: Uint8Array, { commitEvery = Infinity, little = true } = {}): Uint8Array {
  const pageBytes = new DataView(after.buffer, after.byteOffset).getUint16(16);
  const changed: number[] = [];
  for (let page = 0; page * pageBytes < after.length; page++) {
    const from = page * pageBytes;
    if (Buffer.compare(before.subarray(from, from + pageBytes), after.subarray(from, from + pageBytes)) !== 0) changed.push(page);
  }
  const out = new Uint8Array(32 + changed.length * (24 + pageBytes));
  const view = new DataView(out.buffer);
  let sum: [number, number] = [0, 0];
  const add = (from: number, to: number): void => {
    for (let at = from; at < to; at += 8) {
      const first = (sum[0] + view.getUint32(at, little) + sum[1]) >>> 0;
      sum = [first, (sum[1] + view.getUint32(at + 4, little) + first) >>> 0];
    }
  };
  [little ? 0x377f0682 : 0x377f0683, 3_007_000, pageBytes, 0, 0x1234, 0x5678].forEach((value, i) => { view.setUint32(4 * i, value); });
  add(0, 24);
  view.setUint32(24, sum[0]);
  view.setUint32(28, sum[1]);
  changed.forEach((page, i) => {
    const at = 32 + i * (24 + pageBytes);
    const commits = i === changed.length - 1 || (i + 1) % commitEvery === 0;
    [page + 1, commits ? after.length / pageBytes : 0, 0x1234, 0x5678].forEach((value, j) => { view.setUint32(at + 4 * j, value); });
    out.set(after.subarray(page * pageBytes, (page + 1) * pageBytes), at + 24);
    add(at, at + 8);
    add(at + 24, at + 24 + pageBytes);
    view.setUint32(at + 16, sum[0]);
    view.setUint32(at + 20, sum[1]);
  });
  return out;
}
