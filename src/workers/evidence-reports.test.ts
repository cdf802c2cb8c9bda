import { afterEach, expect, it } from 'vitest';
import { MemoryRepository } from '../storage/memory-repository';
import { localWorkbench, type LocalWorkbench } from '../testing/local-workbench';
import { openaiChatBlob } from '../testing/sample-files';
import type { InvariantOutcome, Progress } from './api';

let here: LocalWorkbench;
afterEach(() => here.close());

async function opened(turns: number) {
  here = localWorkbench(new MemoryRepository());
  const { runs } = await here.workbench.importFiles([{ name: 'chat.json', blob: openaiChatBlob(turns) }]);
  return here.workbench.openLine(runs[0]!, null, 'o200k_base');
}
const REQUESTS = ['keep-everything', 'append-truncate', 'vista', 'no-such-policy', 'oracle'].map((policy) => ({ policy, budget: 900 }));

it('checks invariants in the worker, one outcome a policy, and knows a finished report', async () => {
  const line = await opened(12);
  const progress: Progress[] = [];
  const told: number[] = [];
  const outcomes = await here.workbench.invariants(line, REQUESTS, { everyStep: true, onOutcome: (index) => told.push(index), onProgress: (p) => progress.push(p) });
  expect(told).toEqual([0, 1, 2, 3, 4]);
  expect(progress.at(-1)).toMatchObject({ done: 5, total: 5, unit: 'policies' });
  const violated = (outcome: InvariantOutcome) => ('report' in outcome ? outcome.report.results.filter(({ verdict }) => verdict === 'violated') : outcome.error);
  expect(outcomes.map(violated)).toEqual([[], [], [], expect.stringContaining('no policy "no-such-policy"'), []]);
  const [, truncate] = outcomes;
  expect(truncate && 'report' in truncate && truncate.report.results[3]?.checked).toBe('13 steps');
  // Held: no second check.
  const again = await here.workbench.invariants(line, REQUESTS, { everyStep: true });
  expect(again).toEqual(outcomes);
});

it('stops when cancelled', async () => {
  const line = await opened(5);
  await expect(here.workbench.invariants(line, REQUESTS, { everyStep: false, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' });
});

it('audits a policy that reads vectors before anything else asked for them', async () => {
  const line = await opened(20);
  const audit = await here.workbench.audit(line, { policy: 'gem', params: { form: 'core', capacity: 4 }, budget: 5000, encoder: 'hashed-1024@1' });
  expect(audit.totals.removals).toBeGreaterThan(0);
});

it('audits a replay and measures use against age', async () => {
  const line = await opened(12);
  const audit = await here.workbench.audit(line, { policy: 'append-truncate', budget: 500 });
  const replay = await here.workbench.replay(line, { policy: 'append-truncate', budget: 500 });
  expect(audit.totals.removals).toBe(replay.ops.filter(({ op, step }) => op === 'trim' && step <= replay.steps.n).length);
  expect(audit.totals.removals).toBeGreaterThan(0);
  const age = await here.workbench.evidenceByAge(line, 'newest');
  let weight = 0;
  line.evidence.demandWeight.forEach((each, d) => { if (line.evidence.demandInPrompt[d] === 0) weight += each; });
  expect(age.weight).toBeCloseTo(weight, 9);
});
