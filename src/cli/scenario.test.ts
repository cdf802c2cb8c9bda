/** `replay --policy manual --scenario`: the operations are done, what cannot be done is said, and the file must fit the run. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Output } from './output';
import { replayCommand } from './replay-command';

const EXAMPLE = resolve('public/examples/mini-swe-fix.traj.json');
const folder = mkdtempSync(resolve(tmpdir(), 'scenario-'));

interface Ran { status: number; printed: string; failures: string[] }
async function run(...argv: string[]): Promise<Ran> {
  const ran: Ran = { status: 0, printed: '', failures: [] };
  const out: Output = {
    print: (text) => void (ran.printed += text), write: (piece) => void (ran.printed += piece), progress: () => () => undefined, exitCode: () => 1,
    fail: (error) => void ran.failures.push(error instanceof Error ? error.message : String(error)),
  };
  ran.status = await replayCommand([EXAMPLE, '--budget', '8k', ...argv], out);
  return ran;
}

interface Json { trajectory: string; thread: string; policies: { policy: string; ops: { op: string; actor: string; label?: string; step: number }[]; steps: { contextTokens: number; archived: string[] }[]; outcomes?: { id: string; applied: boolean; refused: string | null }[] }[] }
const json = async (...argv: string[]): Promise<Json> => JSON.parse((await run(...argv, '--json')).printed) as Json;

let count = 0;
function file(document: unknown): string {
  const path = resolve(folder, `${++count}.json`);
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document));
  return path;
}
const head = await json('--policy', 'keep-everything');
const scenario = (operations: unknown[], more: Record<string, unknown> = {}) => ({ format: 'contextscope-scenario', version: 1, name: 'mine', run: head.trajectory, thread: head.thread, operations, ...more });
const ARCHIVE = { id: 'a1', step: 4, op: 'archive', blocks: ['base:3'], summary: 'what was read', label: 'first read' };

describe('replay --scenario', () => {
  it('does what the file says, beside other policies', async () => {
    const path = file(scenario([ARCHIVE, { id: 'a2', step: 5, op: 'recover', blocks: [], label: 'first read' }]));
    const { policies } = await json('--policy', 'manual,keep-everything', '--scenario', path);
    expect(policies.map(({ policy }) => policy)).toEqual(['manual', 'keep-everything']);
    const [manual, kept] = policies;
    expect(manual!.ops.filter(({ actor }) => actor === 'user').map(({ op, step, label }) => [op, step, label])).toEqual([['archive', 4, 'first read'], ['recover', 5, 'first read']]);
    expect(manual!.outcomes!.map(({ applied }) => applied)).toEqual([true, true]);
    expect(manual!.steps[3]!.archived).toContain('B4');
    expect(manual!.steps[3]!.contextTokens).toBeLessThan(kept!.steps[3]!.contextTokens);
    expect(manual!.steps.slice(0, 3).map(({ contextTokens }) => contextTokens)).toEqual(kept!.steps.slice(0, 3).map(({ contextTokens }) => contextTokens));
    expect(kept!.outcomes).toBeUndefined();
  });

  it('exits with 1 and says what could not be done; the rest is printed', async () => {
    const ran = await run('--policy', 'manual', '--scenario', file(scenario([ARCHIVE, { id: 'a2', step: 5, op: 'pin', blocks: ['base:3'] }])), '--json');
    expect(ran.status).toBe(1);
    expect(ran.failures.join()).toMatch(/^1 operation of the scenario could not be done: a2 at budget 8000: B4 is not in the context/);
    expect((JSON.parse(ran.printed) as Json).policies[0]!.outcomes!.map(({ applied }) => applied)).toEqual([true, false]);
  });

  it.each([
    ['another run', scenario([ARCHIVE], { run: `${'b'.repeat(64)}#0`, file: 'other.jsonl' }), /belongs to another run: it was made for bbbbbbbbbbbb…#0 \(other\.jsonl\)/],
    ['another thread', scenario([ARCHIVE], { thread: 'side' }), /another line of the run: it was made for thread side/],
    ['no scenario', '{"a":1}', /Expected a scenario of Contextscope/],
    ['an unknown operation', scenario([{ ...ARCHIVE, op: 'burn' }]), /operations\[0\]\.op/],
  ])('%s is refused', async (_, document, message) => {
    await expect(run('--policy', 'manual', '--scenario', file(document))).rejects.toThrow(message);
  });

  it('asks for what is missing', async () => {
    await expect(run('--policy', 'manual')).rejects.toThrow('Expected --scenario FILE with --policy manual');
    await expect(run('--policy', 'vista', '--scenario', file(scenario([])))).rejects.toThrow('Expected --policy manual with --scenario');
    await expect(run('--policy', 'manual', '--scenario', resolve(folder, 'absent.json'))).rejects.toThrow(/could not be read/);
  });
});
