import { describe, expect, it } from 'vitest';
import { cursorDatabase, database, gooseDatabase, opencodeDatabase } from '../../../testing/databases';
import { readable } from '../../../testing/readable';
import { bytesSource } from '../../base/byte-source';
import { importFiles } from '../import-files';
import type { ImportedGroup } from '../types';

async function imported(bytes: Uint8Array, name = 'x'): Promise<ImportedGroup> {
  const { groups, failures } = await importFiles([bytesSource(name, bytes)]);
  expect(failures.map(({ error }) => error.message)).toEqual([]);
  expect(groups.length).toBe(1);
  return groups[0]!;
}

describe('databases of agents', () => {
  it('OpenCode: sessions, and the session that a task call started as its thread', async () => {
    const group = await imported(await opencodeDatabase());
    const [report] = group.reports;
    expect([report!.container, report!.format, report!.formatConfidence, report!.recordKinds]).toMatchObject(['sqlite', 'opencode-store', 'certain', { session: 3, message: 6 }]);
    expect(await readable(group)).toEqual([
      '# Look into the parser main', 'user Why does the parser fail?', 'assistant call c1 task {"description":"Explore"} | result c1: explored',
      '# Look into the parser ses_2 in main by c1', 'user Explore the tests', 'assistant There are three.',
      '# A second task main', 'user Now write one.', 'assistant Written.',
    ]);
    expect(group.trajectories[0]!.usage).toMatchObject({ input: 130, output: 25, cachedInput: 50 });
    expect(report!.warnings).toEqual(['OpenCode database: tables that hold no messages were left out, with their rows: project 1.']);
    expect(new TextDecoder().decode(await group.source.read(0, group.source.size))).not.toContain('share.invalid');
  });

  it('OpenCode: a broken row costs only itself', async () => {
    const group = await imported(await opencodeDatabase({ parts: [['prt_7', 'msg_6', 'ses_3', 1, '{"type":"text","text":"cut'], ['prt_8', 'msg_6', 'ses_3', 1, '{"type":"text",\n"text":"on two lines"}'], ['prt_9', 'msg_6', 'ses_3', 1, 'null']] }));
    const [report] = group.reports;
    expect(report!.badRecordCount).toBe(1);
    expect(report!.badRecords[0]!.reason).toBe('the record is cut off');
    expect((await readable(group)).at(-1)).toMatch(/^assistant Written\. \| on two lines/);
  });

  it('Goose: sessions as its export writes them, with its times in UTC', async () => {
    const group = await imported(await gooseDatabase());
    expect([group.reports[0]!.container, group.reports[0]!.format]).toEqual(['sqlite', 'goose']);
    expect(await readable(group)).toEqual(['# Count the files main', 'user How many files?', 'assistant call t1 shell {"command":"ls | wc -l"}', 'tool result t1: 7', 'assistant Seven.']);
    expect(group.trajectories[0]).toMatchObject({ model: 'g-1', createdMs: Date.UTC(2026, 0, 1, 10), usage: { input: 300, output: 40 } });
  });

  it('Cursor: bubbles become answers, the compaction an event with its summary, sub-agents threads; nothing else is read', async () => {
    const group = await imported(await cursorDatabase());
    const [report] = group.reports;
    expect([report!.container, report!.format, report!.formatConfidence]).toEqual(['sqlite', 'cursor-composer', 'certain']);
    expect(await readable(group)).toEqual([
      '# Read the file main', 'user What is in notes.txt?', 'assistant (I should read it.) | I read it. | call call_1 task_v2 {"prompt":"read"}', 'tool result call_1 error: {"agentId":"child","exitCode":1}',
      'user A file was read.', 'user And now?', 'assistant Nothing more.',
      '# Read the file child in main by call_1', 'assistant Done reading.',
    ]);
    const [trajectory] = group.trajectories;
    expect(trajectory!.model).toBe('x-1');
    expect(trajectory!.usage).toMatchObject({ input: 900, output: 30 });
    expect(trajectory!.events.map(({ kind, label, data }) => [kind, label, data ?? null])).toEqual([
      ['compaction', 'Chat context summarized.', { tokensBefore: null, tokensAfter: null, trigger: null, summaryRow: 5, firstKeptRow: 3 }],
      ['error', 'Provider error: 400', null],
    ]);
    expect(report!.warnings.join(' ')).toContain('that no conversation lists (edited away, or undone) are left out: 1.');
    expect(new TextDecoder().decode(await group.source.read(0, group.source.size))).not.toContain('secret-token');
  });

  it("Cursor: a sub-agent whose call is not in its parent stays its parent's thread, under no call", async () => {
    const key = (name: string, value: unknown): [string, string] => [name, JSON.stringify(value)];
    const bytes = await database('CREATE TABLE cursorDiskKV (key TEXT UNIQUE, value BLOB);', {
      cursorDiskKV: [
        key('composerData:p', { composerId: 'p', name: 'Parent' }), key('bubbleId:p:1', { type: 1, bubbleId: '1', text: 'go' }),
        key('composerData:c', { composerId: 'c', subagentInfo: { parentComposerId: 'p', toolCallId: 'lost' } }), key('bubbleId:c:1', { type: 2, bubbleId: '1', text: 'went' }),
        key('composerData:a', { composerId: 'a', subagentInfo: { parentComposerId: 'b' } }), key('bubbleId:a:1', { type: 1, bubbleId: '1', text: 'round' }),
        key('composerData:b', { composerId: 'b', subagentInfo: { parentComposerId: 'a' } }), key('bubbleId:b:1', { type: 1, bubbleId: '1', text: 'and round' }),
      ],
    });
    const lines = await readable(await imported(bytes));
    expect(lines.filter((line) => !line.startsWith('#')).sort()).toEqual(['assistant went', 'user and round', 'user go', 'user round']);
    expect(lines).toContain('# Parent c in main by undefined');
  });

  it('an unknown schema is answered with its tables and a way out', async () => {
    const bytes = await database('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, body TEXT); CREATE VIEW v AS SELECT 1; CREATE TABLE tags (name TEXT);', { notes: [[1, 'a', 'b'], [2, 'c', 'd']] });
    const { groups, failures } = await importFiles([bytesSource('notes.db', bytes)]);
    expect(groups).toEqual([]);
    expect(failures[0]!.error.code).toBe('unsupported');
    expect(failures[0]!.error.message).toMatch(/notes \(id, title, body; 2 rows\); tags \(name; 0 rows\)\. Known are: OpenCode.*sqlite3 -csv -header/);
  });

  it.each([
    ['cut behind its header', (bytes: Uint8Array) => bytes.subarray(0, 300)],
    ['noise behind its magic', (bytes: Uint8Array) => Uint8Array.from(bytes, (byte, i) => (i < 16 ? byte : (byte * 167 + i * 31) % 256))],
  ])('a database %s is a clear error', async (_, damage) => {
    const { failures } = await importFiles([bytesSource('x.db', damage(await opencodeDatabase()))]);
    expect(failures.map(({ error }) => error.code)).toEqual(['corrupt']);
    expect(failures[0]!.error.message).toMatch(/damaged, encrypted, or was copied while it was written.*\.backup/);
  });

  it('a database in a zip or gzip is found too', async () => {
    const { gzip, zip, zipMember } = await import('../../../testing/archives');
    const bytes = await gooseDatabase();
    const zipped = await importFiles([bytesSource('a.zip', zip([zipMember('goose/sessions.db', bytes)]))]);
    expect(zipped.groups.map(({ reports }) => [reports[0]!.file, reports[0]!.format, reports[0]!.container])).toEqual([['a.zip!goose/sessions.db', 'goose', 'zip']]);
    expect((await imported(gzip(bytes))).reports[0]).toMatchObject({ format: 'goose' });
  });
});
