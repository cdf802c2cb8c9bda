import { describe, expect, it } from 'vitest';
import { bytesOf, gzip, join, tar, zip, zipMember, zstd, zstdBomb } from '../../testing/archives';
import type { ZipMember } from '../../testing/archives';
import { openaiChatText } from '../../testing/sample-files';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { sha256HexOfBytes } from '../base/sha256';
import { blobSpool } from '../base/spool';
import { traceFaults } from '../trace/integrity';
import { openContainer } from './containers';
import { importFiles } from './import-files';
import { importSource } from './import-source';
import { createTraceReader } from './reader';
import type { ImportOptions, ImportedGroup } from './types';

const chat = openaiChatText(2);
const session = (id: string, words: string): string => [
  JSON.stringify({ parentUuid: null, sessionId: id, uuid: `${id}1`, isSidechain: false, type: 'user', message: { role: 'user', content: words } }),
  JSON.stringify({ parentUuid: `${id}1`, sessionId: id, uuid: `${id}2`, isSidechain: false, type: 'assistant', message: { id: `m${id}`, role: 'assistant', model: 'x', content: [{ type: 'text', text: 'yes' }] } }),
].join('\n');
const given = (name: string, bytes: Uint8Array): ByteSource => bytesSource(name, bytes);
const open = async (bytes: Uint8Array, options?: Parameters<typeof openContainer>[1]): Promise<string[]> => {
  const seen: string[] = [];
  for await (const opened of openContainer(given('a', bytes), options)) {
    seen.push('error' in opened ? `${opened.name}: ${opened.error.code}` : `${opened.name}: ${opened.container} ${new TextDecoder().decode(await opened.source.read(0, opened.source.size))}${opened.notes.join()}`);
  }
  return seen;
};

/** Everything the reader gives back, so that spans are proved to point into what is stored. */
async function texts(group: ImportedGroup, source = group.source): Promise<string[]> {
  const all: string[] = [];
  for (const trajectory of group.trajectories) {
    expect(traceFaults(trajectory, source.size)).toEqual([]);
    await createTraceReader(source, trajectory).readMessages(Array.from({ length: trajectory.columns.n }, (_, row) => row), ({ parts }) => { all.push(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join()); });
  }
  return all;
}

describe('containers by content', () => {
  it.each([
    ['gzip', gzip('hello'), ['a: gzip hello']],
    ['zstd', zstd('hello'), ['a: zstd hello']],
    ['gzip in gzip', gzip(gzip('hello')), ['a: gzip hello']],
    ['zip of three methods', zip([zipMember('x/1', 'one'), zipMember('x/2', 'two', 8), zipMember('x/3', 'three', 93)]), ['a!x/1: zip one', 'a!x/2: zip two', 'a!x/3: zip three']],
    ['tar', tar([{ name: 'd/', content: '', type: '5' }, { name: 'one', content: '1' }, { name: 'two', content: '22', prefix: 'deep' }]), ['a!one: tar 1', 'a!deep/two: tar 22']],
    ['long names of GNU and pax', tar([{ name: '././@LongLink', content: `${'n'.repeat(150)}\0`, type: 'L' }, { name: 'cut', content: '1' }, { name: 'pax', content: `24 path=a/very/long/name\n`.replace('24', '25'), type: 'x' }, { name: 'cut', content: '2' }]), [`a!${'n'.repeat(150)}: tar 1`, 'a!a/very/long/name: tar 2']],
    ['gz inside tar.gz', gzip(tar([{ name: 'log.gz', content: gzip('inner') }])), ['a!log.gz: tar inner']],
    ['zip in zip', zip([zipMember('b.zip', zip([zipMember('c', 'deep')]))]), ['a!b.zip!c: zip deep']],
    ['what desktops add', zip([zipMember('__MACOSX/._x', 'junk'), zipMember('.DS_Store', 'junk'), zipMember('x', 'y')]), ['a!x: zip y']],
    ['no container', bytesOf('plain'), ['a: none plain']],
  ])('%s', async (_, bytes, expected) => {
    expect(await open(bytes)).toEqual(expected);
    expect(await open(bytes, { createSpool: blobSpool })).toEqual(expected);
  });

  it('reads a ZIP without its directory by the headers in it, and says so', async () => {
    const seen = await open(zip([zipMember('x', 'one', 8), zipMember('y', 'two')], { directory: false }));
    expect(seen.map((text) => text.slice(0, 12))).toEqual(['a!x: zip one', 'a!y: zip two']);
    expect(seen[0]).toContain('no usable directory');
  });

  it('names the method it cannot unpack, and goes on', async () => {
    const odd: ZipMember = { ...zipMember('odd', 'zzz'), method: 14 };
    expect(await open(zip([odd, { ...zipMember('locked', 'zzz'), flags: 1 }, zipMember('y', 'two')]))).toEqual(['a!odd: unsupported', 'a!locked: unsupported', 'a!y: zip two']);
    await expect(importSource(given('a', zip([odd])))).rejects.toThrow(/packed by LZMA; stored, deflate and zstd are read/);
  });

  it('keeps what comes before damage and says where it ends', async () => {
    const lines = Array.from({ length: 3000 }, (_, i) => JSON.stringify({ i, text: `${Math.sin(i)}` })).join('\n');
    const packed = gzip(lines);
    const [seen] = await open(packed.subarray(0, packed.length >> 1));
    expect(seen).toMatch(/^a: gzip \{"i":0/);
    expect(seen).toMatch(/damaged or cut off after \d+ bytes of content; what came before is read/);
    expect((await open(zip([{ ...zipMember('x', 'one'), crc: 5 }])))[0]).toMatch(/one.*check sum of its 3 bytes is wrong/);
    expect(await open(tar([{ name: 'one', content: '1' }, { name: 'two', content: '2'.repeat(600) }]).subarray(0, 1700))).toEqual(['a!one: tar 1', expect.stringMatching(/^a!two: tar 2{164}the tar archive is cut off inside two/) as string]);
  });
});

describe('bomb guard', () => {
  const limits = { maxBytes: 1 << 20, maxRatio: 50, freeBytes: 1000, maxMembers: 20, maxDepth: 3 };
  it.each([
    ['a gzip of zeros', gzip(new Uint8Array(500_000)), /more than 50 times its \d+ bytes/],
    ['a zstd frame of repeated blocks', zstdBomb(4), /more than 50 times its 22 bytes/],
    ['more than the absolute limit', gzip(Uint8Array.from({ length: 1 << 21 }, () => Math.floor(Math.random() * 256))), /more than 1 MiB/],
    ['ratio over all members together', zip(Array.from({ length: 10 }, (_, i) => zipMember(`${i}`, 'z'.repeat(20_000), 8))), /more than 50 times/],
    ['too many members', zip(Array.from({ length: 21 }, (_, i) => zipMember(`${i}`, 'z'))), /more than 20 files/],
    ['archives in archives', gzip(gzip(gzip(gzip('x')))), /more than 3 deep/],
    ['a zstd window of 2 GB', zstd('hello', 0xa8), /zstd window of 2048 MiB/],
  ])('%s is refused', async (_, bytes, message) => {
    const { groups, failures } = await importFiles([given('bomb', bytes), given('fine', bytesOf(chat))], { unpack: limits });
    expect(groups.map(({ members }) => members)).toEqual([[1]]);
    expect(failures.filter(({ file }) => file === 'bomb').map(({ index, error }) => [index, error.code, message.test(error.message)])).toContainEqual([0, 'too-large', true]);
  });

  it('lets a log that repeats itself pass', async () => {
    const lines = Array.from({ length: 20_000 }, () => session('s', 'the same words over and over')).join('\n');
    expect((await importSource(given('x', gzip(lines)))).report.container).toBe('gzip');
  });

  it('stops while unpacking when cancelled', async () => {
    const controller = new AbortController();
    const attempt = importSource(given('x', gzip(new Uint8Array(40_000_000))), { signal: controller.signal, onProgress: () => { controller.abort(); } });
    await expect(attempt).rejects.toMatchObject({ code: 'cancelled' });
  });
});

describe('importing what is packed', () => {
  it.each<[string, Uint8Array, ImportOptions]>([
    ['gzip', gzip(chat), {}],
    ['zstd', zstd(chat), { createSpool: blobSpool }],
  ])('%s: one report, spans into the content', async (container, bytes, options) => {
    const plain = await importSource(given('x', bytesOf(chat)));
    const { report, trajectories, content } = await importSource(given('x', bytes), options);
    expect(report).toEqual({ ...plain.report, container, bytes: bytes.length, sha256: sha256HexOfBytes(bytes) });
    expect(trajectories[0]!.columns).toEqual(plain.trajectories[0]!.columns);
    expect(trajectories[0]!.id).toBe(`${report.sha256}#0`);
    // The packed source reads as well, for runs that were stored so.
    const stored = await createTraceReader(given('x', bytes), trajectories[0]!).readMessage(2);
    expect(stored).toEqual(await createTraceReader(content!, trajectories[0]!).readMessage(2));
  });

  it('an archive gives one row a member, ids by content, the hash of the archive', async () => {
    const bytes = zip([zipMember('a.json', chat), zipMember('logs/b.jsonl', session('s', 'hi'), 8)]);
    const { groups, failures } = await importFiles([given('one.json', bytesOf(openaiChatText(1))), given('all.zip', bytes)], { createSpool: blobSpool });
    expect(failures).toEqual([]);
    expect(groups.map(({ members, reports }) => [members, reports[0]!.file, reports[0]!.format, reports[0]!.container])).toEqual([[[0], 'one.json', 'openai-chat', 'none'], [[1], 'all.zip!a.json', 'openai-chat', 'zip'], [[1], 'all.zip!logs/b.jsonl', 'claude-code', 'zip']]);
    expect(groups[1]!.reports[0]!.sha256).toBe(sha256HexOfBytes(bytes));
    expect(groups[1]!.trajectories[0]!.id).toBe(`${sha256HexOfBytes(bytesOf(chat))}#0`);
    expect(groups[1]!.trajectories[0]!.name).toBe((await importSource(given('a.json', bytesOf(chat)))).trajectories[0]!.name);
    expect(await texts(groups[2]!)).toEqual(['hi', 'yes']);
    expect(await groups[1]!.source.blob!.text()).toBe(chat);
  });

  it('joins a session with its sub-agents inside an archive', async () => {
    const parent = [session('s', 'start').split('\n')[0]!, JSON.stringify({ parentUuid: 's1', sessionId: 's', uuid: 's2', isSidechain: false, type: 'assistant', message: { id: 'm', role: 'assistant', model: 'x', content: [{ type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'look', description: 'd' } }] } })].join('\n');
    const child = session('s', 'look').replaceAll('"isSidechain":false', '"isSidechain":true,"agentId":"abc"');
    const { groups } = await importFiles([given('p.tar.gz', gzip(tar([{ name: 's/subagents/agent-abc.jsonl', content: child }, { name: 's.jsonl', content: parent }])))]);
    expect(groups.map(({ reports }) => reports.map(({ file }) => file))).toEqual([['p.tar.gz!s.jsonl', 'p.tar.gz!s/subagents/agent-abc.jsonl']]);
    expect(groups[0]!.trajectories[0]!.threads.length).toBe(2);
    expect(await texts(groups[0]!)).toEqual(['start', 'tool_call', 'look', 'yes']);
  });

  it('says in one warning what in an archive is no trajectory', async () => {
    const bytes = zip([zipMember('README.md', '# words'), zipMember('a.json', chat), zipMember('pic.png', Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 13, 10))]);
    const { groups, failures } = await importFiles([given('all.zip', bytes)]);
    expect(failures).toEqual([]);
    expect(groups[0]!.reports[0]!.warnings).toEqual(['2 files in all.zip are in no format that is known here: README.md, pic.png.']);
    const none = await importFiles([given('all.zip', zip([zipMember('README.md', '# words'), zipMember('b.txt', 'more')]))]);
    expect(none.failures.map(({ file, error }) => [file, error.code, error.message.slice(0, 40)])).toEqual([['all.zip', 'unknown-format', '2 files in all.zip are in no format that']]);
  });

  it('importSource refuses an archive of several files', async () => {
    await expect(importSource(given('x', zip([zipMember('a', chat), zipMember('b', chat)])))).rejects.toThrow(/holds several files \(x!a, x!b, …\)/);
    expect((await importSource(given('x', join(zip([zipMember('a', chat)]))))).report.file).toBe('x!a');
  });
});
