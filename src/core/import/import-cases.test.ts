/**
 * Import cases A and B (size; lines, encodings, cuts): what other viewers fail at, a `describe` a number of the list.
 * C stands in import-cases-trees.test.ts, D and E in import-cases-formats.test.ts. Where a case has a fuller test
 * elsewhere, this is the short one by which its number is found.
 */
import { describe, expect, it } from 'vitest';
import { gzip, tar, zip, zipMember } from '../../testing/archives';
import { bytes, claude, codex, endlessSession, file, lines, opencodeExport, read, said, toolResult, toolUse } from '../../testing/import-cases';
import { openaiChatText } from '../../testing/sample-files';
import { bytesSource } from '../base/byte-source';
import { importFiles } from './import-files';
import { importSource } from './import-source';
import { DEFAULT_SLICE_BYTES } from './record-stream';

/** The whole size of cases 2 and 8 takes a while: asked for, else a tenth of it. */
const MEGABYTES = process.env['CONTEXTSCOPE_LARGE'] === '1' ? 600 : 60;
const chat = (n: number): string => JSON.stringify({ messages: Array.from({ length: n }, (_, i) => ({ role: i % 2 ? 'assistant' : 'user', content: `message ${i}` })) });

describe('A1: one line of 13 million characters', () => {
  it('is read, and what follows it', async () => {
    const { texts } = await read(lines(claude('user', 0, 'x'.repeat(13_000_000)), claude('assistant', 1, 'and on')), { sliceBytes: 1 << 20 });
    expect(texts.map((text) => text.length)).toEqual([13_000_000, 6]);
  });
});

describe('A2, A8: sessions beyond what one string or the memory holds', () => {
  it(`streams ${MEGABYTES} MB that nobody holds: no piece larger than a slice, no text kept`, async () => {
    const source = endlessSession(Math.floor((MEGABYTES * 1_000_000) / 65_000), 65_000);
    // The hash is not what is measured here.
    const { report, trajectories } = await importSource(source, { createHasher: () => ({ update: () => undefined, digest: () => 'h' }) });
    expect([report.messages, report.badRecordCount]).toEqual([source.size / 65_000, 0]);
    expect(source.largestRead()).toBeLessThanOrEqual(DEFAULT_SLICE_BYTES);
    const { columns, threads } = trajectories[0]!;
    expect(threads[0]!.main.length).toBe(columns.n);
    // Columns: some hundred bytes a message, whatever its text.
    expect(columns.strings.join('').length).toBeLessThan(columns.n * 40);
  }, 120_000);
});

describe('A3, A4, A8: progress and snapshot lines by the thousand', () => {
  it('are counted and passed over in linear time; the chain goes on through them', async () => {
    const service = (type: string) => (_: unknown, i: number): object => ({ parentUuid: i === 0 ? 'n0' : `p${i - 1}`, isSidechain: false, type, uuid: `p${i}`, data: { filler: 'y'.repeat(4200) }, messageId: 'n0', snapshot: {} });
    const { report, run } = await read(lines(claude('user', 0, 'start'), ...Array.from({ length: 4041 }, service('progress')), claude('assistant', 1, 'end', { parentUuid: 'p4040' }), ...Array.from({ length: 50 }, service('file-history-snapshot'))));
    expect([report.messages, report.recordKinds['progress'], report.recordKinds['file-history-snapshot']]).toEqual([2, 4041, 50]);
    expect([...run.threads[0]!.main]).toEqual([0, 1]);
  });
});

describe('A6: an output of a megabyte beside its result', () => {
  it('counts once', async () => {
    const out = 'o'.repeat(1_100_000);
    const { run, texts } = await read(lines(claude('assistant', 0, [toolUse('t')]), claude('user', 1, [toolResult('t', out)], { toolUseResult: { stdout: out } })));
    expect([run.columns.chars[1], texts.length]).toEqual([1_100_000, 2]);
  });
});

describe('A7: one broken line among many', () => {
  it('costs only itself, with line, byte and reason', async () => {
    const first = JSON.stringify(claude('user', 0, 'a'));
    const { report } = await read(lines(first, '{"type":"user","message":{', claude('assistant', 1, 'b')));
    expect([report.messages, report.badRecords]).toEqual([2, [{ line: 2, byteOffset: first.length + 1, reason: expect.stringContaining('cut off') as string }]]);
  });
});

describe('A9: an image in a line longer than any buffer', () => {
  it('does not end the reading', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'A'.repeat(3_000_000) } };
    const { messages } = await read(lines(claude('user', 0, [image]), claude('assistant', 1, 'seen')), { sliceBytes: 64 << 10 });
    expect(messages.map(({ parts }) => parts[0]!.type)).toEqual(['image', 'text']);
  });
});

describe('A11: whole histories in every compaction record', () => {
  it('add no message twice, and time grows with the bytes', async () => {
    const item = (i: number): object => ({ type: 'message', role: 'user', content: [{ type: 'input_text', text: `turn ${i}` }] });
    const rounds = Array.from({ length: 300 }, (_, i) => [said('user', `turn ${i}`), said('assistant', `answer ${i}`), codex('compacted', { message: '', replacement_history: Array.from({ length: i + 1 }, (_turn, k) => item(k)) })]).flat();
    const { report, run } = await read(lines(codex('session_meta', { id: 'c' }), ...rounds));
    expect([run.columns.n, report.recordKinds['compacted'], run.events.filter(({ kind }) => kind === 'compaction').length]).toEqual([600, 300, 300]);
  });
});

const inspectLog = (sample: object): string => JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm', created: '2026-01-01T00:00:00Z' }, plan: {}, results: {}, samples: [sample] });
const sandbox = (i: number): object => ({ event: 'sandbox', timestamp: '2026-01-01T00:00:00Z', action: 'exec', cmd: `cmd ${i}`, output: 'o' });

describe('A12: a log with many samples', () => {
  it('is read sample by sample: each is a run', async () => {
    const samples = Array.from({ length: 200 }, (_, i) => ({ id: `s${i}`, epoch: 1, input: 'x', messages: [{ role: 'user', content: `q${i}` }, { role: 'assistant', content: 'a' }] }));
    const { runs } = await read(inspectLog(samples[0]!).replace(/"samples":\[.*\]/, `"samples":${JSON.stringify(samples)}`));
    expect(runs.length).toBe(200);
  });
});

describe('A13, A14: thousands of events in one sample', () => {
  it('are counted, and the report says that they are not shown', async () => {
    const events = Array.from({ length: 6700 }, (_, i) => sandbox(i));
    const { report, messages } = await read(inspectLog({ id: 's', epoch: 1, input: 'x', messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' }], events }));
    expect(messages.length).toBe(2);
    expect(report.warnings).toContain('6700 events of the log stay in the file and are not shown: sandbox 6700.');
  });
});

describe('B16, B17, B18, B19: line separators that are none', () => {
  it.each(['\u2028', '\u2029', '\u0085', '\u000b', '\u000c', '\u001e'])('%j in a text splits no line', async (separator) => {
    const raw = JSON.stringify(claude('user', 0, 'aXb')).replace('X', separator);
    const { report, texts } = await read(`${raw}\n${JSON.stringify(claude('assistant', 1, 'c'))}`);
    // Control characters are no valid JSON: read with them, and said.
    expect([texts, report.records]).toEqual([[`a${separator}b`, 'c'], 2]);
  });

  it('are text in streamed events as well', async () => {
    const event = (type: string, more: object): string => `event: ${type}\ndata: ${JSON.stringify({ type, ...more }).replaceAll('SEP', '\u2028')}\n\n`;
    const stream = event('message_start', { message: { id: 'm', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 1, output_tokens: 1 } } })
      + event('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }) + event('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'aSEPb' } })
      + event('content_block_stop', { index: 0 }) + event('message_stop', {});
    expect((await read(stream)).texts.join()).toContain('a\u2028b');
  });
});

describe('B21: empty and header-only files', () => {
  it('say so, and are no error', async () => {
    expect((await read('')).report.warnings).toEqual(['The file is empty.']);
    const { report, runs } = await read(lines({ sessionId: 's', projectHash: 'h', startTime: '2026-01-01T00:00:00Z', lastUpdated: '2026-01-01T00:00:00Z', kind: 'main' }));
    expect([runs.length, report.format, report.warnings]).toEqual([0, 'gemini-cli', ['No message was found in the file.']]);
  });
});

describe('B22: a status line before the document', () => {
  it('is passed over and mentioned', async () => {
    const { report } = await read(`Exporting session: ses_1\n${JSON.stringify(opencodeExport(2))}`);
    expect([report.messages, report.warnings]).toEqual([2, ['Skipped 25 bytes of text before the JSON.']]);
  });
});

describe('B23, B24: documents cut at the end of a pipe buffer', () => {
  it.each([1, 6])('at %i times 65 536 bytes: whole messages stay, the known fault is named', async (times) => {
    const whole = JSON.stringify(opencodeExport(700 * times, (i) => `${i} ${'z'.repeat(80)}`));
    const { report } = await read(whole.slice(0, 65_536 * times));
    expect(whole.length).toBeGreaterThan(65_536 * times);
    expect(report.messages).toBeGreaterThan(200 * times);
    expect(report.badRecords.at(-1)!.reason).toContain('multiple of 65 536');
  });

  it('a cut anywhere else is a cut', async () => {
    const { report } = await read(JSON.stringify(opencodeExport(700)).slice(0, 30_000));
    expect(report.badRecords.at(-1)!.reason).toMatch(/cut off at the end of the file$/);
  });
});

describe('B26: archives of three methods', () => {
  it.each([0, 8, 93] as const)('method %i is unpacked', async (method) => {
    const { groups } = await importFiles([bytesSource('a.zip', zip([zipMember('run.json', chat(2), method)]))]);
    expect(groups.map(({ reports }) => [reports[0]!.file, reports[0]!.messages])).toEqual([['a.zip!run.json', 2]]);
  });
});

describe('B27: results packed as tar.gz', () => {
  it('are unpacked, each file a run of its own', async () => {
    const { groups } = await importFiles([bytesSource('results.tar.gz', gzip(tar([{ name: 'a/1.json', content: chat(2) }, { name: 'a/2.json', content: chat(4) }])))]);
    expect(groups.map(({ reports }) => reports[0]!.messages)).toEqual([2, 4]);
  });
});

describe('B28, B29: JSON, JSON lines and documents one after the other, under any name', () => {
  it.each([['a document', chat(2), 1], ['lines', `${chat(2)}\n${chat(2)}`, 2], ['glued documents', JSON.stringify(JSON.parse(chat(2)), null, 1).repeat(2), 2]])('%s', async (_, text, runs) => {
    expect((await read(file(text, 'notes.txt'))).runs.length).toBe(runs);
  });

  it('a collector’s dump as lines', async () => {
    const span = (id: string): object => ({ resourceSpans: [{ scopeSpans: [{ spans: [{ traceId: 'a'.repeat(32), spanId: id, name: 'chat', startTimeUnixNano: '1', endTimeUnixNano: '2', attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }, { key: 'gen_ai.input.messages', value: { stringValue: '[{"role":"user","parts":[{"type":"text","content":"q"}]}]' } }] }] }] }] });
    const { report } = await read(lines(span('1'.repeat(16)), span('2'.repeat(16))));
    expect([report.format, report.records]).toEqual(['otlp', 2]);
  });
});

describe('B: encodings of Windows', () => {
  it('byte order marks, CRLF and UTF-16 are read', async () => {
    expect((await read(`\ufeff${lines(claude('user', 0, 'a'), claude('assistant', 1, 'b')).replace('\n', '\r\n')}`)).texts).toEqual(['a', 'b']);
    const utf16 = Uint8Array.from([0xff, 0xfe, ...[...openaiChatText(1)].flatMap((letter) => [letter.charCodeAt(0) & 0xff, letter.charCodeAt(0) >> 8])]);
    expect((await read(utf16)).report.messages).toBe((await read(bytes(openaiChatText(1)))).report.messages);
  });
});
