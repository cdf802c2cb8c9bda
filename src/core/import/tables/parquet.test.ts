import { describe, expect, it } from 'vitest';
import { parquet } from '../../../testing/parquet';
import type { ParquetColumn, ParquetOptions } from '../../../testing/parquet';
import { readable } from '../../../testing/readable';
import { bytesSource } from '../../base/byte-source';
import { importFiles } from '../import-files';
import type { ImportOptions, ImportedGroup } from '../types';

async function imported(bytes: Uint8Array): Promise<ImportedGroup> {
  const { groups, failures } = await importFiles([bytesSource('x', bytes)]);
  expect(failures.map(({ error }) => error.message)).toEqual([]);
  return groups[0]!;
}
async function failure(bytes: Uint8Array, options: ImportOptions = {}): Promise<string> {
  const { groups, failures } = await importFiles([bytesSource('x.parquet', bytes)], options);
  expect(groups).toEqual([]);
  return `${failures[0]!.error.code}: ${failures[0]!.error.message}`;
}

const turns = [{ role: 'system', content: 'S', name: null }, { role: 'user', content: 'Fix it 日本 😀', name: null }, { role: 'assistant', content: 'Done.', name: null }];
const lists: ParquetColumn[] = [
  { name: 'instance_id', values: ['one', 'two', 'none', 'three'] },
  { name: 'trajectory', fields: ['role', 'content', 'name'], values: [turns, turns.slice(1), null, [{ role: 'ai', content: null, name: null }]] },
  { name: 'resolved', values: ['yes', null, 'no', null] },
];
const rows: ParquetColumn[] = [
  { name: 'session_id', values: ['a', 'a', 'b', 'a'] }, { name: 'step', values: [1, 3, 1, 2] }, { name: 'role', values: ['user', 'tool', 'user', 'assistant'] },
  { name: 'content', values: ['Look', 'seen', 'Other', null] }, { name: 'tool_calls', values: [null, null, null, '[{"id":"c","function":{"name":"see","arguments":"{}"}}]'] },
  { name: 'tool_call_id', values: [null, 'c', null, null] }, { name: 'timestamp', values: [1_767_261_600_000_000, null, null, null] }, { name: 'output_tokens', values: [null, null, null, 9] },
];

describe('Parquet tables', () => {
  it.each([['UNCOMPRESSED', Infinity], ['SNAPPY', 2], ['GZIP', 1], ['ZSTD', 3]] as const)('of a trajectory a row, %s, groups of %d rows', async (codec, rowsAGroup) => {
    const group = await imported(parquet(lists, { codec, rowsAGroup }));
    const [report] = group.reports;
    expect([report!.container, report!.format, report!.messages, report!.badRecordCount]).toEqual(['parquet', 'openai-chat', 6, 1]);
    expect(report!.badRecords[0]!.reason).toBe('row 3: expected a list of messages in the column trajectory, found nothing');
    expect(report!.warnings).toEqual(['Columns kept raw beside the messages: resolved.']);
    expect(await readable(group)).toEqual(['# one main', 'system S', 'user Fix it 日本 😀', 'assistant Done.', '# two main', 'user Fix it 日本 😀', 'assistant Done.', '# three main', 'assistant ']);
  });

  it('of a message a row, with big integers as times, steps and counts', async () => {
    const group = await imported(parquet(rows, { rowsAGroup: 2 }));
    expect([group.reports[0]!.format, group.reports[0]!.matchedPairs, group.trajectories[0]!.createdMs, group.trajectories[0]!.usage.output]).toEqual(['message-table', 1, 1_767_261_600_000, 9]);
    expect(await readable(group)).toEqual(['# a main', 'user Look', 'assistant call c see {}', 'tool result c: seen', '# b main', 'user Other']);
  });

  it('without the columns of messages, rows or an end are answered with what is missing', async () => {
    expect(await failure(parquet([{ name: 'city', values: ['x'] }, { name: 'n', values: [1] }]))).toMatch(/^unknown-format: x\.parquet is a Parquet table, but not of messages\. Expected columns role and content.*found the columns city, n\./);
    expect(await failure(parquet([{ name: 'role', values: [] }, { name: 'content', values: [] }]))).toMatch(/^bad-record: x\.parquet is a Parquet table without rows/);
    const whole = parquet(rows);
    expect(await failure(whole.subarray(0, whole.length - 10))).toMatch(/^corrupt: .*its end is missing.*cut off/);
    expect(await failure(Uint8Array.from([...whole.subarray(0, -1), 0x45]))).toMatch(/encrypted Parquet/);
    expect(await failure(parquet([{ name: 'messages', values: ['x', 'y'] }]))).toMatch(/^bad-record: .*2 rows, none of which is a message: row 1: expected a list of messages/);
  });

  it('a description that is damaged is a clear error, not one of ours', async () => {
    const bytes = parquet(rows);
    const at = Buffer.from(bytes).lastIndexOf('tool_calls');
    // The id of the field that is the name: the column has none then.
    for (let back = 1; back < 6; back++) {
      const broken = bytes.slice();
      broken[at - back]! ^= 0x70;
      const { failures } = await importFiles([bytesSource('x.parquet', broken)]);
      for (const { error } of failures) expect(['corrupt', 'unknown-format', 'bad-record', 'too-large']).toContain(error.code);
    }
  });

  it('a damaged row group costs only itself', async () => {
    const bytes = parquet(lists, { rowsAGroup: 2, codec: 'SNAPPY' });
    const broken = bytes.slice();
    broken.fill(0xff, 30, 60);
    const group = await imported(broken);
    expect(group.reports[0]!.badRecords[0]!.reason).toMatch(/row group 1 of x cannot be read \(.*\): the file is damaged\. Its 2 rows are lost\./);
    expect(await readable(group)).toEqual(['# three main', 'assistant ']);
  });
});

describe('Parquet bombs stop before they are unpacked', () => {
  const big = (options: ParquetOptions): Uint8Array => parquet([{ name: 'role', values: ['user'] }, { name: 'content', values: ['x'] }], options);
  it.each<[string, ParquetOptions, RegExp]>([
    ['pages that say they hold two billion values', { pageValues: 2_000_000_000 }, /says it holds 2000000000 values/],
    ['a page that unpacks to a gigabyte', { pageBytes: 1_000_000_000, codec: 'GZIP' }, /unpacks to 1000000000/],
    ['a run of two billion levels', { levels: Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f, 1) }, /a run says it holds 2147483647 values, of 1/],
    ['a packed run whose length turns negative', { levels: Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x0f, 1) }, /a run says it holds \d+ values, of 1/],
    ['rows that no column has', { groupRows: 1_000_000_000 }, /says it has 1000000000 rows, its columns hold 1/],
  ])('%s', async (_, options, message) => {
    expect(await failure(big(options))).toMatch(message);
  });

  it('and the guard counts what comes out', async () => {
    const bytes = parquet([{ name: 'role', values: Array.from({ length: 200 }, () => 'user') }, { name: 'content', values: Array.from({ length: 200 }, () => 'y'.repeat(1000)) }], { codec: 'GZIP' });
    expect(await failure(bytes, { unpack: { freeBytes: 10_000, maxRatio: 5 } })).toMatch(/^too-large: x\.parquet unpacks to more than 5 times/);
  });
});
