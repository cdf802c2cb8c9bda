/** Every rule of gem.md §7 fires on a call of its own and says so; nothing else does. */
import { describe, expect, it } from 'vitest';
import type { ToolCallPart, ToolResultPart } from '../trace/model';
import { detectBlock } from './detect-block';
import { callOperations } from './detect-operations';
import { errorRule } from './detect-error';

const call = (name: string, args: unknown): ToolCallPart => ({ type: 'tool_call', id: '', name, args: typeof args === 'string' ? args : JSON.stringify(args) });
const found = (name: string, args: unknown): string[] => callOperations(call(name, args)).map(({ role, path, rule }) => `${role} ${path} · ${rule}`);
const result = (text: string, more: Partial<ToolResultPart> = {}): ToolResultPart => ({ type: 'tool_result', callId: '', name: '', isError: false, exitCode: null, content: [{ type: 'text', text }], ...more } as ToolResultPart);

describe('editing calls', () => {
  it.each(['edit', 'Edit', 'write_file', 'create_file', 'str_replace_editor', 'apply_patch', 'MultiEdit', 'multi_edit', 'insert_lines', 'NotebookEdit', 'notebook_edit', 'move_file', 'rename_file', 'delete_file', 'save_note'])('%s with a path writes it', (name) => {
    expect(found(name, { path: 'a/b.ts' })).toEqual([`write a/b.ts · tool ${name}`]);
    expect(found(name, { text: 'no path' })).toEqual([]);
  });

  it.each(['path', 'file_path', 'filePath', 'filename', 'file', 'target', 'uri', 'File_Name'])('the argument %s is a path', (key) => {
    expect(found('write', { [key]: 'x.md' })).toEqual(['write x.md · tool write']);
  });

  it.each(['read_file', 'Read', 'view', 'open_file'])('%s reads', (name) => {
    expect(found(name, { path: 'x.md' })).toEqual([`read x.md · tool ${name}`]);
  });

  it.each([
    ['*** Add File: a.py', 'a.py'], ['*** Update File: a.py', 'a.py'], ['*** Delete File: a.py', 'a.py'], ['*** Move to: b.py', 'b.py'],
    ['--- a/a.py\n+++ b/a.py', 'a.py'], ['diff --git a/x.c b/x.c', 'x.c'],
  ])('the patch header %s', (header, path) => {
    expect(found('apply_patch', { patch: `${header}\n@@ -1 +1 @@\n-a\n+b` })).toEqual([`write ${path} · tool apply_patch`]);
  });
});

describe('Bash', () => {
  it.each([
    ['rm -f a', 'a', 'shell rm'], ['mkdir -p a/b', 'a/b', 'shell mkdir'], ['touch a', 'a', 'shell touch'], ['ln -s x a', 'a', 'shell ln'], ['chmod +x a', 'a', 'shell chmod'],
    ['install -m 755 x a', 'a', 'shell install'], ['truncate -s 0 a', 'a', 'shell truncate'], ['cp x a', 'a', 'shell cp'], ['perl -i -pe s/x/y/ a', 'a', 'shell perl -i'], ['perl -pi -e s/x/y/ a', 'a', 'shell perl -i'],
    ['sed -i s/x/y/ a', 'a', 'shell sed -i'], ['sed -i.bak s/x/y/ a', 'a', 'shell sed -i'], ['echo x | tee a', 'a', 'shell tee'], ['echo x > a', 'a', 'shell >'], ['echo x >> a', 'a', 'shell >>'], ['make &> a', 'a', 'shell &>'],
    ['cat <<EOF > a\nrm b\nEOF', 'a', 'shell >'],
  ])('%s', (command, path, rule) => {
    expect(found('Bash', { command })).toContainEqual(`write ${path} · ${rule}`);
  });

  it.each(['apply', 'am', 'checkout', 'restore', 'reset', 'stash', 'commit', 'merge', 'rebase', 'cherry-pick'])('git %s writes; git log does not', (action) => {
    expect(found('bash', { command: `git ${action}` })).toEqual([`write (git) · git ${action}`]);
    expect(found('bash', { command: 'git log --oneline' })).toEqual([]);
  });

  it.each(['pip install x', 'npm ci', 'pnpm add x', 'yarn add x', 'apt-get install x', 'brew install x', 'cargo add x', 'conda install x', 'uv add x', 'poetry add x', 'python -m pip install x'])('%s installs packages', (command) => {
    expect(found('bash', { command }).map((line) => line.split(' · ')[0])).toEqual(['write (packages)']);
  });

  it.each([['cat a', 'shell cat'], ['head -n 3 a', 'shell head'], ['tail -5 a', 'shell tail'], ['less a', 'shell less'], ["sed -n '1,5p' a", 'shell sed -n']])('%s reads', (command, rule) => {
    expect(found('bash', { command })).toEqual([`read a · ${rule}`]);
  });

  it.each(['grep x a', 'ls -la', 'cd a && ls', 'make test 2>&1', 'cmd > /dev/null', 'echo "a > b"', 'npm test', 'pip list'])('%s touches nothing', (command) => {
    expect(found('bash', { command })).toEqual([]);
  });

  it.each(['command', 'cmd', 'script'])('shell text is the argument %s', (key) => {
    expect(found('run', { [key]: 'touch a' })).toEqual(['write a · shell touch']);
  });
});

describe('Python', () => {
  it.each([
    ["open('a', 'w')", 'python open'], ["open('a', mode='a')", 'python open'], ['open("a", "xb")', 'python open'], ["open('a', 'r+')", 'python open'], ["Path('a').write_text(s)", 'python write_text'], ["Path('a').write_bytes(s)", 'python write_bytes'],
    ["df.to_csv('a')", 'python to_csv'], ["df.to_excel('a')", 'python to_excel'], ["df.to_json('a')", 'python to_json'], ["plt.savefig('a')", 'python savefig'], ["im.save('a')", 'python save'],
    ["shutil.copy('x', 'a')", 'python shutil.copy'], ["shutil.move('x', 'a')", 'python shutil.move'], ["shutil.rmtree('a')", 'python shutil.rmtree'], ["os.remove('a')", 'python os.remove'], ["os.rename('x', 'a')", 'python os.rename'], ["os.makedirs('a')", 'python os.makedirs'],
  ])('%s in code, in -c and in a heredoc', (code, rule) => {
    const wanted = `write a · ${rule}`;
    expect(found('python', { code })).toContainEqual(wanted);
    expect(found('bash', { command: `python3 - <<'EOF'\n${code}\nEOF` })).toContainEqual(wanted);
    expect(found('bash', { command: `python -c '${code.replaceAll("'", '"')}'` })).toContainEqual(wanted);
  });

  it.each(['json.dump(x, f)', 'pickle.dump(x, f)', 'open(path, "w")', 'p.write_text(s)'])('%s without a literal path', (code) => {
    expect(found('python', { code }).map((line) => line.split(' · ')[0])).toEqual(['write (python)']);
  });

  it.each(["open('a')", "open('a', 'rb')", 'json.dumps(x)', "pd.read_csv('a')", "os.listdir('a')"])('%s writes nothing', (code) => {
    expect(found('python', { code })).toEqual([]);
  });
});

describe('errors', () => {
  it.each([
    'Traceback (most recent call last):', '  Traceback (most recent call last)', 'ValueError: x', 'a.b.MyException: x', 'Uncaught TypeError: x', 'Error [ERR_MODULE]: x', 'fatal: x', 'error: x', 'error[E0308]: x', 'panic: x', 'FATAL: x', 'ERROR: x', 'FAILED tests/a.py::b', 'FAIL src/a.test.ts',
    'cat: a: No such file or directory', 'bash: ./a: Permission denied', 'bash: foo: command not found', 'sh: 1: foo: not found',
  ])('%s', (line) => {
    expect(errorRule([result(`ok\n${line}\nmore`)], [`ok\n${line}\nmore`])).toContain('the result says');
  });

  it.each(['0 errors', 'Error handling is described below', 'an error: x', 'FAILURES', 'not found', 'the Exception class', 'success: true'])('%s is none', (line) => {
    expect(errorRule([result(line)], [line])).toBeNull();
  });

  it('recorded flags come first', () => {
    expect(errorRule([result('fine', { isError: true })], ['fine'])).toBe('the tool reported an error');
    expect(errorRule([result('fine', { exitCode: 127 })], ['fine'])).toBe('exit code 127');
  });
});

describe('sources', () => {
  it.each(['web_search', 'fetch_url', 'browse', 'retrieve_docs', 'query_database', 'WebFetch', 'WebSearch'])('%s is a source', (name) => {
    expect(detectBlock([call(name, { q: 'x' })], [result('plain')]).source?.rule).toBeTruthy();
  });

  it.each(['bash', 'edit_file', 'run_tests'])('%s is none', (name) => {
    expect(detectBlock([call(name, { q: 'x' })], [result('plain')]).source).toBeNull();
  });
});
