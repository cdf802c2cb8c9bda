import { describe, expect, it } from 'vitest';
import { filesOf, firstFiles, MAX_FILES } from './drop-files';

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
const leaf = (fullPath: string, isBroken = false) => ({
  isFile: true, name: nameOf(fullPath), fullPath,
  file: (done: (file: File) => void, fail: (error: Error) => void) => (isBroken ? fail(new Error('NotReadable')) : done(new File(['x'], nameOf(fullPath)))),
});
/** As browsers do: at most 100 entries a call, an empty list at the end. */
const folder = (fullPath: string, inside: readonly unknown[]) => ({
  isFile: false, name: nameOf(fullPath), fullPath,
  createReader: () => {
    let at = 0;
    return { readEntries: (done: (some: readonly unknown[]) => void) => done(inside.slice(at, (at += 100))) };
  },
});
const dropOf = (...entries: { name: string }[]): DataTransfer => ({
  items: entries.map((entry) => ({ kind: 'file', webkitGetAsEntry: () => entry })), files: entries.map(({ name }) => new File(['x'], name)), getData: () => '',
}) as unknown as DataTransfer;
const many = (n: number) => Array.from({ length: n }, (_, i) => leaf(`/runs/${i}.jsonl`));

describe('dropped files', () => {
  it('of a folder are all taken up to the limit, and what is beyond is said', async () => {
    const whole = await filesOf(dropOf(folder('/runs', many(MAX_FILES))));
    expect([whole.files.length, whole.cut]).toEqual([MAX_FILES, false]);
    const cut = await filesOf(dropOf(folder('/runs', many(MAX_FILES + 1))));
    expect([cut.files.length, cut.cut, cut.files[0]!.name]).toEqual([MAX_FILES, true, 'runs/0.jsonl']);
    expect((await filesOf(dropOf(folder('/runs', many(5))), 3)).files).toHaveLength(3);
    expect(firstFiles(whole.files, 7)).toMatchObject({ cut: true });
    expect(firstFiles(whole.files)).toEqual(whole);
  });

  it('inside a folder are not hidden ones, but for Aider’s history; what was dropped by name is taken', async () => {
    const names = async (...entries: { name: string }[]): Promise<string[]> => (await filesOf(dropOf(...entries))).files.map(({ name }) => name);
    expect(await names(folder('/p', [leaf('/p/.DS_Store'), folder('/p/.git', [leaf('/p/.git/HEAD')]), leaf('/p/.aider.chat.history.md'), leaf('/p/a.json')]))).toEqual(['p/.aider.chat.history.md', 'p/a.json']);
    expect(await names(leaf('/.aider.chat.history.md'), folder('/.claude', [leaf('/.claude/a.jsonl')]))).toEqual(['.aider.chat.history.md', '.claude/a.jsonl']);
  });

  it('that cannot be read do not keep the others out', async () => {
    expect((await filesOf(dropOf(leaf('/gone.json', true), leaf('/b.json')))).files.map(({ name }) => name)).toEqual(['b.json']);
  });
});
