import { describe, expect, it } from 'vitest';
import { TWELVE, TWELVE_INPUT } from '../../../testing/twelve-blocks';
import { countWords, messagesOf, textOfBlock } from '../../../testing/workspace';
import { listPolicies } from '../policies';
import { replay } from '../replay';
import type { Replay, ReplayInput, ReplayRequest } from '../types';
import { checkInvariants, type InvariantReport } from './index';

const MESSAGES = messagesOf(TWELVE);

function check(request: ReplayRequest, spoil: (replayed: Replay) => Replay = (replayed) => replayed, again = (input: ReplayInput) => replay(input, request, countWords)): Promise<InvariantReport> {
  return checkInvariants({
    input: TWELVE_INPUT, replay: spoil(replay(TWELVE_INPUT, request, countWords)), tools: [], count: countWords, again,
    messagesAt: async () => (position) => MESSAGES[position]!, textsOf: async () => (base) => textOfBlock(TWELVE[base]!, base),
  });
}
const verdicts = ({ results }: InvariantReport): string => results.map(({ invariant, verdict, at }) => `${invariant} ${verdict}${at === null ? '' : ` at ${at}`}`).join(', ');
/** Columns are shared by nothing here, so they can be changed in place. */
const spoiled = (change: (replayed: Replay) => void) => (replayed: Replay): Replay => {
  change(replayed);
  return replayed;
};

describe('the seven invariants', () => {
  it.each(listPolicies().map(({ id }) => id))('hold under %s', async (policy) => {
    const report = await check({ policy, budget: 2000 });
    expect(report.results.map(({ invariant }) => invariant)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(report.results.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
    const exempt = report.results.filter(({ verdict }) => verdict === 'exempt').map(({ invariant }) => invariant);
    const info = listPolicies().find(({ id }) => id === policy);
    expect(exempt.includes(6)).toBe(info?.causal === false);
  });

  it('a step that cannot be within B is no violation: it says which budget would do', async () => {
    const report = await check({ policy: 'append-truncate', budget: 700 });
    expect(verdicts(report)).toBe('1 holds, 2 holds, 3 holds, 4 holds, 5 holds, 6 holds, 7 holds');
    expect(report.infeasible?.smallestFeasibleBudget).toBeGreaterThan(700);
    const enough = await check({ policy: 'append-truncate', budget: report.infeasible?.smallestFeasibleBudget ?? 0 });
    expect(enough.infeasible).toBeNull();
  });

  it('says what keep-everything is exempt from, and how often it is above B', async () => {
    const [first] = (await check({ policy: 'keep-everything', budget: 2000 })).results;
    expect(first).toMatchObject({ verdict: 'exempt', detail: 'not bound by B (policies.md); 3 steps are above it' });
  });
});

describe('a spoiled replay is found out', () => {
  const AUTO = { policy: 'auto-archive', budget: 2000 } as const;
  const first = (report: InvariantReport): { invariant: number; at: number | null; detail: string } | undefined => report.results.find(({ verdict }) => verdict === 'violated');

  it('1: above the budget, and silent', async () => {
    expect(first(await check(AUTO, spoiled(({ steps }) => { steps.contextTokens[4] = 2500; })))).toMatchObject({ invariant: 1, at: 5 });
    expect(first(await check(AUTO, spoiled(({ steps }) => { steps.contextTokens[4] = 2500; steps.infeasible[4] = 1; })))).toMatchObject({ invariant: 1, at: 5, detail: expect.stringContaining('without the budget') as string });
  });

  it('2: a checksum or a size that is not that of the payload', async () => {
    const store = (replayed: Replay): number => replayed.blocks.checksum.findIndex((checksum, i) => checksum !== undefined && replayed.blocks.base[i] === -1);
    expect(first(await check(AUTO, spoiled((replayed) => { replayed.blocks.checksum[store(replayed)] = '0'.repeat(64); })))).toMatchObject({ invariant: 2, detail: expect.stringContaining('checksum') as string });
    expect(first(await check(AUTO, spoiled((replayed) => { replayed.blocks.payloadBytes[store(replayed)]! += 1; })))).toMatchObject({ invariant: 2, detail: expect.stringContaining('bytes') as string });
  });

  it('2: recorded bytes that are no longer what was hashed', async () => {
    const replayed = replay(TWELVE_INPUT, AUTO, countWords);
    const report = await checkInvariants({
      input: TWELVE_INPUT, replay: replayed, tools: [], count: countWords, again: (input) => replay(input, AUTO, countWords),
      messagesAt: async () => (position) => MESSAGES[position]!, textsOf: async () => (base) => `${textOfBlock(TWELVE[base]!, base)}.`,
    });
    expect(first(report)).toMatchObject({ invariant: 2, detail: expect.stringContaining('no longer what was hashed') as string });
  });

  it('3: deleted without a deletion', async () => {
    expect(first(await check(AUTO, spoiled(({ history }) => { history.status[(history.start[4] ?? 0)] = 8; })))).toMatchObject({ invariant: 3, at: 3 });
  });

  it('4: rows that do not add up', async () => {
    const report = await check(AUTO, spoiled(({ steps }) => { steps.contextTokens[1] = 1270; }));
    expect(report.results.find(({ invariant }) => invariant === 4)).toMatchObject({ verdict: 'violated', at: 2, detail: 'rows sum to 1269 tokens, the step says 1270' });
  });

  it('5: an op on a pinned block, or on one that comes later', async () => {
    const pin = { step: 1, op: 'pin', actor: 'policy', ids: ['B3'], reason: '', tokensBefore: 0, tokensAfter: 0 } as const;
    const pinned = await check(AUTO, (replayed) => ({ ...replayed, ops: [{ ...pin, ids: [...pin.ids] }, ...replayed.ops] }));
    expect(pinned.results.find(({ invariant }) => invariant === 5)).toMatchObject({ verdict: 'violated', detail: 'pin names B3, which comes later' });
    const later = { ...pin, step: 2, ids: ['B3'] };
    const touched = await check(AUTO, (replayed) => {
      const at = replayed.ops.findIndex(({ step }) => step > 2);
      return { ...replayed, ops: [...replayed.ops.slice(0, at), later, ...replayed.ops.slice(at)] };
    });
    expect(touched.results.find(({ invariant }) => invariant === 5)).toMatchObject({ verdict: 'violated', detail: 'offload took B3, which is pinned' });
  });

  it('6: a policy that knows how the run ends', async () => {
    // The oracle, passed off as causal.
    const cheat: ReplayRequest = { policy: 'oracle', budget: 1500 };
    const report = await check(cheat, (replayed) => ({ ...replayed, causal: true }));
    expect(report.results.find(({ invariant }) => invariant === 6)).toMatchObject({ verdict: 'violated' });
  });

  it('7: another log the second time, or a history that says something else than the log', async () => {
    const request: ReplayRequest = { policy: 'random-archive', budget: 1500 };
    const report = await check(request, undefined, (input) => replay(input, { ...request, params: { seed: 5 } }, countWords));
    expect(report.results.find(({ invariant }) => invariant === 7)).toMatchObject({ verdict: 'violated' });
    const told = await check(AUTO, spoiled(({ history }) => { history.status[history.start[2] ?? 0] = 2; }));
    expect(told.results.find(({ invariant }) => invariant === 7)).toMatchObject({ verdict: 'violated' });
  });
});

it('can be cancelled between two checks', async () => {
  const controller = new AbortController();
  const report = checkInvariants({
    input: TWELVE_INPUT, replay: replay(TWELVE_INPUT, { policy: 'vista', budget: 2000 }, countWords), tools: [], count: countWords, again: (input) => replay(input, { policy: 'vista', budget: 2000 }, countWords),
    messagesAt: async () => (position) => MESSAGES[position]!, textsOf: async () => (base) => textOfBlock(TWELVE[base]!, base),
  }, { signal: controller.signal, breathe: async () => controller.abort() });
  await expect(report).rejects.toMatchObject({ code: 'cancelled' });
});
