import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readable } from '../../../testing/readable';
import { bytesSource } from '../../base/byte-source';
import { importFiles } from '../import-files';
import type { ImportedGroup } from '../types';
import { csvShape } from './open-csv';
import { csvFields, csvRecords } from './split-csv';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const field = (text: string): string => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (...rows: readonly (readonly string[])[]): string => rows.map((row) => row.map(field).join(',')).join('\n');

async function imported(text: string | Uint8Array, name = 'x'): Promise<ImportedGroup> {
  const { groups, failures } = await importFiles([bytesSource(name, typeof text === 'string' ? encode(text) : text)]);
  expect(failures.map(({ error }) => error.message)).toEqual([]);
  return groups[0]!;
}
async function failure(text: string | Uint8Array, name = 'x.csv') {
  const { groups, failures } = await importFiles([bytesSource(name, typeof text === 'string' ? encode(text) : text)]);
  expect(groups).toEqual([]);
  return failures[0]!.error;
}

describe('splitting CSV', () => {
  const cell = fc.array(fc.constantFrom('a', '"', ',', '\n', '\r\n', ' ', 'é', '😀', ';'), { maxLength: 6 }).map((pieces) => pieces.join(''));
  it('gives back any table of any text, wherever slices end', async () => {
    await fc.assert(fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom('\n', '\r\n'), async (rows, sliceBytes, end) => {
      const text = rows.map((row) => row.map((value) => `"${value.replaceAll('"', '""')}"`).join(',')).join(end) + end;
      const read: string[][] = [];
      for await (const records of csvRecords(bytesSource('x', encode(text)), { start: 0, delimiter: 0x2c, sliceBytes })) read.push(...records.map(({ bytes }) => csvFields(bytes, ',')));
      expect(read).toEqual(rows);
    }), { numRuns: 200, seed: 5 });
  });

  it('knows line and offset of each record, and a quote that is never closed', async () => {
    const text = 'a,b\r\n"two\nlines",1\n\n5" pipe,x\n"open,\nend';
    const records = [];
    for await (const batch of csvRecords(bytesSource('x', encode(text)), { start: 0, delimiter: 0x2c, sliceBytes: 3 })) records.push(...batch);
    expect(records.map(({ line, byteOffset, open, bytes }) => [line, byteOffset, open, csvFields(bytes, ',')])).toEqual([
      [1, 0, false, ['a', 'b']], [2, 5, false, ['two\nlines', '1']], [5, 20, false, ['5" pipe', 'x']], [6, 30, true, ['open,\nend']],
    ]);
  });

  it('takes a cell of many quotes and no line end in one pass', async () => {
    const looked: number[] = [];
    const bytes = encode(`a,b\n1,"${'""'.repeat(5000)}"\n`);
    // How far each native search went: together a few times the text, not its square.
    bytes.indexOf = (byte: number, from = 0): number => {
      const at = Uint8Array.prototype.indexOf.call(bytes, byte, from);
      looked.push((at < 0 ? bytes.length : at) - from);
      return at;
    };
    const read: string[][] = [];
    for await (const records of csvRecords({ name: 'x', size: bytes.length, read: () => Promise.resolve(bytes) }, { start: 0, delimiter: 0x2c })) read.push(...records.map((record) => csvFields(record.bytes, ',')));
    expect(read).toEqual([['a', 'b'], ['1', '"'.repeat(5000)]]);
    expect(looked.length).toBeGreaterThan(5000);
    expect(looked.reduce((sum, length) => sum + length, 0)).toBeLessThan(4 * bytes.length);
  });

  it('stops at a record that is larger than any message', async () => {
    const source = bytesSource('x.csv', encode(`a,b\n"${'z'.repeat(5000)}`));
    const read = async (): Promise<void> => { for await (const batch of csvRecords(source, { start: 0, delimiter: 0x2c, sliceBytes: 100, maxRecordBytes: 1000 })) expect(batch.length).toBeLessThan(3); };
    await expect(read()).rejects.toMatchObject({ code: 'corrupt', place: { line: 2 } });
  });
});

describe('a table of a million columns', () => {
  it('says what to do', async () => {
    const rest = ',c'.repeat(1_000_000);
    expect((await failure(`role,content${rest}\nuser,hi${rest}\n`)).message).toMatch(/x\.csv looks like a table of messages, but its header has 2000 columns or more\. Write it again with those/);
  });
});

describe('a row that is nested beyond any stack', () => {
  it('is a bad row; the others are read', async () => {
    const deep = `[{"role":"user","content":"hi"},{"role":"assistant","content":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}]`;
    const group = await imported(csv(['id', 'messages'], ['1', deep], ['2', '[{"role":"user","content":"ok"},{"role":"assistant","content":"done"}]']));
    expect(await readable(group)).toEqual(['# 2 main', 'user ok', 'assistant done']);
    expect(group.reports[0]!.badRecords.map(({ line, reason }) => [line, reason.slice(0, 15)])).toEqual([[2, 'nested too deep']]);
  });
});

describe('tables with a message a row', () => {
  const table = csv(
    ['Session ID', 'step', 'role', 'content', 'tool_calls', 'toolCallId', 'name', 'model', 'timestamp', 'prompt_tokens', 'cached_tokens', 'completion_tokens', 'note'],
    ['s1', '1', 'user', 'Read "a, b"\nplease', '', '', '', '', '2026-01-01 10:00:00', '', '', '', 'n1'],
    ['s2', '1', 'human', 'Hello', '', '', '', '', '1767261600', '', '', '', ''],
    ['s1', '3', 'tool', 'text of a', '', 'c1', 'read', '', '', '', '', '', ''],
    ['s1', '2', 'assistant', '', '[{"id":"c1","type":"function","function":{"name":"read","arguments":"{\\"path\\":\\"a\\"}"}}]', '', '', 'm-1', '', '120', '100', '7', ''],
    ['s2', '2', 'AI', 'Hi', '', '', '', 'm-2', '', '', '', '', ''],
  );

  it('are trajectories by session, in the order of their steps, with usage and times', async () => {
    const group = await imported(table);
    const [report] = group.reports;
    expect([report!.container, report!.format, report!.formatConfidence, report!.records, report!.matchedPairs]).toEqual(['csv', 'message-table', 'certain', 5, 1]);
    expect(await readable(group)).toEqual([
      '# s1 main', 'user Read "a, b"\nplease', 'assistant call c1 read {"path":"a"}', 'tool result c1: text of a',
      '# s2 main', 'user Hello', 'assistant Hi',
    ]);
    const [first] = group.trajectories;
    expect(first!.usage).toMatchObject({ input: 20, cachedInput: 100, output: 7 });
    expect([first!.model, first!.createdMs, group.trajectories[1]!.createdMs]).toEqual(['m-1', Date.UTC(2026, 0, 1, 10), 1_767_261_600_000]);
    expect(report!.warnings).toEqual(['Columns kept raw beside the messages: note.']);
  });

  it.each([
    ['tabs', (text: string) => encode(text.replaceAll(',', '\t'))],
    ['semicolons, a BOM and CRLF', (text: string) => encode(`\ufeff${text.replaceAll(',', ';').replaceAll('\n', '\r\n')}`)],
    ['UTF-16', (text: string) => Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'))],
    ["Excel's own line about its delimiter", (text: string) => encode(`sep=|\r\n${text.replaceAll(',', '|')}`)],
    ['blank lines before', (text: string) => encode(`\r\n\n${text}`)],
    ['a delimiter at the end of each line', (text: string) => encode(text.replaceAll('\n', ',\n'))],
  ])('are read with %s', async (_, write) => {
    const group = await imported(write('id,role,content\n1,user,one\n2,assistant,two'));
    expect(group.reports[0]!.container).toBe('csv');
    expect(await readable(group)).toEqual(['# x main', 'user one', 'assistant two']);
  });

  it('a row that is no message costs only itself, with its line, offset and reason', async () => {
    const group = await imported('role,content,x\nuser,one,\n,,only this\nuser,too,many,fields\n"assistant","a\nb",\n"user","open');
    const [report] = group.reports;
    expect([report!.records, report!.badRecordCount]).toEqual([5, 3]);
    expect(report!.badRecords).toEqual([
      { line: 3, byteOffset: 25, reason: 'the row has neither role nor content' },
      { line: 4, byteOffset: 37, reason: 'expected 3 fields, found 4: a quote or delimiter is out of place' },
      { line: 7, byteOffset: 77, reason: 'a quoted field is not closed before the end of the file' },
    ]);
    expect(await readable(group)).toEqual(['# x main', 'user one', 'assistant a\nb']);
  });

  it('take content blocks of providers, and calls that pandas wrote as Python', async () => {
    const group = await imported(csv(['role', 'content', 'tool_calls'], ['assistant', '[{"type":"thinking","thinking":"hm"},{"type":"tool_use","id":"t","name":"ls","input":{}}]', ''], ['user', '[{"type":"tool_result","tool_use_id":"t","content":"x"}]', ''], ['assistant', 'and', "[{'id': 'p', 'function': {'name': 'pwd', 'arguments': '{}'}}]"], ['user', '[1, 2]', 'nan']));
    expect(await readable(group)).toEqual(['# x main', 'assistant (hm) | call t ls {}', 'user result t: x', "assistant and | call p pwd [{'id': 'p', 'function': {'name': 'pwd', 'arguments': '{}'}}]", 'user [1, 2]']);
  });
});

describe('tables with a trajectory a row', () => {
  const messages = [{ role: 'user', content: 'go' }, { role: 'assistant', content: null, tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] }, { role: 'tool', tool_call_id: 'a', content: 'r', name: null }];
  it('go through the chat formats: OpenAI lists, ShareGPT turns, texts under other names', async () => {
    const openai = await imported(csv(['instance_id', 'model', 'messages', 'resolved'], ['i1', 'm', JSON.stringify(messages), 'True'], ['i2', 'm', JSON.stringify(messages), 'False']));
    expect([openai.reports[0]!.format, openai.trajectories.map(({ name }) => name), openai.reports[0]!.matchedPairs]).toEqual(['openai-chat', ['i1', 'i2'], 2]);
    expect((await readable(openai)).slice(0, 4)).toEqual(['# i1 main', 'user go', 'assistant call a f {}', 'tool result a: r']);
    const share = await imported(csv(['id', 'conversations'], ['7', JSON.stringify([{ from: 'human', value: 'hi' }, { from: 'gpt', value: 'ho' }])]));
    expect([share.reports[0]!.format, share.reports[0]!.container, await readable(share)]).toEqual(['sharegpt', 'csv', ['# 7 main', 'user hi', 'assistant ho']]);
    const nebius = await imported(csv(['instance_id', 'trajectory'], ['n', JSON.stringify([{ role: 'system', system_prompt: 'S', text: null, mask: false }, { role: 'user', text: 'U' }, { role: 'ai', text: 'A' }])]));
    expect(await readable(nebius)).toEqual(['# n main', 'system S', 'user U', 'assistant A']);
  });

  it('a single column is a table when a quoted list stands below its name', async () => {
    expect((await imported(csv(['messages'], [JSON.stringify(messages)]))).reports[0]!.format).toBe('openai-chat');
  });

  it('a cell that is no list costs only its row', async () => {
    const { reports } = await imported(csv(['id', 'messages'], ['1', JSON.stringify(messages)], ['2', "[{'role': 'user'}]"], ['3', '[1]'], ['4', '']));
    expect(reports[0]!.badRecords.map(({ line, reason }) => [line, reason])).toEqual([
      [3, 'expected a list of messages in the column messages, found "[{\'role\': \'user\'}]"'], [4, 'an element of the list in messages is no message: "1"'], [5, 'expected a list of messages in the column messages, found nothing'],
    ]);
  });
});

it("Langfuse's CSV export goes through its own format", async () => {
  const group = await imported(csv(
    ['id', 'traceId', 'type', 'name', 'startTime', 'endTime', 'level', 'model', 'input', 'output', 'metadata', 'inputUsage', 'outputUsage'],
    ['o1', 't1', 'GENERATION', 'chat', '2026-01-01T10:00:00Z', '2026-01-01T10:00:01Z', 'DEFAULT', 'm', '[{"role":"user","content":"Why?"}]', '{"role":"assistant","content":"Because."}', '{}', '12', '3'],
  ));
  expect([group.reports[0]!.format, group.reports[0]!.container, group.trajectories[0]!.usage.input, group.trajectories[0]!.usage.output]).toEqual(['langfuse', 'csv', 12, 3]);
  expect(await readable(group)).toEqual(['# x main', 'user Why?', 'assistant Because.']);
});

describe('tables that cannot be read say what they lack', () => {
  it.each([
    ['other columns', 'city,country,people\nA,B,1\nC,D,2', /looks like a table, but not of messages\. Expected columns role and content.*found the columns city, country, people\. Rename/],
    ['a header alone', 'role,content\n', /a table with a header \(role, content\) and no rows/],
    ['no row that is one', 'id,messages\n1,x\n2,y', /a table of 2 rows, none of which is a message: line 2: expected a list of messages in the column messages, found "x"/],
  ])('%s', async (_, text, message) => {
    expect((await failure(text)).message).toMatch(message);
  });

  it('prose, JSON and code with commas are no tables', () => {
    for (const text of ['role, content and other words\nwere said, here and there', '{"role":"user","content":"a,b"}', '[{"role":1,"content":2}]', 'import { role, content } from "x";', '# aider chat started at 2026-01-01 10:00:00\n']) expect([text, csvShape(encode(text))?.route.kind ?? null]).toEqual([text, null]);
  });
});
