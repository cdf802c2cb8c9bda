import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf, messagesOf } from '../testing/workspace';
import { listPolicies } from '../core/workspace/policies';
import { parseParams, renderStepJson, replayCsv, replayJson, replayMarkdown, runReplays, type ReplayOptions } from './replay';

const BLOCKS = blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep, A 30, O 900 bash, A 10, O 200 bash, A 40');
const INPUT = inputOf(BLOCKS, [{ step: 5, sources: [3], lexeme: 'needle', weight: 2 }, { step: 6, sources: [1], prompt: true }], 70);
const HEADER = { file: 'run.jsonl', sha256: 'ab', trajectory: 'ab#0', thread: 'main' };
const json = (options: ReplayOptions) => JSON.parse(replayJson(HEADER, INPUT, runReplays(INPUT, options, countWords), options));

describe('replay --json', () => {
  it('has the documented fields, block by block', () => {
    const out = json({ budgets: [1400], policies: ['append-truncate'] });
    expect(out).toMatchObject({ ...HEADER, encoding: 'o200k_base', fixedOverhead: 170, countsReasoning: true, messageOverhead: { perMessage: 4, once: 3 } });
    const [policy] = out.policies;
    expect(policy).toMatchObject({ policy: 'append-truncate', params: {}, replayClass: 'exact', causal: true });
    expect(policy.steps).toHaveLength(6);
    // Step 4 would hold 1525 tokens: the round of B3 (528) goes.
    expect(policy.steps[3]).toMatchObject({
      step: 4, contextTokens: 997, mode: 'normal', infeasible: false, smallestFeasibleBudget: null,
      visible: ['B1', 'B2', 'B5', 'B6', 'B7', 'B8'], archived: [], lost: ['B3', 'B4'],
    });
    expect(policy.steps[4].evidence).toEqual({ demandWeight: 2, visible: 0, recoverable: 0, lost: 2, promptWeight: 0 });
    expect(policy.steps[5].evidence.promptWeight).toBe(1);
    expect(policy.ops[0]).toEqual({ step: 4, op: 'trim', actor: 'policy', ids: ['B3', 'B4'], reason: 'context above B: oldest round dropped', tokensBefore: 1525, tokensAfter: 997 });
    expect(policy.totals).toMatchObject({ firstLoss: { step: 5, lexeme: 'needle' }, evidenceLost: 2, managementCalls: 0, totalBudgetStep: null });
  });

  it('limits rows, lists admissions, and sweeps over budgets without steps', () => {
    const some = json({ budgets: [1400], policies: ['append-truncate'], steps: [2, 3], allOps: true });
    expect(some.policies[0].steps.map((row: { step: number }) => row.step)).toEqual([2, 3]);
    expect(some.policies[0].ops.map((op: { op: string }) => op.op)).toEqual(['admit', 'admit']);
    const sweep = json({ budgets: [1400, 4000], policies: ['all'] });
    expect(sweep.sweep.map((run: { budget: number }) => run.budget)).toEqual([1400, 4000]);
    expect(sweep.sweep[0].policies.map((each: { policy: string }) => each.policy)).toEqual(listPolicies().map((policy) => policy.id));
    expect(sweep.sweep[0].policies[0]).not.toHaveProperty('steps');
    expect(sweep.sweep[0].policies[0].totals.peakContext).toBe(2681);
  });

  it('marks the step where a total budget is spent', () => {
    // New content: 520 + 420 + 330 + 930 … admitted at steps 2 to 5.
    const out = json({ budgets: [9000], policies: ['keep-everything'], totalBudget: 1000 });
    expect(out.policies[0].totals.totalBudgetStep).toBe(4);
  });
});

describe('parameters and tables', () => {
  it('gives a parameter to every chosen policy that has it, or to the named one', () => {
    const params = parseParams(['keep=1', 'tool-clearing.form=stub', 'foldArchived=false'], ['tool-clearing', 'vista']);
    expect(params.get('tool-clearing')).toEqual({ keep: 1, form: 'stub' });
    expect(params.get('vista')).toEqual({ foldArchived: false });
  });

  it('refuses what is no parameter, no value of it, or no policy, naming what there is', () => {
    expect(() => parseParams(['nope=1'], ['vista'])).toThrow(/vista: rho, target/);
    expect(() => parseParams(['vista.rho=2'], ['vista'])).toThrow(/≤ 1/);
    expect(() => parseParams(['rho'], ['vista'])).toThrow(/KEY=VALUE/);
    expect(() => runReplays(INPUT, { budgets: [1000], policies: ['nope'] }, countWords)).toThrow(/Known: recorded/);
    const options: ReplayOptions = { budgets: [1000], policies: ['recorded'], steps: [9, 12] };
    expect(() => json(options)).toThrow(/within 1 to 6/);
  });

  it('prints one row a policy and budget', () => {
    const runs = runReplays(INPUT, { budgets: [1400, 4000], policies: ['keep-everything', 'vista'] }, countWords);
    expect(replayCsv(runs).split('\r\n')).toHaveLength(5);
    expect(replayMarkdown(runs).split('\n')[2]).toContain('| keep-everything | 1400 | exact | 2681 |');
  });
});

it('renders one step for a provider', () => {
  const [run] = runReplays(INPUT, { budgets: [9000], policies: ['keep-everything'] }, countWords);
  const messages = messagesOf(BLOCKS);
  const source = { blocks: INPUT.blocks, facts: INPUT.facts, tools: [], message: (i: number) => messages[i]!, count: countWords };
  const body = JSON.parse(renderStepJson(run!.replays[0]!, 2, source, 'openai'));
  expect(body.messages.map((message: { role: string }) => message.role)).toEqual(['system', 'user', 'assistant', 'tool']);
  expect(body.messages[3].tool_call_id).toBe(body.messages[2].tool_calls[0].id);
  expect(() => renderStepJson(run!.replays[0]!, 7, source, 'openai')).toThrow(/between 1 and 6/);
});
