/** Every policy over real sample files: budgets hold, prompts are valid in both protocols, rows add up, nothing is lost that can be read back. */
import { describe, expect, it } from 'vitest';
import { loadTokenCounter } from '../core/tokens/counter';
import { threadOf } from '../core/trace/line';
import { analyseRecordedLine } from '../core/workspace/analyse';
import { ensurePolicy, listPolicies } from '../core/workspace/policies';
import { renderPrompt, type PromptSource } from '../core/workspace/render';
import { foldFromStart } from '../core/workspace/fold';
import { replay } from '../core/workspace/replay';
import { stateAt } from '../core/workspace/state-at';
import { validateAnthropic } from '../core/workspace/validate-anthropic';
import { validateOpenAi } from '../core/workspace/validate-openai';
import { hasShared, sharedPath } from '../testing/shared';
import { parseCommand } from './args';
import { LINE_OPTIONS, loadLine, readAll } from './load-line';

const SAMPLES = [
  'claude-code/opus-4-6-envoy-task-todos.jsonl',
  'claude-code/sidechains-in-file-v1.0.108.jsonl',
  'claude-code/compact-boundary-hooks-v2.1.37.jsonl',
  'swe-agent/marshmallow-1867-function-calling.traj',
  'mini-swe-agent/astroid-1333-v1.1-188-calls.traj.json',
  'mini-swe-agent/github-issue-v0-list.traj.json',
  'openai-chat/reason-tool-use-50.jsonl',
  'anthropic-messages/web-search.json',
  'anthropic-messages/code-execution-pptx-skill.json',
  'anthropic-messages/compaction.json',
  'pi/large-session.jsonl',
];

describe.skipIf(!hasShared).each(SAMPLES)('%s', (sample) => {
  it('replays under every policy', async () => {
    const counter = await loadTokenCounter('o200k_base');
    const loaded = await loadLine(parseCommand([sharedPath('trajectories', sample)], LINE_OPTIONS));
    const analysis = await analyseRecordedLine(loaded.reader, loaded.trajectory, loaded.line, counter);
    const messages = await readAll(loaded);
    const count = (text: string): number => counter.count(text);
    const { blocks, facts, evidence, recorded } = analysis;
    const source: PromptSource = { blocks, facts, tools: threadOf(loaded.trajectory, loaded.line.thread).tools, message: (i) => messages[i]!, count };
    const whole = replay({ blocks, facts, evidence, recorded }, { policy: 'keep-everything', budget: 1 }, count);
    for (const { id } of listPolicies()) {
      const policy = ensurePolicy(id);
      for (const share of [0.15, 0.5]) {
        const budget = Math.max(2000, Math.round(whole.totals.peakContext * share));
        const result = replay({ blocks, facts, evidence, recorded }, { policy: id, budget }, count);
        const every = Math.max(1, Math.floor(facts.steps / 8));
        for (let t = 1; t <= facts.steps; t++) {
          const tokens = result.steps.contextTokens[t - 1] ?? 0;
          if (policy.bound && result.steps.infeasible[t - 1] === 0) expect(tokens).toBeLessThanOrEqual(budget);
          if (t % every !== 0) continue;
          const prompt = renderPrompt(result, t, source, 'openai');
          expect(validateOpenAi(prompt.body), `${id} at ${t}`).toEqual([]);
          expect(validateAnthropic(renderPrompt(result, t, source, 'anthropic').body), `${id} at ${t}`).toEqual([]);
          expect(prompt.rows.reduce((sum, row) => sum + row.tokens, 0), `${id} at ${t}`).toBe(tokens);
          expect(foldFromStart(result, t)).toEqual(stateAt(result, t));
        }
        if (policy.recovers) expect(result.totals.evidenceLost).toBe(0);
      }
    }
  });
});
