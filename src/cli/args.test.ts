import { describe, expect, it } from 'vitest';
import { parseBudgets, parseCommand } from './args';

describe('arguments', () => {
  it('reads budgets in tokens, thousands and millions', () => {
    expect(parseBudgets('8000, 16k,1.5k,1m,32_000,1e12')).toEqual([8000, 16_000, 1500, 1_000_000, 32_000, 1e12]);
  });

  it.each(['', 'x', '-5', '0', '8kk'])('refuses %j as a budget', (text) => {
    expect(() => parseBudgets(text)).toThrow(/budget|token/);
  });

  it('refuses an unknown option and a number that is none', () => {
    expect(() => parseCommand(['--nope'], {})).toThrow(/nope/);
    const args = parseCommand(['run.jsonl', '--step', '1.5'], { step: { type: 'string' } });
    expect(args.positionals).toEqual(['run.jsonl']);
    expect(() => args.integer('step', 1)).toThrow(/whole number of at least 1/);
  });
});
