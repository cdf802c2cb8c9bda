/** Claude Code's auto-compact: trigger by the window, choice the whole history but files just read, replacement a summary, no way back. */
import { Compactor } from './parts/compactor';
import { newestWithin } from './parts/newest';
import { names, summaryTokens, tokens } from './parts/parameters';
import { LOSSY_AGENT } from './parts/capabilities';
import { LOSSY } from './parts/shape';
import { listOf, numberOf, type PolicyDefinition } from './policy';

export const claudeCompact: PolicyDefinition = {
  ...LOSSY,
  capabilities: { ...LOSSY_AGENT, modelAgnostic: false },
  id: 'claude-compact',
  name: 'Claude Code compaction',
  explanation: 'At W − 20 000 − 13 000 tokens (about 83.5 % of 200 K) the whole history becomes a summary. The system prompt stays, and files read lately are there again: the newest results of the reading tools, up to a length. '
    + 'The recorded summary is used where the run has one.',
  source: 'Claude Code auto-compact, community notes (systems.md §5); how much of the files comes back is our guess',
  parameters: [
    tokens('trigger', 'Trigger', 'Compact above this many tokens.', 167_000, 200_000),
    tokens('fileTokens', 'Files kept', 'Newest results of reading tools that stay, together.', 25_000, 200_000, 0),
    names('fileTools', 'Reading tools', 'Whose results count as files.', 'Read, read, read_file, view'),
    summaryTokens(4000, 200_000),
  ],
  replayClass: 'stand-in',
  start: (setup) => {
    const { ws, parameters } = setup;
    const compactor = new Compactor(setup, { heading: '[This session continues an earlier conversation; summary:]', limit: numberOf(parameters, 'summaryTokens') });
    const trigger = numberOf(parameters, 'trigger');
    const tools = listOf(parameters, 'fileTools');
    return {
      act: () => {
        if (ws.size <= trigger) return;
        const files = newestWithin(ws, numberOf(parameters, 'fileTokens'), (tool) => tools.has(tool));
        compactor.compact(compactor.olderThan(ws.step - 1, files), { actor: 'policy', reason: `prompt above ${trigger} tokens: whole history compacted` });
      },
      replayClass: () => compactor.usedClass,
    };
  },
};
