import { describe, expect, it } from 'vitest';
import { blocksOf, countWords, inputOf, messagesOf, type TestBlock } from '../../testing/workspace';
import { kindOfLexeme, lossAt, lossMessages, removingOps } from './loss';
import { replay } from './replay';
import { STRIP_EVENT, summarise } from './summary';

/** Four reads; the first holds strings that nothing later repeats but one. */
function blocks(): TestBlock[] {
  const made = blocksOf('S 10, T 10, A 5, O 300 read, A 5, O 300 read, A 5, O 300 read, A 5');
  made[3]!.text = 'src/only-here.ts line 4471\nTypeError: cannot read x of undefined\nsee https://example.org/a and shared_name';
  made[5]!.text = 'here is shared_name again';
  return made;
}
const source = (made: readonly TestBlock[]) => {
  const messages = messagesOf(made);
  return (position: number) => messages[position]!;
};

describe('loss inspector', () => {
  it('says what of the removed block can be read nowhere else', () => {
    const made = blocks();
    const input = inputOf(made, [{ step: 4, sources: [3], weight: 2, lexeme: 'src/only-here.ts' }]);
    const run = replay(input, { policy: 'append-truncate', budget: 700 }, countWords);
    const step = run.ops.find(({ op }) => op === 'trim')!.step;
    const reports = lossAt(run, step, input.blocks, input.evidence, source(made));
    expect(reports).toHaveLength(removingOps(run, step).length);
    const items = reports.flatMap((report) => report.items);
    expect(items.find(({ text }) => text === 'src/only-here.ts')).toMatchObject({ kind: 'path', base: 3, recoverable: false, neededAt: 4 });
    expect(items[0]!.text).toBe('src/only-here.ts');
    expect(items.map(({ kind, text }) => `${kind} ${text}`)).toEqual(expect.arrayContaining(['number 4471', 'url https://example.org/a', 'error TypeError: cannot read x of undefined']));
    expect(items.some(({ text }) => text === 'shared_name')).toBe(false);
    expect(reports.reduce((sum, report) => sum + report.stillThere, 0)).toBeGreaterThan(0);
  });

  it('a lossless archive hides, it does not lose', () => {
    const made = blocks();
    const input = inputOf(made);
    const run = replay(input, { policy: 'auto-archive', budget: 700 }, countWords);
    const step = run.ops.find(({ op }) => op === 'offload' || op === 'archive')!.step;
    const items = lossAt(run, step, input.blocks, input.evidence, source(made)).flatMap((report) => report.items);
    expect(items.length).toBeGreaterThan(0);
    expect(items.every(({ recoverable }) => recoverable)).toBe(true);
  });

  it('asks for no message where nothing went', () => {
    const made = blocks();
    const input = inputOf(made);
    const run = replay(input, { policy: 'keep-everything', budget: 700 }, countWords);
    for (let step = 0; step <= run.steps.n + 1; step++) expect(lossMessages(run, step, input.blocks.messageIndex)).toEqual([]);
    expect(lossAt(run, 2, input.blocks, input.evidence, () => { throw new Error('asked'); })).toEqual([]);
  });

  it.each([
    ['https://a.b/c', 'url'], ['src/a.ts', 'path'], ['main.py', 'path'], ['process.argv', 'identifier'], ['4471', 'number'], ['ENOENT', 'error'], ['ValueError', 'error'], ['snake_case', 'identifier'], ['two words', 'literal'],
  ])('%s is a %s', (lexeme, kind) => expect(kindOfLexeme(lexeme)).toBe(kind));
});

describe('summary of a replay', () => {
  it('marks the steps where something left, came back or was missing, and sums the dashboard', () => {
    const input = inputOf(blocks(), [{ step: 4, sources: [3], weight: 2, lexeme: 'src/only-here.ts' }]);
    for (const policy of ['append-truncate', 'auto-archive', 'vista']) {
      const run = replay(input, { policy, budget: 700 }, countWords);
      const { strip, dashboardTokens, totals } = summarise(run, true);
      const steps = (bit: number): number[] => [...strip!.events].flatMap((events, i) => (events & bit ? [i + 1] : []));
      expect(steps(STRIP_EVENT.lost)).toEqual([...run.steps.lostWeight].flatMap((weight, i) => (weight > 0 ? [i + 1] : [])));
      expect(steps(STRIP_EVENT.back)).toEqual([...new Set(run.ops.filter(({ op }) => op === 'recover' || op === 'expand').map(({ step }) => step))]);
      expect(strip!.contextTokens.reduce((a, b) => a + b, 0)).toBe(totals.trajectoryTokens);
      expect(dashboardTokens).toBe(run.steps.dashboardTokens.reduce((a, b) => a + b, 0));
      expect(summarise(run, false).strip).toBeNull();
    }
  });
});
