import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';

/** A Python with Ray: CONTEXTSCOPE_PYTHON, else the system's. */
const python = process.env['CONTEXTSCOPE_PYTHON'] ?? 'python3';
const hasRay = spawnSync(python, ['-c', 'import importlib.util, sys; sys.exit(importlib.util.find_spec("ray") is None)']).status === 0;
if (!hasRay) console.warn(`Skipped: ${python} has no Ray. Install it (pip install ray) or set CONTEXTSCOPE_PYTHON to a Python that has it.`);

const checkout = resolve(import.meta.dirname, '../..');
const cli = `npx tsx ${join(checkout, 'src/cli/main.ts')}`;

function chat(blocks: number, name: string): string {
  const turns = Array.from({ length: blocks }, (_, i) => [
    { role: 'assistant', content: `Step ${i} of ${name}`, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'bash', arguments: `{"command":"cat ${name}${i % 5}"}` } }] },
    { role: 'tool', tool_call_id: `c${i}`, content: `text ${i % 7} ${name}` },
  ]);
  return JSON.stringify({ messages: [{ role: 'user', content: `Do ${name}` }, ...turns.flat(), { role: 'assistant', content: 'Done.' }] });
}

it.runIf(hasRay)('the tables made on Ray are those of the command line, byte for byte', { timeout: 600_000 }, async () => {
  const root = await mkdtemp(join(tmpdir(), 'corpus-ray-'));
  try {
    const runs = join(root, 'runs');
    await mkdir(runs);
    await writeFile(join(runs, 'a.json'), chat(18, 'alpha'));
    await writeFile(join(runs, 'b.json'), chat(20, 'beta'));
    await writeFile(join(runs, 'notes.md'), '# no run\n');
    const ray = spawnSync(python, [join(checkout, 'src/cli/corpus-ray.py'), runs, '--out', join(root, 'ray'), '--encoder', 'hashed', '--cli', cli], { encoding: 'utf8' });
    expect(ray.stderr).toContain('notes.md is no run in a known format.');
    expect(ray.status).toBe(0);
    const [command, ...args] = cli.split(' ');
    spawnSync(command!, [...args, 'corpus', runs, '--out', join(root, 'one'), '--encoder', 'hashed'], { cwd: checkout });
    const names = (await readdir(join(root, 'ray'))).filter((name) => name !== 'summary.json');
    expect(names.length).toBe(1 + 8 * 4);
    for (const name of names) expect(await readFile(join(root, 'ray', name), 'utf8'), name).toBe(await readFile(join(root, 'one', name), 'utf8'));
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});
