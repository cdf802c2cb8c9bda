import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import type { InvariantReport } from '../core/workspace/invariants';
import type { Output } from './output';
import { replayCommand } from './replay-command';

const example = resolve(import.meta.dirname, '../../public/examples/vista-two-levels.json');

async function run(...argv: string[]): Promise<{ policies: { policy: string; params: Record<string, unknown>; invariants?: InvariantReport }[] }> {
  let text = '';
  const out: Output = { print: (line) => { text += line; }, write: (piece) => { text += piece; }, fail: (error) => { throw error; }, progress: () => () => undefined, exitCode: () => 1 };
  await replayCommand([example, '--json', ...argv], out);
  return JSON.parse(text) as Awaited<ReturnType<typeof run>>;
}

it('replay --invariants checks the seven under each policy, with the parameters given', async () => {
  const { policies } = await run('--budget', '6000', '--policy', 'vista,append-truncate,oracle', '--param', 'vista.minAge=2', '--invariants');
  expect(policies.map(({ policy, invariants }) => [policy, invariants?.results.map(({ verdict }) => verdict).join(' ')])).toEqual([
    ['vista', 'holds holds holds holds holds holds holds'], ['append-truncate', 'holds holds holds holds holds holds holds'], ['oracle', 'holds holds holds holds holds exempt holds'],
  ]);
  expect(policies[0]?.params['minAge']).toBe(2);
});

it('leaves them out where nobody asked', async () => {
  const { policies } = await run('--budget', '6000', '--policy', 'append-truncate');
  expect(policies[0]).not.toHaveProperty('invariants');
});
