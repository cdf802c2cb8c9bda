/**
 * Recursive Language Model, adapted: trigger each step, choice everything but the newest turns, replacement nothing (the
 * history is a variable with one line of metadata), way back reads of the variable.
 */
import { archive, isSpareCopy, NONE, offload, store, type By } from '../operations';
import { KIND } from '../kinds';
import type { BlockColumns } from '../block-columns';
import { amount, tokens, turns } from './parts/parameters';
import { RLM_PROTOCOL } from './parts/protocol-text';
import { LOSSLESS_BY_AGENT } from './parts/shape';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

const variableText = (_columns: BlockColumns, _items: readonly number[], _level: number, _checksum: string, first: string): string =>
  `[variable context: list of messages, its length is below; it begins "${first}"; read it with context[i][a:b] or llm_query over a slice]`;

class Rlm implements PolicyRun {
  private variable = NONE;
  private arrived: number[] = [];

  constructor(private readonly setup: PolicySetup) {}

  admitted(items: readonly number[]): void {
    this.arrived.push(...items);
  }

  act(): void {
    const { ws, parameters } = this.setup;
    this.truncate(numberOf(parameters, 'output'), numberOf(parameters, 'shown'));
    const by: By = { actor: 'policy', reason: 'into the variable' };
    const old: number[] = [];
    for (let slot = ws.stream.head; slot >= 0; ) {
      const next = ws.stream.after(slot);
      const item = ws.stream.at(slot);
      if (ws.columns.bornStep.get(slot) > ws.step - numberOf(parameters, 'recent') || ws.columns.bornStep.get(slot) >= ws.step) break;
      if (item !== this.variable && ws.isFree(item) && !ws.isFresh(item)) {
        if (isSpareCopy(ws, item)) offload(ws, item, { actor: 'policy', reason: 'a slice that was read is done with' });
        else old.push(item);
      }
      slot = next;
    }
    if (old.length === 0) return;
    if (this.variable === NONE || !ws.isVisible(this.variable)) this.variable = archive(ws, old, by, undefined, variableText);
    else store(ws, old, by);
  }

  /** Of a long output the prompt holds the beginning; the rest is in the variable from the start. */
  private truncate(most: number, shown: number): void {
    const { ws } = this.setup;
    for (const item of this.arrived.splice(0)) {
      if (ws.columns.kind.get(item) !== KIND.tool_result || ws.columns.tokens.get(item) <= most || !ws.isFree(item)) continue;
      const base = ws.columns.base.get(item);
      const text = `${(ws.columns.table.head[base] ?? '').slice(0, shown)}\n[output of ${ws.columns.table.chars[base] ?? 0} characters cut; all of it is in context]`;
      if (ws.setup.count(text) < ws.columns.tokens.get(item)) offload(ws, item, { actor: 'policy', reason: `output above ${most} tokens cut` }, text);
    }
  }
}

export const rlm: PolicyDefinition = {
  ...LOSSLESS_BY_AGENT,
  id: 'rlm',
  name: 'Recursive Language Model (adapted)',
  explanation: 'The history is a variable that the model reads with code: the prompt holds its metadata, the newest outputs and the beginning of long ones; what an action uses is read back as a slice. The original has no conversation thread, so this is an adaptation. '
    + 'Of a cut output we know the first 240 characters, where the original shows 20 000.',
  source: 'RLM arXiv 2512.24601 (systems.md §4.2)',
  parameters: [
    turns('recent', 'Newest turns', 'Turns whose messages stay in the prompt.', 1),
    tokens('output', 'Output limit', 'Longer outputs are cut (20 000 characters).', 5000, 272_000),
    amount('shown', 'Shown of them', 'Characters of a cut output that stay.', 240, 'characters'),
  ],
  replayClass: 'stand-in',
  dashboard: () => ({ kind: 'acm-stats', foldArchived: true }),
  protocol: () => RLM_PROTOCOL,
  start: (setup) => new Rlm(setup),
};
