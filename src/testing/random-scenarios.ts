/** Random scenarios: names of blocks that exist, that do not yet, that other operations or the engine make. */
import fc from 'fast-check';
import { SCENARIO_OPS, type ScenarioOp } from '../core/workspace/scenario/types';
import type { RandomRun } from './random-runs';

interface Pick { kind: 'base' | 'op' | 'engine'; n: number }
const pick: fc.Arbitrary<Pick> = fc.record({ kind: fc.constantFrom('base', 'base', 'base', 'op', 'op', 'engine'), n: fc.nat(60) });
const words = fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('', 'plan', '"] label', 'two\nlines', '\u0000\u2028', '👩‍👩‍👧'));

/** Operations in step order; those of one step as they come. */
export const randomScenario = (maxOps = 14, maxStep = 12): fc.Arbitrary<ScenarioOp[]> =>
  fc.array(fc.record({
    step: fc.integer({ min: 1, max: maxStep }), op: fc.constantFrom(...SCENARIO_OPS, 'archive' as const), picks: fc.array(pick, { minLength: 1, maxLength: 4 }),
    label: fc.option(fc.constantFrom('one', 'two', 'three'), { nil: undefined }), summary: fc.option(words, { nil: undefined }), cascade: fc.option(fc.boolean(), { nil: undefined }), byLabel: fc.boolean(),
  }), { maxLength: maxOps }).map((drafts) =>
    drafts.map((draft, k) => ({ ...draft, id: `a${k + 1}` })).sort((a, b) => a.step - b.step).map(({ id, step, op, picks, label, summary, cascade, byLabel }, _k, all): ScenarioOp => {
      const name = ({ kind, n }: Pick): string => {
        if (kind === 'base') return `base:${n}`;
        return kind === 'op' ? `op:${all[n % all.length]?.id ?? 'a1'}` : `engine:placeholder@${1 + (n % 8)}:${n}`;
      };
      const asks = op === 'recover' && byLabel && label !== undefined;
      return {
        id, step, op, blocks: asks ? [] : picks.map(name), ...(label !== undefined && (op === 'archive' || asks) ? { label } : {}),
        ...(summary === undefined || op !== 'archive' ? {} : { summary }), ...(cascade === undefined ? {} : { cascade }),
      };
    }));

const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

/** The same moved onto a run, so that most operations find something: steps of the run or the one after, blocks that are there, archives made before. */
export function placedOn(run: RandomRun, scenario: readonly ScenarioOp[]): ScenarioOp[] {
  const steps = run.blocks.filter(({ kind }) => kind === 'assistant').length;
  const placed = scenario.map((op) => ({ ...op, step: op.step > 11 ? steps + 1 : 1 + (op.step % Math.max(1, steps)) })).sort((a, b) => a.step - b.step);
  return placed.map((op, k) => {
    const there = run.blocks.flatMap(({ born }, base) => (born <= op.step && base > 1 ? [base] : []));
    const archives = placed.slice(0, k).filter((before) => before.op === 'archive').map(({ id }) => id);
    const blocks = op.blocks.slice(0, op.step % 2 === 0 ? 1 : 3).map((name) => {
      const n = numberIn(name);
      if (n % 9 === 0) return name;
      if (name.startsWith('op:') && archives.length > 0) return `op:${archives[n % archives.length] ?? 'a1'}`;
      return there.length === 0 ? name : `base:${there[n % there.length] ?? 0}`;
    });
    return { ...op, blocks };
  });
}
