/** C_t as a provider would receive it (cli.md `--render`, interface.md "Prompt"). Texts come from the source bytes. */
import { TOKENS_ONCE, type LineFacts } from '../trace/blocks-types';
import type { ToolSchema } from '../trace/model';
import { dashboardText } from './dashboard-text';
import { blockId, KIND } from './kinds';
import { PieceCounter } from './pieces';
import { ensurePolicy } from './policies';
import { anthropicBody } from './render-anthropic';
import { openAiBody } from './render-openai';
import { entriesOf, type Entry, type RenderSource } from './render-rows';
import { forEachLeaf, graphOf, isStripped } from './block-graph';
import { stateAt } from './state-at';
import type { RenderedPrompt, RenderTarget, Replay } from './types';

export interface PromptSource extends Omit<RenderSource, 'countsReasoning' | 'showsIds'> {
  facts: LineFacts;
  tools: readonly ToolSchema[];
  count: (text: string) => number;
}

/** What both protocols are made from. */
export interface PromptParts {
  entries: Entry[];
  /** Protocol text of the policy; '' = none. Goes into the system prompt. */
  protocol: string;
  dashboard: string;
  tools: readonly ToolSchema[];
}

/** Positions of the messages whose text `renderPrompt` will ask for, ascending. */
export function neededMessages(replay: Replay, step: number, messageIndex: ArrayLike<number>): number[] {
  const { blocks } = replay;
  const graph = graphOf(blocks);
  const needed = new Set<number>();
  const add = (item: number): void => {
    const base = blocks.base[item] ?? -1;
    if (base >= 0) needed.add(messageIndex[base] ?? 0);
  };
  const state = stateAt(replay, step);
  for (const item of state.visible) {
    add(item);
    // Which call a result answered is said in its message, also when a stand-in is shown in its place.
    const count = graph.memberCount(item);
    if (blocks.kind[item] === KIND.recovered) forEachLeaf(graph, count > 0 ? item : (blocks.parent[item] ?? item), add);
    else if (isStripped(blocks.kind[item] ?? 0, blocks.base[item] ?? 0)) add(graph.member(item, 0));
    else if (count === 1) forEachLeaf(graph, item, add);
  }
  for (let item = 0; item < blocks.n; item++) {
    if (blocks.kind[item] === KIND.tool_result && state.status[item] !== 0 && needed.has(messageIndex[blocks.base[blocks.parent[item] ?? -1] ?? -1] ?? -1)) add(item);
  }
  return [...needed].sort((a, b) => a - b);
}

/** Throws nothing for a step of the replay (from 1); `source.message` must know `neededMessages`. */
export function renderPrompt(replay: Replay, step: number, source: PromptSource, as: RenderTarget): RenderedPrompt {
  const state = stateAt(replay, step);
  const pieces = new PieceCounter(source.count);
  const policy = ensurePolicy(replay.policy);
  const view = { blocks: source.blocks, message: source.message, countsReasoning: source.facts.countsReasoning, showsIds: policy.showsIds ?? false };
  const entries = entriesOf(replay, state, view, pieces);
  const protocol = policy.protocol?.(replay.params, replay.budget);
  const parts: PromptParts = {
    entries, protocol: protocol?.text ?? '', dashboard: dashboardText(replay, state), tools: [...source.tools, ...(protocol?.tools ?? [])],
  };
  return { as, body: as === 'openai' ? openAiBody(parts) : anthropicBody(parts), rows: rowsOf(replay, step, source.facts, parts) };
}

function rowsOf(replay: Replay, step: number, facts: LineFacts, parts: PromptParts): RenderedPrompt['rows'] {
  const cached = replay.steps.cachedTokens[step - 1] ?? 0;
  let before = 0;
  const rows: RenderedPrompt['rows'] = [];
  const add = (row: Omit<RenderedPrompt['rows'][number], 'cached'>, inPrefix = row.tokens): void => {
    before += inPrefix;
    rows.push({ ...row, cached: before <= cached });
  };
  const fixed = [...parts.tools.map((tool) => tool.json), parts.protocol].filter((text) => text !== '').join('\n');
  const fixedTokens = facts.toolSchemaTokens + replay.protocolTokens;
  // The overhead once a request is no part of any prefix.
  add({ role: 'system', blocks: [], tokens: fixedTokens + TOKENS_ONCE, text: fixed, kind: 'tools' }, fixedTokens);
  for (const entry of parts.entries) {
    const calls = entry.calls.map((call) => `${call.name} ${call.args}`);
    const role = entry.form === 'call' ? 'assistant' : entry.form === 'result' ? 'tool' : entry.form;
    const text = [entry.reasoning, entry.text, ...calls].filter((words) => words !== '').join('\n');
    add({ role, blocks: [blockId(entry.item)], tokens: entry.tokens, text, kind: entry.kind });
  }
  const dashboard = replay.steps.dashboardTokens[step - 1] ?? 0;
  if (dashboard > 0) rows.push({ role: 'user', blocks: [], tokens: dashboard, cached: false, text: parts.dashboard, kind: 'dashboard' });
  return rows;
}
