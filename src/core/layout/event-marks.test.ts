import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf } from '../../testing/workspace';
import type { TraceEvent } from '../trace/model';
import { replay } from '../workspace';
import { countEvents, eventTotalWords, placeEvents, stepEvents } from './event-marks';
import { fitView } from './time-scale';

const RUN = blocksOf('S 100, T 50, A 20, O 500 read, A 20, O 400 read, A 30, O 300 grep !, A 30, O 900 bash, A 10, O 200 bash, A 40, A 15');
const input = inputOf(RUN, [{ step: 7, sources: [3], lexeme: 'needle' }]);
const event = (kind: TraceEvent['kind'], label: string): TraceEvent => ({ kind, sourceKind: kind, thread: 't', afterRow: 0, label });

describe('events', () => {
  const archived = replay(input, { policy: 'auto-archive', budget: 1400 }, countWords);

  it('count the blocks of the ops they come from', () => {
    const counts = countEvents(stepEvents(archived, input.blocks, []));
    const ids = (names: string[]): number => archived.ops.filter(({ op }) => names.includes(op)).reduce((sum, op) => sum + Math.max(1, op.ids.length), 0);
    expect(counts.archive).toBe(ids(['archive', 'offload']));
    expect(counts.recover).toBe(ids(['recover', 'expand']));
    expect(counts.error).toBe(1);
    expect(counts.loss).toBeUndefined();
  });

  it('mark steps whose evidence is lost, and steps over the budget', () => {
    const truncated = replay(input, { policy: 'append-truncate', budget: 1000 }, countWords);
    const lost = [...truncated.steps.lostWeight].filter((weight) => weight > 0).length;
    expect(lost).toBeGreaterThan(0);
    expect(countEvents(stepEvents(truncated, input.blocks, [])).loss).toBe(lost);
    const kept = replay(input, { policy: 'keep-everything', budget: 600 }, countWords);
    const flags = stepEvents(kept, input.blocks, []).filter(({ kind }) => kind === 'overflow');
    expect(flags.map(({ step }) => step)).toEqual([[...kept.steps.mode].findIndex((mode) => mode !== 0) + 1]);
    expect(countEvents(flags).overflow).toBe([...kept.steps.mode].filter((mode, i) => mode !== 0 || kept.steps.infeasible[i] === 1).length);
  });

  it('are summed in words that say what was inferred', () => {
    expect(eventTotalWords('compaction', 1, 1)).toBe('1 compaction, inferred');
    expect(eventTotalWords('compaction', 3, 1)).toBe('3 compactions, 1 inferred');
    expect(eventTotalWords('compaction', 2, 0)).toBe('2 compactions');
    expect([eventTotalWords('overflow', 2, 0), eventTotalWords('overflow', 2, 0, true)]).toEqual(['2 steps over budget', '2 over budget']);
  });

  it('that the recorded manager folded from an inferred one are marked too; those of a policy are its own', () => {
    const told = { step: 4, event: { ...event('compaction', 'fell'), data: { inferred: true } } };
    const op = { step: 4, op: 'summarise' as const, actor: 'engine' as const, ids: [], reason: 'fell', tokensBefore: 2, tokensAfter: 1 };
    const marks = (policy: string) => stepEvents({ ...archived, policy, ops: [op] }, input.blocks, [told]).filter(({ kind }) => kind === 'compaction');
    expect(marks('recorded').map(({ inferred }) => inferred)).toEqual([true]);
    expect(marks('acm').map(({ inferred }) => inferred)).toEqual([undefined]);
  });

  it('take recorded compactions once, and recorded errors with their words', () => {
    const marks = stepEvents(archived, input.blocks, [{ step: 3, event: event('compaction', 'compacted') }, { step: 3, event: event('condensation', 'again') }, { step: 4, event: event('error', 'overloaded') }, { step: 4, event: event('model-change', 'x') }]);
    expect(marks.filter(({ kind }) => kind === 'compaction')).toEqual([{ step: 3, kind: 'compaction', count: 1, text: 'recorded: compacted' }]);
    expect(marks.filter(({ kind }) => kind === 'error').map(({ text }) => text)).toContain('overloaded');
    expect(marks.map(({ step }) => step)).toEqual([...marks.map(({ step }) => step)].sort((a, b) => a - b));
  });

  it('say which compactions no record states, and give them a glyph of their own', () => {
    const dropped = { ...event('compaction', 'fell by 70 %'), data: { inferred: true } };
    const marks = stepEvents(archived, input.blocks, [{ step: 3, event: dropped }]).filter(({ kind }) => kind === 'compaction');
    expect(marks).toEqual([{ step: 3, kind: 'compaction', count: 1, text: 'inferred, not recorded: fell by 70 %', inferred: true }]);
    const placed = placeEvents([{ step: 3, kind: 'compaction', count: 1, text: '' }, ...marks], { view: fitView(1000), left: 0, width: 300 }, 9);
    expect(placed.map(({ inferred }) => inferred === true)).toEqual([false, true]);
  });

  it('count what is too near to tell apart into one glyph', () => {
    const events = Array.from({ length: 1000 }, (_, i) => ({ step: i + 1, kind: 'archive' as const, count: 2, text: '' }));
    const placed = placeEvents(events, { view: fitView(1000), left: 0, width: 300 }, 9);
    expect(placed.length).toBeLessThanOrEqual(34);
    expect(placed.reduce((sum, mark) => sum + mark.count, 0)).toBe(2000);
    expect(placed[0]).toMatchObject({ firstStep: 1, step: 1 });
    placed.forEach((mark, i) => { if (i > 0) expect(mark.firstStep).toBe((placed[i - 1]?.lastStep ?? 0) + 1); });
  });
});
