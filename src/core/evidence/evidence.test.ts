import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { BlockTableBuilder } from '../trace/blocks';
import { isStep } from '../trace/blocks-facts';
import type { Message } from '../trace/model';
import { EvidenceBuilder, isInformative } from './evidence-builder';
import { demandsOfStep, usersOfBlock } from './lineage';
import type { EvidenceIndex } from './types';

function evidenceOf(messages: readonly Message[]): EvidenceIndex {
  const blocks = new BlockTableBuilder({ countsReasoning: true, encoding: 'o200k_base' });
  const evidence = new EvidenceBuilder();
  for (const message of messages) blocks.add(message, (block) => evidence.add(block));
  return evidence.finish(messages.filter(isStep).length);
}
const brief = (index: EvidenceIndex, step: number) => demandsOfStep(index, step).map((d) => [d.lexeme, d.sources.map((s) => `${s.block}${s.echo ? 'e' : ''}`).join(' '), d.inPrompt]);

describe('evidence index', () => {
  // Blocks: 0 task, 1 answer, 2 result, 3 answer, 4 result, 5 answer, 6 result, 7 answer.
  const index = evidenceOf(parseTrace(`
    user: Fix the crash in load_config please
    call t1 grep {"pattern":"load_config"}
    result t1: src/config/loader.ts:41 and tests/helper.ts
    call t2 read {"path":"src/config/loader.ts"}
    result t2: throws ENOTDIR at 8713
    call t3 read {"path":"src/config/loader.ts","offset":41}
    result t3: nothing
    assistant: It was ENOTDIR, code 8713.
  `));

  it('lists what each call repeated, from whom, and who only echoed', () => {
    expect(brief(index, 1)).toEqual([['load_config', '0', true]]);
    expect(brief(index, 2)).toEqual([['src/config/loader.ts', '2', false]]);
    // Block 3 repeated block 2's path.
    expect(brief(index, 3)).toEqual([['src/config/loader.ts', '2 3e', false]]);
    expect(brief(index, 4)).toEqual([['ENOTDIR', '4', false], ['8713', '4', false]]);
  });

  it('weighs by ln(n / df)', () => {
    expect(demandsOfStep(index, 2)[0]).toMatchObject({ weight: Math.log(3 / 1), df: 1 });
    expect(demandsOfStep(index, 3)[0]).toMatchObject({ weight: Math.log(5 / 2), df: 2 });
    expect(demandsOfStep(index, 4)[1]!.weight).toBeCloseTo(Math.log(7), 15);
  });

  it('knows when each block was used last, and how often; echoes are no use', () => {
    expect([...index.lastUse]).toEqual([1, 0, 3, 0, 4, 0, 0, 0]);
    expect([...index.uses]).toEqual([1, 0, 2, 0, 1, 0, 0, 0]);
    expect(usersOfBlock(index, 2)).toEqual([
      { step: 2, weight: Math.log(3), lexemes: ['src/config/loader.ts'] },
      { step: 3, weight: Math.log(5 / 2), lexemes: ['src/config/loader.ts'] },
    ]);
    expect(usersOfBlock(index, 3)).toEqual([]);
  });

  it('counts what the prompt has for the prompt alone', () => {
    const both = evidenceOf(parseTrace(`
      user: look at data_file.csv
      call a ls {}
      result a: data_file.csv
      call b read {"path":"data_file.csv"}
    `));
    expect(brief(both, 2)).toEqual([['data_file.csv', '0 2', true]]);
    expect([...both.uses]).toEqual([1, 0, 0, 0]);
    expect([...both.isPrompt]).toEqual([1, 0, 0, 0]);
  });

  it('takes the parts of a compound only where nobody had the whole', () => {
    const parts = evidenceOf(parseTrace(`
      user: go
      call a ls {}
      result a: app_main.ts
      call b read {"path":"/repo/src/app_main.ts"}
    `));
    expect(brief(parts, 2)).toEqual([['app_main.ts', '2', false]]);
  });

  it('reads decoded arguments, fenced calls in their text, whole values as literals, and no keys', () => {
    const decoded = evidenceOf(parseTrace(`
      user: go
      call a ls {}
      result a: he said "two words" to my_key_name
      call b write {"my_key_name":"two words","n":[{"x":"a\\\\nb_c_d"}]}
      result b: b_c_d
      call c write {"t":"x\\\\nb_c_d"}
    `));
    expect(brief(decoded, 2)).toEqual([['two words', '2', false]]);
    expect(brief(decoded, 3)).toEqual([['b_c_d', '3 4', false]]);
    // The answer made it up, so it is a source of its own and the result after it too.
    expect(demandsOfStep(decoded, 3)[0]!.sources.every((s) => !s.echo)).toBe(true);
  });

  it('joins copied lines into one run, through line numbers', () => {
    const a = 'const first = computeTheFirstThing(input);';
    const b = 'const second = computeTheSecondThing(first);';
    const copied = evidenceOf(parseTrace(`
      user: go
      call t read {"f":"x"}
      result t:    1\\t${a}\\n    2\\t\\n    3\\t${b}
      call e edit {"old":"  ${a}\\\\n\\\\n  ${b}"}
    `));
    expect(demandsOfStep(copied, 2).filter((d) => d.lexeme.startsWith('const'))).toEqual([
      { lexeme: `${a}\n\n  ${b}`, weight: Math.log(3), df: 1, inPrompt: false, sources: [{ block: 2, echo: false }] },
    ]);
  });

  it('demands a copied line that is a literal too only once', () => {
    const copied = evidenceOf(parseTrace(`
      user: go
      call t ls {}
      result t: packages/coding-agent/src/theme/theme.ts
      call e read {"path":"packages/coding-agent/src/theme/theme.ts"}
    `));
    expect(brief(copied, 2)).toEqual([['packages/coding-agent/src/theme/theme.ts', '2', false]]);
  });

  it('leaves out what stands everywhere', () => {
    expect([isInformative(3, 5), isInformative(4, 5), isInformative(10, 100), isInformative(11, 100)]).toEqual([true, false, true, false]);
    const everywhere = evidenceOf(parseTrace(`user: go\n${Array.from({ length: 4 }, (_, i) => `call t${i} ls {}\nresult t${i}: same_name again`).join('\n')}\ncall z read {"p":"same_name"}`));
    expect(brief(everywhere, 5)).toEqual([]);
  });

  it('keeps the first and the newest sources of a lexeme in very many blocks', () => {
    const many = Array.from({ length: 1000 }, (_, i) => `result r${i}: ${i % 11 === 0 ? 'shared_name' : 'x'}`);
    const demand = demandsOfStep(evidenceOf(parseTrace(`${many.join('\n')}\ncall z read {"p":"shared_name"}`)), 1)[0]!;
    expect(demand.df).toBe(91);
    expect(demand.sources.map((s) => s.block)).toEqual([0, ...Array.from({ length: 63 }, (_, k) => (28 + k) * 11)]);
  });
});

describe('any line', () => {
  const name = fc.constantFrom('alpha_one', 'src/beta.ts', '/etc/gamma.conf', '48151', 'deltaCase', 'plain');
  const line = fc.oneof(
    name.map((n) => `result r: found ${n}`),
    fc.tuple(name, name).map(([a, b]) => `call c read {"p":"${a}","q":"${b}"}`),
    name.map((n) => `user: try ${n}`),
    name.map((n) => `assistant: about ${n}`),
    fc.constant('---'),
  );
  const lines = fc.array(line, { minLength: 1, maxLength: 40 }).map((l) => l.join('\n'));

  it('has the same demands whatever comes later, and the same index each time', () => {
    fc.assert(fc.property(lines, fc.nat(40), (notation, at) => {
      const messages = parseTrace(notation);
      const whole = evidenceOf(messages);
      expect(evidenceOf(messages)).toEqual(whole);
      const part = evidenceOf(messages.slice(0, at));
      for (let step = 1; step <= part.steps; step++) expect(demandsOfStep(part, step)).toEqual(demandsOfStep(whole, step));
    }));
  });

  it('points only at earlier blocks, with one row a step', () => {
    fc.assert(fc.property(lines, (notation) => {
      const messages = parseTrace(notation);
      const index = evidenceOf(messages);
      expect(index.demandStart.length).toBe(index.steps + 1);
      expect(index.sourceStart.length).toBe(index.demandLexeme.length + 1);
      const born = new BlockTableBuilder({ countsReasoning: true, encoding: 'o200k_base' });
      for (const message of messages) born.add(message);
      const table = born.finish();
      for (let step = 1; step <= index.steps; step++) {
        for (const demand of demandsOfStep(index, step)) {
          expect(demand.sources.length).toBe(demand.df);
          expect(demand.weight).toBeGreaterThanOrEqual(0);
          for (const { block } of demand.sources) expect(table.bornStep[block]).toBeLessThanOrEqual(step);
        }
      }
      for (let block = 0; block < index.blocks; block++) {
        const users = usersOfBlock(index, block);
        expect([users.length, users.at(-1)?.step ?? 0]).toEqual([index.uses[block], index.lastUse[block]]);
      }
    }));
  });
});
