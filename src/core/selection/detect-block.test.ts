import { describe, expect, it } from 'vitest';
import type { ToolCallPart, ToolResultPart } from '../trace/model';
import { detectBlock } from './detect-block';
import { callOperations } from './detect-operations';
import { errorRule } from './detect-error';

const call = (name: string, args: unknown): ToolCallPart => ({ type: 'tool_call', id: 'x', name, args: JSON.stringify(args) });
const touched = (name: string, args: unknown): string[] => callOperations(call(name, args)).map((o) => `${o.role} ${o.path}`);
const shell = (command: string): string[] => touched('bash', { command });
const failed = (text: string): boolean => errorRule([], [text]) !== null;
const result = (text: string, more: Partial<ToolResultPart> = {}): ToolResultPart => ({ type: 'tool_result', callId: 'x', content: [{ type: 'text', text }], ...more });

describe('file operations', () => {
  it('by tool name, only with a path or a patch header; write wins over read', () => {
    expect(touched('Edit', { file_path: './src/a.ts', old: 'x' })).toEqual(['write src/a.ts']);
    expect(touched('read_file', { filePath: 'a/b/' })).toEqual(['read a/b']);
    expect(touched('view_and_edit', { path: 'a' })).toEqual(['write a']);
    expect(touched('write_todos', { items: [] })).toEqual([]);
    expect(touched('apply_patch', { patch: '*** Begin Patch\n*** Update File: src/x.py\n*** Add File: y.py\n' })).toEqual(['write src/x.py', 'write y.py']);
  });

  it('shell redirections, but not of descriptors and devices', () => {
    expect(shell('echo hi > out.txt 2>&1')).toEqual(['write out.txt']);
    expect(shell('make 2> /dev/null >>log/a && cat log/a')).toEqual(['write log/a', 'read log/a']);
    expect(shell('ls > /dev/null')).toEqual([]);
    expect(shell("echo 'a > b' # > c")).toEqual([]);
  });

  it('shell commands that write and read', () => {
    expect(shell("sed -i 's/a/b/' f.ts")).toEqual(['write f.ts']);
    expect(shell("sed -n '1,9p' f.ts")).toEqual(['read f.ts']);
    expect(shell('cp a b; mv c d')).toEqual(['write b', 'write d', 'write c']);
    expect(shell('cd x && sudo rm -rf build')).toEqual(['write build']);
    expect(shell('git checkout -- a.ts')).toEqual(['write a.ts']);
    expect(shell('git commit -m "x > y"')).toEqual(['write (git)']);
    expect(shell('git status')).toEqual([]);
    expect(shell('npm install left-pad')).toEqual(['write (packages)']);
    expect(shell('npm test')).toEqual([]);
    expect(shell('head -n 5 a.txt')).toEqual(['read a.txt']);
    expect(shell('A=1 tee -a "my file"')).toEqual(['write my file']);
  });

  it('a heredoc body is not shell, but Python in it is read as Python', () => {
    expect(shell("cat > a.sh <<'EOF'\nrm -rf /\nEOF\nls")).toEqual(['write a.sh']);
    expect(shell("python3 - <<EOF\nopen('b.txt', 'w').write('x')\nEOF")).toEqual(['write b.txt']);
    expect(shell(`python -c "import json; json.dump(x, f)"`)).toEqual(['write (python)']);
  });

  it('code tools and fenced calls', () => {
    expect(touched('run', { code: "Path('p.md').write_text(s)\ndf.to_csv('t.csv')\nshutil.move('a', 'b')" })).toEqual(['write p.md', 'write t.csv', 'write b']);
    expect(touched('run', { code: "open('r.txt')" })).toEqual([]);
    const fenced: ToolCallPart = { type: 'tool_call', id: '', name: 'bash', args: 'touch new.txt', fenced: true };
    expect(callOperations(fenced)).toEqual([{ role: 'write', path: 'new.txt', rule: 'shell touch' }]);
    expect(touched('exec', { command: ['bash', '-lc', 'rm a'] })).toEqual(['write a']);
  });
});

describe('errors', () => {
  it('flags, exit codes and the lines that say so', () => {
    expect(errorRule([result('', { isError: true })], [''])).toMatch(/reported an error/);
    expect(errorRule([result('', { exitCode: 2 })], [''])).toBe('exit code 2');
    expect(errorRule([result('', { exitCode: 0 })], [''])).toBeNull();
    for (const text of ['Traceback (most recent call last):', 'x\n  pkg.ValueError: bad', 'TypeError [ERR_X]: y', 'fatal: not a git repository', 'FAILED tests/a.py', 'ls: cannot access x: No such file or directory']) {
      expect(failed(text), text).toBe(true);
    }
    for (const text of ['no errors: 0', 'FAILEDNESS', 'the error is gone', 'Errors below', '']) expect(failed(text), text).toBe(false);
  });

  it('only lines that start within the first or last 2 000 code points', () => {
    const filler = `${'.'.repeat(99)}\n`.repeat(30);
    expect(failed(`${filler}error: here\n${filler}`)).toBe(false);
    expect(failed(`${filler}error: here`)).toBe(true);
    expect(failed(`error: here\n${filler}`)).toBe(true);
    expect(failed(`${'😀'.repeat(1500)}\nerror: here\n${filler}${filler}`)).toBe(true);
    expect(failed(`${' '.repeat(301)}ValueError: x`)).toBe(false);
  });
});

describe('sources', () => {
  const key = (name: string, args: unknown, text: string): string | undefined => detectBlock([call(name, args)], [result(text)]).source?.key;

  it('first URL of the arguments, of the results, document id, path, then the call itself', () => {
    expect(key('web_fetch', { url: 'https://a.org/x?q=1#top' }, 'https://b.org')).toBe('a.org/x');
    expect(key('search', { q: 'z' }, 'see (https://b.org/y).')).toBe('b.org/y');
    expect(key('retrieve', { doc_id: 7 }, 'text')).toBe('7');
    expect(key('grep_search', { path: './src' }, 'text')).toBe('src');
    expect(key('search', { q: 'z' }, 'text')).toBe('search {"q":"z"}');
  });

  it('three different URLs make a source of any tool; fewer, or the same thrice, do not', () => {
    expect(key('bash', {}, 'https://a.org/1 https://a.org/2 https://a.org/3')).toBe('a.org/1');
    expect(key('bash', {}, 'https://a.org/1 https://a.org/1?x https://a.org/1#y')).toBeUndefined();
  });
});
