import { describe, expect, it } from 'vitest';
import { lineOf, replayOf } from '../../testing/line';
import { evidenceRows } from './evidence-rows';

const LINE = lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash, A 5, O 30 read, A 5', [
  { step: 2, sources: [3], weight: 2, lexeme: 'src/a.ts' },
  { step: 4, sources: [3, 5], weight: 3, lexeme: 'E1234' },
  { step: 4, sources: [1], weight: 9, lexeme: 'goal', prompt: true },
]);

describe('evidence of a step', () => {
  it('everything is visible where nothing leaves', () => {
    const replay = replayOf(LINE, { policy: 'keep-everything', budget: 10_000 });
    const rows = evidenceRows(LINE, replay, 4);
    expect(rows.map(({ lexeme, availability, inPrompt }) => [lexeme, availability, inPrompt])).toEqual([['E1234', 'visible', false], ['goal', 'visible', true]]);
    expect(rows[0]?.sources.map(({ id }) => id)).toEqual(['B4', 'B6']);
  });

  it('adds up to what the replay says, at every step and budget', () => {
    for (const budget of [200, 400, 700, 900, 10_000]) {
      const replay = replayOf(LINE, { policy: 'auto-archive', budget });
      for (let step = 1; step <= replay.steps.n; step++) {
        const sums = { visible: 0, recoverable: 0, lost: 0 };
        for (const demand of evidenceRows(LINE, replay, step)) if (!demand.inPrompt) sums[demand.availability] += demand.weight;
        expect({ budget, step, ...sums }).toEqual({
          budget, step, visible: replay.steps.visibleWeight[step - 1], recoverable: replay.steps.recoverableWeight[step - 1], lost: replay.steps.lostWeight[step - 1],
        });
      }
    }
  });
});
