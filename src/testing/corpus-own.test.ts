/** Encoders of the user's own over many runs: the page against the command line with the same file. */
import 'fake-indexeddb/auto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { corpusCommand } from '../cli/corpus-command';
import type { Output } from '../cli/output';
import { DEFAULT_SETTINGS, type CorpusSettings } from '../core/corpus/types';
import { hashedVector } from '../core/embedding/hashed';
import type { OnnxSettings, OwnEncoderInfo } from '../core/embedding/own-encoder';
import { writeNpy } from '../core/numerics/npy';
import { DexieRepository } from '../storage/dexie-repository';
import { MemoryRepository } from '../storage/memory-repository';
import { openDatabase } from '../storage/open';
import { localLocks } from '../storage/owner-locks';
import { localWorkbench, type LocalWorkbench } from './local-workbench';
import { toolChat } from './tool-chat';
import type { CorpusItem, CorpusOutcome } from '../workers/api';

const BLOCKS = 19;
const FILES: Record<string, string> = { 'a.json': toolChat(BLOCKS, 'alpha'), 'b.json': toolChat(21, 'beta') };
const SETTINGS: CorpusSettings = { ...DEFAULT_SETTINGS, tables: ['C1', '1'], every: 2 };
const silent: Output = { print: () => undefined, write: () => undefined, fail: () => undefined, progress: () => () => undefined, exitCode: () => 1 };
const open: LocalWorkbench[] = [];
let databases = 0;
let root: string;
/** One a line, as a person's own script writes them: `{"hash", "vector"}` of every text of both runs. */
let rows: string[];
let expected: Record<string, string>;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corpus-own-'));
  const runs = await Promise.all(Object.entries(FILES).map(async ([name, text]) => {
    await writeFile(join(root, name), text);
    return join(root, name);
  }));
  await corpusCommand(['texts', ...runs, '--out', join(root, 'texts.jsonl')], silent);
  const texts = (await readFile(join(root, 'texts.jsonl'), 'utf8')).trim().split('\n').map((line) => JSON.parse(line) as { hash: string; text: string });
  // A prefix of the hashed encoder, off its axis so that no row is zero: another encoder's numbers, to be scaled on the way in.
  rows = texts.map(({ hash, text }) => JSON.stringify({ hash, vector: Array.from(hashedVector(text).subarray(0, 48), (x, k) => x + (k === 0 ? 0.5 : 0)) }));
  await writeFile(join(root, 'mine.jsonl'), rows.join('\n'));
  await corpusCommand([...runs, '--tables', 'C1,1', '--every', '2', '--out', join(root, 'out'), '--encoder', `vectors:${join(root, 'mine.jsonl')}`], silent);
  const names = (await readdir(join(root, 'out'))).filter((name) => name !== 'parts');
  expected = Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(root, 'out', name), 'utf8')] as const)));
});
afterAll(() => rm(root, { recursive: true, force: true }));
afterEach(() => open.splice(0).forEach((local) => local.close()));

const loose = (names = Object.keys(FILES)): CorpusItem[] => names.map((name) => ({ path: name, size: FILES[name]!.length, blob: new Blob([FILES[name]!]) }));
const texts = ({ files }: CorpusOutcome): Record<string, string> => Object.fromEntries(files.map(({ name, text }) => [name, text]));
const stored = async (): Promise<DexieRepository> => new DexieRepository(await openDatabase({ name: `corpus-own-${++databases}` }), localLocks());
function local(repository: DexieRepository | MemoryRepository): LocalWorkbench {
  const made = localWorkbench(repository);
  open.push(made);
  return made;
}

describe.each([['IndexedDB', stored], ['memory', async () => new MemoryRepository()]] as const)('vectors of one’s own over many runs, in %s', (_, make) => {
  it('by hash: the bytes of the command line with the same file, and nothing is embedded', async () => {
    const { workbench, embedded } = local(await make());
    const { info } = await workbench.encoders.addVectors('mine', new Blob([rows.join('\n')]));
    expect(info.byHash).toBe(rows.length);
    const outcome = await workbench.corpus.run(loose(), info.id, SETTINGS);
    expect(outcome).toMatchObject({ made: 2, failures: [], encoder: { id: info.id, dim: 48, sha256: info.sha256 } });
    expect(texts(outcome)).toEqual(expected);
    expect(embedded).toEqual([]);
  });

  it('by number of the block: one run alone, and never another run’s blocks', async () => {
    const { workbench } = local(await make());
    const vectors = Float32Array.from({ length: BLOCKS * 7 }, (__, at) => (at % 7 === Math.floor(at / 7) % 7 ? 1 : 0.1));
    const { info } = await workbench.encoders.addVectors('numbered', new Blob([new Uint8Array(writeNpy(vectors, BLOCKS, 7))]));
    expect(info.byHash).toBe(0);
    expect(await workbench.corpus.run(loose(['a.json']), info.id, SETTINGS)).toMatchObject({ made: 1, failures: [], runs: [{ blocks: BLOCKS }] });
    await expect(workbench.corpus.run(loose(['b.json']), info.id, SETTINGS)).rejects.toMatchObject({ message: expect.stringContaining(`${BLOCKS} vectors in block order; the run has 21`) as string });
    // Two of the same length: only that they are two says that the numbers are not of both.
    const twins: CorpusItem[] = ['one', 'two'].map((name) => ({ path: `${name}.json`, size: 1, blob: new Blob([toolChat(BLOCKS, name)]) }));
    await expect(workbench.corpus.run(twins, info.id, SETTINGS)).rejects.toMatchObject({ message: expect.stringContaining('are of one run, and several are chosen') as string });
    const inOneFile: CorpusItem = { path: 'both.jsonl', size: 1, blob: new Blob([`${toolChat(BLOCKS, 'one')}\n${toolChat(BLOCKS, 'two')}\n`]) };
    await expect(workbench.corpus.run([inOneFile], info.id, SETTINGS)).rejects.toMatchObject({ message: expect.stringContaining('are of one run') as string });
    // Replays read no vectors, so any run may be replayed.
    expect(await workbench.corpus.run(twins, info.id, { ...SETTINGS, tables: ['policies'] })).toMatchObject({ made: 2, failures: [] });
  });
});

describe('an encoder of one’s own', () => {
  it('that lacks a block leaves that run out, by name', async () => {
    const { workbench } = local(await stored());
    const textOfAlpha = await readFile(join(root, 'texts.jsonl'), 'utf8');
    const alpha = new Set(textOfAlpha.trim().split('\n').map((line) => JSON.parse(line) as { hash: string; text: string }).filter(({ text }) => !text.includes('beta')).map(({ hash }) => hash));
    const { info } = await workbench.encoders.addVectors('half', new Blob([rows.filter((row) => alpha.has((JSON.parse(row) as { hash: string }).hash)).join('\n')]));
    const { runs, failures } = await workbench.corpus.run(loose(), info.id, SETTINGS);
    expect(runs.map(({ key }) => key)).toEqual(['a.json']);
    expect(failures).toMatchObject([{ file: 'b.json', code: 'not-found', message: expect.stringContaining('of the 21 interaction blocks') as string }]);
  });

  it('that was removed makes nothing new; what was stored is still shown', async () => {
    const { workbench } = local(await stored());
    const { info } = await workbench.encoders.addVectors('mine', new Blob([rows.join('\n')]));
    await workbench.corpus.run(loose(['a.json']), info.id, SETTINGS);
    await workbench.encoders.remove(info.id);
    const { runs, failures, reused } = await workbench.corpus.run(loose(), info.id, SETTINGS);
    expect([reused, runs.map(({ key }) => key)]).toEqual([1, ['a.json']]);
    expect(failures).toMatchObject([{ file: 'b.json', code: 'not-found', message: expect.stringContaining('not in this browser') as string }]);
  });

  it('as a model: stored vectors are taken, and what is missing is asked of that model', async () => {
    const repository = await stored();
    const { workbench } = local(repository);
    const settings: OnnxSettings = { inputs: { ids: 'ids', mask: null, types: null, positions: null }, output: 'out', pooling: 'mean', prefix: '', maxTokens: 64, specialTokens: true, normaliseWindows: true, dim: 48 };
    const info: OwnEncoderInfo = { id: 'onnx:0123456789ab', kind: 'onnx', name: 'own', dim: 48, sizeBytes: 2, sha256: 'f'.repeat(64), tokenizerSha256: 'e'.repeat(64), settings, addedMs: 1 };
    await repository.putEncoder({ id: info.id, info, model: new Blob(['m']), tokenizer: new Blob(['t']) });
    await repository.putVectors(info.id, rows.map((row) => JSON.parse(row) as { hash: string; vector: number[] }).map(({ hash, vector }) => ({ hash, vector: Float32Array.from(vector) })));
    const { tables, failures, encoder } = await workbench.corpus.run(loose(), info.id, SETTINGS);
    expect([failures, encoder.id, tables.length]).toEqual([[], info.id, 2]);
    // What was brought here is no tokenizer: that this is said shows whose files the embedding worker opened.
    const unseen: CorpusItem = { path: 'c.json', size: 1, blob: new Blob([toolChat(18, 'gamma')]) };
    await expect(workbench.corpus.run([unseen], info.id, SETTINGS)).rejects.toMatchObject({ message: expect.stringContaining('tokenizer.json is not JSON') as string });
    await repository.deleteEncoder(info.id);
    await expect(workbench.corpus.run([{ path: 'd.json', size: 1, blob: new Blob([toolChat(17, 'delta')]) }], info.id, SETTINGS)).rejects.toMatchObject({ message: expect.stringContaining('not in this browser') as string });
  });
});
