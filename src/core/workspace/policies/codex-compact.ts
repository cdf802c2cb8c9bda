/** Codex's compaction: trigger a share of the window, choice all but the newest user messages, replacement a handoff summary, no way back. */
import { Compactor } from './parts/compactor';
import { newestUsers } from './parts/newest';
import { share, summaryTokens, tokens } from './parts/parameters';
import { LOSSY } from './parts/shape';
import { numberOf, type PolicyDefinition } from './policy';

export const codexCompact: PolicyDefinition = {
  ...LOSSY,
  id: 'codex-compact',
  name: 'Codex compaction',
  explanation: 'At 90 % of the window everything becomes a handoff summary; the initial context stays, and the user\'s messages, newest first, up to 20 000 tokens. The recorded summary is used where the run has one.',
  source: 'openai/codex compact.rs (systems.md §5); window 272 000',
  parameters: [
    share('trigger', 'Trigger', 'Compact above this share of B.', 0.9),
    tokens('userTokens', 'User messages kept', 'Newest user messages that stay, together.', 20_000, 272_000, 0),
    summaryTokens(4000, 272_000),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[Handoff summary of the work of another instance]', limit: numberOf(parameters, 'summaryTokens') });
    const most = numberOf(parameters, 'trigger') * ws.budget;
    return {
      act: () => {
        if (ws.size <= most) return;
        const users = newestUsers(ws, numberOf(parameters, 'userTokens'));
        compactor.compact(compactor.olderThan(ws.step - 1, users), { actor: 'policy', reason: 'context above its share of the window: handoff summary' });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
