import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { zip, zipMember } from '../testing/archives';
import { openaiChatText } from '../testing/sample-files';
import { exportCommand } from './export-command';
import { inspectFiles } from './inspect';
import type { Output } from './output';

describe('export', () => {
  let folder = '';
  beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'contextscope-')); });
  afterAll(() => { rmSync(folder, { recursive: true }); });
  const run = async (...argv: string[]): Promise<string> => {
    let text = '';
    const out: Output = { print: (line) => { text += `${line}\n`; }, write: (piece) => { text += piece; }, fail: () => undefined, progress: () => () => undefined, exitCode: () => 1 };
    expect(await exportCommand(argv, out)).toBe(0);
    return text;
  };

  it('writes every run of a file, which inspect reads again', async () => {
    const given = join(folder, 'all.zip');
    writeFileSync(given, zip([zipMember('a.json', openaiChatText(2), 8), zipMember('b.json', openaiChatText(3))]));
    const target = join(folder, 'out.jsonl');
    expect(await run(given, '--out', target)).toBe(`2 runs written to ${target}\n`);
    const { json } = await inspectFiles([target]);
    expect(json.files.map(({ format, messages, matchedPairs, trajectories }) => [format, messages, matchedPairs, trajectories.map(({ name }) => name)])).toEqual([['contextscope', 16, 5, ['a', 'b']]]);
    expect(await run(given, '--trajectory', '1')).toBe(readFileSync(target, 'utf8').split('\n').slice(8).join('\n'));
    await expect(run(given, '--trajectory', '2')).rejects.toMatchObject({ code: 'not-found' });
  });
});
