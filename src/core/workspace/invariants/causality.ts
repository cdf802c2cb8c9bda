/** Invariants 6 and 7: the policy sees only the past; the fold is deterministic. */
import { graphOf } from '../block-graph';
import { cutInput } from '../cut';
import { advance, FoldedState, foldFromStart } from '../fold';
import { blockId } from '../kinds';
import { stateAt } from '../state-at';
import type { Op, Replay } from '../types';
import { holds, sameOp, stepWords, violated } from './sample';
import type { InvariantResult, InvariantSource } from './types';

/** Places at which the trajectory is cut: two replays each. */
const CUTS = 2;

export async function onlyThePast({ replay, input, again }: InvariantSource, pause: () => Promise<void>): Promise<InvariantResult> {
  const n = replay.steps.n;
  if (!replay.causal) return { ...holds(6, '', 'reference line: it looks at later calls, and says so'), verdict: 'exempt' };
  // Where the policy acts: a cut in a quiet stretch would prove little.
  const acting = [...new Set(replay.ops.filter(({ op, step }) => op !== 'admit' && step <= n).map(({ step }) => step))];
  const places = acting.length > 0 ? acting : Array.from({ length: n }, (_, i) => i + 1);
  const cuts = [...new Set(Array.from({ length: CUTS }, (_, k) => places[Math.floor(((k + 1) * (places.length - 1)) / CUTS)] ?? 1))];
  const checked = `cut before and after ${cuts.length === 1 ? 'call' : 'calls'} ${cuts.join(', ')}`;
  for (const step of cuts) {
    const upTo = (one: Replay): Op[] => one.ops.filter((op) => op.step <= step);
    const whole = upTo(replay);
    const before = upTo(await again(cutInput(input, step, false)));
    await pause();
    // What the engine reads back follows from the call: ops before it are the policy's own.
    const at = before.findIndex((op, k) => !sameOp(op, whole[k]));
    if (at >= 0) return violated(6, before[at]?.step ?? step, `${before[at]?.op ?? 'an op'} differs when the run ends before call ${step}`, checked);
    const after = upTo(await again(cutInput(input, step, true)));
    await pause();
    if (after.length !== whole.length || after.some((op, k) => !sameOp(op, whole[k]))) return violated(6, step, `the ops up to call ${step} differ when the run ends after it`, checked);
  }
  return n === 0 ? holds(6, 'no calls') : holds(6, checked);
}

export async function deterministic({ replay, input, again }: InvariantSource, steps: readonly number[]): Promise<InvariantResult> {
  const checked = `${stepWords(steps.length, replay.steps.n)}, one more replay`;
  const graph = graphOf(replay.blocks);
  const snapshot = FoldedState.empty(replay.blocks.n);
  for (const step of steps) {
    advance(replay, graph, snapshot, step);
    const fromStart = foldFromStart(replay, step);
    const { status, pinned } = stateAt(replay, step);
    for (let i = 0; i < replay.blocks.n; i++) {
      const states = [snapshot.status[i], fromStart.status[i], status[i]];
      if (states.some((state) => state !== states[0]) || snapshot.pinned[i] !== pinned[i] || fromStart.pinned[i] !== pinned[i]) return violated(7, step, `${blockId(i)} differs by the way its state is reached`, checked);
    }
  }
  const second = await again(input);
  if (second.ops.length !== replay.ops.length) return violated(7, 1, `a second replay made ${second.ops.length} ops instead of ${replay.ops.length}`, checked);
  const at = second.ops.findIndex((op, k) => !sameOp(op, replay.ops[k]));
  if (at >= 0) return violated(7, second.ops[at]?.step ?? 1, 'a second replay took another way', checked);
  const row = second.steps.contextTokens.findIndex((tokens, i) => tokens !== replay.steps.contextTokens[i]);
  return row >= 0 ? violated(7, row + 1, 'a second replay counted other tokens', checked) : holds(7, checked);
}
