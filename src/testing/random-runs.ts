/** Random traces for property tests: rounds of a call with results, user messages in between, demands on earlier blocks. */
import fc from 'fast-check';
import type { TestBlock, TestDemand } from './workspace';

interface Round { assistant: number; reasoning: number; results: number[]; user: number; demands: { back: number; weight: number }[] }

const size = fc.oneof(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 61, max: 600 }), fc.integer({ min: 601, max: 2500 }));
const round: fc.Arbitrary<Round> = fc.record({
  assistant: size,
  reasoning: fc.integer({ min: 0, max: 20 }),
  results: fc.array(size, { maxLength: 3 }),
  user: fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, size),
  demands: fc.array(fc.record({ back: fc.nat(40), weight: fc.integer({ min: 1, max: 5 }) }), { maxLength: 3 }),
});

export interface RandomRun { blocks: TestBlock[]; demands: TestDemand[]; tools: number }

export const randomRun = (maxRounds = 14): fc.Arbitrary<RandomRun> =>
  fc.record({ system: size, task: size, tools: fc.integer({ min: 0, max: 200 }), rounds: fc.array(round, { minLength: 1, maxLength: maxRounds }) }).map(({ system, task, tools, rounds }) => {
    const blocks: TestBlock[] = [{ kind: 'system', tokens: system, born: 1 }, { kind: 'task', tokens: task, born: 1 }];
    const demands: TestDemand[] = [];
    rounds.forEach((each, r) => {
      const step = r + 1;
      for (const { back, weight } of each.demands) {
        const source = Math.max(0, blocks.length - 1 - back);
        demands.push({ step, sources: [source], weight, prompt: source < 2 });
      }
      const call = blocks.length;
      blocks.push({ kind: 'assistant', tokens: each.assistant + each.reasoning, reasoning: each.reasoning, born: step + 1, calls: each.results.length });
      for (const tokens of each.results) blocks.push({ kind: 'tool_result', tokens, born: step + 1, parent: call, tool: tokens % 2 === 0 ? 'read' : 'bash', error: tokens % 7 === 0 });
      if (each.user >= 0) blocks.push({ kind: 'user', tokens: each.user, born: step + 1 });
    });
    return { blocks, demands, tools };
  });
