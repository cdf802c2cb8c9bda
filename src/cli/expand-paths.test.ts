import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gzip, tar } from '../testing/archives';
import { openaiChatText } from '../testing/sample-files';
import { inspectFiles } from './inspect';

describe('folders and archives on the command line', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'contextscope-'));
    mkdirSync(join(folder, 'runs', 'deep'), { recursive: true });
    mkdirSync(join(folder, 'runs', '.git'));
    mkdirSync(join(folder, 'words'));
    writeFileSync(join(folder, 'runs', 'deep', 'b.json'), openaiChatText(1));
    writeFileSync(join(folder, 'runs', 'a.tgz'), gzip(tar([{ name: 'x.json', content: openaiChatText(2) }, { name: 'y.json', content: openaiChatText(3) }])));
    writeFileSync(join(folder, 'runs', 'README'), 'words only');
    writeFileSync(join(folder, 'runs', '.git', 'HEAD'), 'hidden');
    writeFileSync(join(folder, 'words', 'README'), 'words only');
  });
  afterAll(() => { rmSync(folder, { recursive: true }); });

  it('a folder gives every file in it, and one warning for what is none', async () => {
    const { json, failures } = await inspectFiles([join(folder, 'runs')]);
    expect(failures).toEqual([]);
    expect(json.files.map(({ file, container, messages }) => [file.slice(folder.length), container, messages])).toEqual([['/runs/a.tgz!x.json', 'tar', 7], ['/runs/a.tgz!y.json', 'tar', 9], ['/runs/deep/b.json', 'none', 5]]);
    expect(json.files[0]!.warnings).toEqual([expect.stringContaining('1 of the files in') as string]);
    expect(json.files[0]!.sha256).toBe(json.files[1]!.sha256);
  });

  it('a folder of nothing but other files is one failure', async () => {
    const { failures } = await inspectFiles([join(folder, 'words'), join(folder, 'runs', 'deep', 'b.json')]);
    expect(failures.map(({ file, error }) => [file, error.code])).toEqual([[join(folder, 'words'), 'unknown-format']]);
  });
});
