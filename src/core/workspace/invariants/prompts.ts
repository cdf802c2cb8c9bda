/** Invariants 4 and 5: prompts are valid and add up; order, ids and pins are kept. */
import { blockId, blockIndex } from '../kinds';
import { renderPrompt } from '../render';
import { rememberedSlots, stateAt } from '../state-at';
import type { Op, Replay } from '../types';
import { validateAnthropic } from '../validate-anthropic';
import { validateOpenAi } from '../validate-openai';
import { holds, SAMPLE_STEPS, sampledSteps, stepWords, violated } from './sample';
import type { InvariantResult, InvariantSource } from './types';

export async function prompts(source: InvariantSource, steps: readonly number[], pause: () => Promise<void>): Promise<InvariantResult> {
  const { replay, input, tools, count } = source;
  const checked = stepWords(steps.length, replay.steps.n);
  for (const step of steps) {
    const message = await source.messagesAt(step);
    const from = { blocks: input.blocks, facts: input.facts, tools, count, message };
    const openai = renderPrompt(replay, step, from, 'openai');
    const problem = validateOpenAi(openai.body).map((text) => `OpenAI: ${text}`)[0] ?? validateAnthropic(renderPrompt(replay, step, from, 'anthropic').body).map((text) => `Anthropic: ${text}`)[0];
    if (problem !== undefined) return violated(4, step, problem, checked);
    const rows = openai.rows.reduce((sum, row) => sum + row.tokens, 0);
    if (rows !== replay.steps.contextTokens[step - 1]) return violated(4, step, `rows sum to ${rows} tokens, the step says ${replay.steps.contextTokens[step - 1]}`, checked);
    const shown = new Set(openai.rows.flatMap((row) => row.blocks));
    const missing = [...stateAt(replay, step).visible].find((item) => !shown.has(blockId(item)));
    if (missing !== undefined) return violated(4, step, `${blockId(missing)} is visible and not in the prompt`, checked);
    await pause();
  }
  return holds(4, checked);
}

/** Ops that may name a pinned block. */
const HARMLESS: ReadonlySet<Op['op']> = new Set<Op['op']>(['admit', 'note', 'pin', 'unpin', 'recover']);

export function orderAndPins(replay: Replay): InvariantResult {
  const { ops, blocks, steps } = replay;
  const checked = `${ops.length} ops, ${blocks.n} ids`;
  const pinned = new Set<string>();
  let admitted = -1;
  for (const { op, ids, step, result } of ops) {
    if (op === 'pin') ids.forEach((id) => pinned.add(id));
    else if (op === 'unpin') ids.forEach((id) => pinned.delete(id));
    else if (!HARMLESS.has(op)) {
      const touched = ids.find((id) => pinned.has(id));
      if (touched !== undefined) return violated(5, step, `${op} took ${touched}, which is pinned`, checked);
    }
    for (const id of ids) {
      const item = blockIndex(id);
      if (item < 0 || item >= blocks.n) return violated(5, step, `${op} names ${id}, which never existed`, checked);
      if ((blocks.bornStep[item] ?? 0) > step) return violated(5, step, `${op} names ${id}, which comes later`, checked);
    }
    if (op === 'admit') for (const id of ids) {
      if (blockIndex(id) <= admitted) return violated(5, step, `${id} is admitted after ${blockId(admitted)}`, checked);
      admitted = blockIndex(id);
    }
    if (result !== undefined && (blocks.bornStep[blockIndex(result)] ?? 0) > step) return violated(5, step, `${op} made ${result}, which comes later`, checked);
  }
  const slots = rememberedSlots(blocks);
  for (const step of sampledSteps(replay, SAMPLE_STEPS)) {
    const { visible } = stateAt(replay, step);
    for (let k = 1; k < visible.length; k++) {
      if ((slots[visible[k - 1] ?? 0] ?? 0) >= (slots[visible[k] ?? 0] ?? 0)) return violated(5, step, `${blockId(visible[k] ?? 0)} stands out of order`, checked);
    }
    const recorded = [...visible].filter((item) => (blocks.base[item] ?? -1) >= 0);
    if (recorded.some((item, k) => k > 0 && (blocks.base[item] ?? 0) < (blocks.base[recorded[k - 1] ?? 0] ?? 0))) return violated(5, step, 'recorded blocks stand out of order', checked);
  }
  return holds(5, `${checked}, order at ${stepWords(Math.min(SAMPLE_STEPS, steps.n), steps.n)}`);
}
