import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ContextscopeError } from '../core/base/errors';
import { TABLE_IDS } from '../core/corpus/types';
import { hashedVector } from '../core/embedding/hashed';
import { toolChat } from '../testing/tool-chat';
import { corpusCommand } from './corpus-command';
import { selectCommand } from './commands';
import type { Output } from './output';

class Recorder implements Output {
  printed: string[] = [];
  failed: string[] = [];
  print(text: string): void { this.printed.push(text); }
  write(piece: string): void { this.printed.push(piece); }
  fail(error: unknown): void { this.failed.push(error instanceof Error ? error.message : String(error)); }
  progress = () => () => undefined;
  exitCode(error: unknown): number { return error instanceof ContextscopeError && error.code === 'bad-argument' ? 2 : 1; }
}

let root: string;
const at = (...parts: string[]): string => join(root, ...parts);

async function corpus(...argv: string[]): Promise<{ code: number; out: Recorder }> {
  const out = new Recorder();
  return { code: await corpusCommand([...argv, ...(argv.some((arg) => arg === '--encoder') ? [] : ['--encoder', 'hashed'])], out), out };
}

/** Every file of a folder but the parts. */
async function filesOf(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).filter((name) => name !== 'parts').sort();
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)));
}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'corpus-'));
  await mkdir(at('runs/deep'), { recursive: true });
  await writeFile(at('runs/a.json'), toolChat(19, 'alpha'));
  await writeFile(at('runs/deep/b.json'), toolChat(22, 'beta'));
  await writeFile(at('runs/both.jsonl'), `${toolChat(18, 'gamma')}\n${toolChat(4, 'delta')}\n`);
  await writeFile(at('runs/notes.md'), '# no run\n');
  await corpus(at('runs'), '--out', at('out'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('corpus', () => {
  it('maps every trajectory, reports what is no run, and writes the same bytes again', async () => {
    const { code, out } = await corpus(at('runs'), '--tables', 'all', '--out', at('again'));
    expect(code).toBe(0);
    expect(out.failed.length).toBe(1);
    expect(out.failed[0]).toMatch(/notes\.md/);
    expect(out.printed[0]).toMatch(/4 runs, 3 of them with checkpoints.*encoder hashed-1024@1/);
    const files = await filesOf(at('out'));
    expect(await filesOf(at('again'))).toEqual(files);
    const summary = JSON.parse(files['summary.json']!) as { runs: { run: string }[]; unreadable: { file: string; message: string }[] };
    expect(summary.runs.map((run) => run.run)).toEqual(['a.json', 'both.jsonl#0', 'both.jsonl#1', 'deep/b.json']);
    expect(summary.unreadable.map((row) => row.file)).toEqual(['notes.md']);
    expect(files['summary.json']).not.toContain(root);
  });

  it('map and reduce, in any order, give the same tables', async () => {
    await mkdir(at('parts'));
    for (const [i, name] of ['deep/b.json', 'both.jsonl', 'a.json'].entries()) await corpus('map', at('runs', name), '--name', name, '--out', at('parts', `${i}.json`));
    await corpus('reduce', at('parts/0.json'), at('parts/2.json'), at('parts/1.json'), '--out', at('reduced'));
    const [whole, halves] = [await filesOf(at('out')), await filesOf(at('reduced'))];
    for (const name of Object.keys(whole)) if (name !== 'summary.json') expect(halves[name], name).toBe(whole[name]);
    await corpus('reduce', at('parts'), '--tables', 'C1', '--out', at('some'));
    expect(Object.keys(await filesOf(at('some')))).toEqual(['figure-C1.svg', 'runs.csv', 'summary.json', 'table-C1.csv', 'table-C1.md', 'table-C1.tex']);
    const { out } = await corpus('map', at('runs/a.json'));
    expect((JSON.parse(out.printed[0]!) as { parts: unknown[] }).parts.length).toBe(1);
  });

  it('resumes by bytes and settings: a part that fits is used, any other is made again', async () => {
    const folder = at('resumed');
    await corpus(at('runs'), '--out', folder);
    const [first] = (await readdir(join(folder, 'parts'))).sort();
    const path = join(folder, 'parts', first!);
    const before = await readFile(path, 'utf8');
    const marked = before.replaceAll('"format":"openai-chat"', '"format":"from-the-part"');
    expect(marked).not.toBe(before);
    await writeFile(path, marked);
    await corpus(at('runs'), '--out', folder, '--resume');
    expect((await filesOf(folder))['runs.csv']).toContain('from-the-part');
    await corpus(at('runs'), '--out', folder, '--resume', '--seed', '1');
    expect((await filesOf(folder))['runs.csv']).not.toContain('from-the-part');
    await writeFile(path, marked.slice(0, 200));
    await corpus(at('runs'), '--out', folder, '--resume');
    expect(await filesOf(folder)).toEqual(await filesOf(at('out')));
    expect(await readFile(path, 'utf8')).toBe(before);
  });

  it('vectors made elsewhere for `corpus texts` give the same numbers under their own name', async () => {
    expect((await corpus('texts', at('runs'), '--out', at('texts.jsonl'))).code).toBe(0);
    const rows = (await readFile(at('texts.jsonl'), 'utf8')).trimEnd().split('\n').map((line) => JSON.parse(line) as { hash: string; text: string });
    expect(new Set(rows.map((row) => row.hash)).size).toBe(rows.length);
    await writeFile(at('vectors.jsonl'), rows.map(({ hash, text }) => JSON.stringify({ hash, vector: [...hashedVector(text)] })).join('\n'));
    await corpus(at('runs'), '--out', at('brought'), '--encoder', `vectors:${at('vectors.jsonl')}`);
    const [ours, brought] = [await filesOf(at('out')), await filesOf(at('brought'))];
    for (const id of TABLE_IDS) expect(brought[`table-${id}.csv`], id).toBe(ours[`table-${id}.csv`]);
    expect(brought['table-1.md']).toMatch(/Encoder vectors:[0-9a-f]{12} \(1024 numbers/);
  });

  it('select takes them as well, and says when they are not those of the run', async () => {
    const select = async (...argv: string[]): Promise<{ encoder: { id: string }; k: number; selectors: object[] }> => {
      const out = new Recorder();
      await selectCommand([at('runs/a.json'), '--checkpoint', '17', '--json', ...argv], out);
      return JSON.parse(out.printed[0]!) as { encoder: { id: string }; k: number; selectors: object[] };
    };
    const brought = await select('--encoder', `vectors:${at('vectors.jsonl')}`);
    const ours = await select('--encoder', 'hashed');
    expect(brought.selectors).toEqual(ours.selectors);
    expect(brought.encoder.id).toMatch(/^vectors:/);
    await writeFile(at('short.jsonl'), '{"index":0,"vector":[1,0]}\n');
    await expect(select('--encoder', `vectors:${at('short.jsonl')}`)).rejects.toThrow(/1 vectors in block order; the run has 19 interaction blocks/);
    await expect(select('--encoder', 'vectors:/no/such')).rejects.toThrow(/no such path/);
  });

  it('a folder of vectors is searched by the name of the run; what is missing is reported and is a failure', async () => {
    await mkdir(at('vecs/deep'), { recursive: true });
    const all = await readFile(at('vectors.jsonl'), 'utf8');
    await writeFile(at('vecs/a.jsonl'), all);
    await writeFile(at('vecs/deep/b.json.jsonl'), all);
    const { code, out } = await corpus(at('runs'), '--out', at('from-folder'), '--encoder', `vectors:${at('vecs')}`, '--tables', 'C1');
    expect(code).toBe(1);
    expect(out.failed.join()).toMatch(/Expected the vectors of both\.jsonl#0/);
    expect(out.printed[0]).toMatch(/^2 runs/);
  });

  it('replays policies at a window, without an encoder where only they are asked for', async () => {
    const { code, out } = await corpus(at('runs'), '--out', at('policies'), '--encoder', 'minilm', '--tables', 'policies', '--budget', '600');
    expect(code).toBe(0);
    expect(out.printed[0]).toMatch(/4 runs/);
    const files = await filesOf(at('policies'));
    expect(Object.keys(files)).toEqual(['figure-policies.svg', 'runs.csv', 'summary.json', 'table-policies.csv', 'table-policies.md', 'table-policies.tex']);
    expect(files['table-policies.md']).toContain('3 of 4 runs exceed the window');
    expect(files['table-policies.csv']).toMatch(/^run,deep\/b\.json · vista,/m);
    const summary = JSON.parse(files['summary.json']!) as { settings: { budget: number } };
    expect(summary.settings.budget).toBe(600);
    await expect(corpus(at('runs'), '--out', at('x'), '--budget', '1k,2k')).rejects.toThrow(/one --budget/);
  });

  it.each([
    [['--out', 'x'], /found none/],
    [['runs'], /Expected --out DIR/],
    [['runs', '--out', 'x', '--tables', 'E1'], /--tables to be all or some of C1, 1, 2/],
    [['nowhere', '--out', 'x'], /found no/],
    [['map'], /one file after/],
    [['reduce', '--out', 'x'], /found none/],
    [['reduce', 'runs/a.json', '--out', 'x'], /is not a part/],
    [['runs/notes.md', '--out', 'x'], /None of 1 files could be mapped/],
  ])('wrong use: %j', async (argv, message) => {
    await expect(corpus(...argv.map((arg) => (arg.startsWith('--') || !/^(runs|nowhere|x$)/.test(arg) ? arg : at(arg))))).rejects.toThrow(message);
  });
});
