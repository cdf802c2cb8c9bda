/** What single systems promise beyond the twelve blocks: recorded words, labels and cascades, escalation, pins, branches. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextAt } from '../../../testing/twelve-blocks';
import { randomRun } from '../../../testing/random-runs';
import { blocksOf, countQuarters, countWords, inputOf, messagesOf, tableOf, factsOf, textOfBlock } from '../../../testing/workspace';
import { graphOf } from '../block-graph';
import { blockIndex, KIND } from '../kinds';
import { readPayload } from '../payload';
import { renderPrompt } from '../render';
import { replay } from '../replay';
import { stateAt } from '../state-at';
import type { RecordedOp } from '../types';
import { Workspace } from '../workspace';
import { admit, setPins } from '../operations';
import { Cascade } from './parts/cascade';
import { escalate } from './parts/escalation';
import { parseWeights } from './lre';

const LONG = 'S 100, T 50, A 100, O 1000 read, A 100, O 600 bash, U 40, A 100, O 300 grep, A 100, O 800 bash, A 100, O 200 read, A 10';

describe('recorded words', () => {
  const recorded = (text: Pick<RecordedOp, 'text' | 'summaryBlock'>): RecordedOp[] =>
    [{ step: 3, op: 'summarise', blocks: [2, 3], label: 'compacted', tokensBefore: null, tokensAfter: null, ...text }];

  it('stand for the blocks that the record summarised, and the run says so', () => {
    const input = { ...inputOf(blocksOf(LONG)), recorded: recorded({ text: 'what the recorded model wrote' }) };
    const result = replay(input, { policy: 'resum', params: { trigger: 0.6 }, budget: 3000 }, countWords);
    expect(contextAt(result, 3)).toBe('0 1 summary(2 3) 4 5 6');
    const made = result.blocks.kind.indexOf(KIND.summary);
    expect(result.blocks.text[made]).toBe('what the recorded model wrote');
    expect(result.blocks.tokens[made]).toBe(5);
    // The next compaction covers what no recorded summary does.
    expect(result.replayClass).toBe('stand-in');
    const short = { ...inputOf(blocksOf('S 100, T 50, A 100, O 1000 read, A 100, O 600 bash, A 10')), recorded: recorded({ text: 'what the recorded model wrote' }) };
    expect(replay(short, { policy: 'resum', params: { trigger: 0.6 }, budget: 3000 }, countWords).replayClass).toBe('recorded-words');
  });

  it('are not known before their step', () => {
    const late = recorded({ text: 'too late' }).map((op) => ({ ...op, step: 6 }));
    const result = replay({ ...inputOf(blocksOf(LONG)), recorded: late }, { policy: 'resum', params: { trigger: 0.6 }, budget: 3000 }, countWords);
    expect(result.blocks.text.some((text) => text === 'too late')).toBe(false);
  });
});

describe('Codex and Claude Code', () => {
  it('keep what those tools keep', () => {
    const input = inputOf(blocksOf(LONG));
    const codex = replay(input, { policy: 'codex-compact', params: { trigger: 0.9, userTokens: 100, summaryTokens: 60 }, budget: 2600 }, countWords);
    // Step 4 would hold 2429 words: all before the last round goes but the user's message.
    expect(contextAt(codex, 4)).toBe('0 1 summary(2 3 4 5) 6 7 8');
    const none = replay(input, { policy: 'codex-compact', params: { trigger: 0.9, userTokens: 10, summaryTokens: 60 }, budget: 2600 }, countWords);
    expect(contextAt(none, 4)).toBe('0 1 summary(2 3 4 5 6) 7 8');
    const claude = replay(input, { policy: 'claude-compact', params: { trigger: 2340, fileTools: 'bash', fileTokens: 700, summaryTokens: 60 }, budget: 2600 }, countWords);
    expect(contextAt(claude, 4)).toBe('0 1 summary(2 3 4 6) 5 7 8');
  });
});

describe('Context-Folding', () => {
  it('folds a recorded branch into what it returned, and leaves the main line alone', () => {
    const branch = blocksOf('S 10, T 10, A 10, O 20 read, A 10, O 5 branch, A 10, O 300 read, A 10, O 400 bash, A 10, O 5 return, A 10, O 30 read, A 10');
    const result = replay(inputOf(branch), { policy: 'context-folding', budget: 9000 }, countWords);
    expect(contextAt(result, 5)).toBe('0 1 2 3 4 5 6 7 8 9');
    expect(contextAt(result, 6)).toBe('0 1 2 3 summary(4 5 6 7 8 9) 10 11');
    expect(result.ops.filter((op) => op.op === 'fold')).toHaveLength(1);
  });
});

describe('Agentic Context Management', () => {
  const blocks = blocksOf('S 50, T 20, A 10, O 300 read, U 30, A 10, O 20 todo_write, A 10, O 400 read, O 100 bash, A 10, O 500 bash, A 10, O 20 todo_write, A 10, O 300 read, A 10');
  const input = inputOf(blocks, [{ step: 7, sources: [3], lexeme: 'needle' }]);
  const result = replay(input, { policy: 'acm', params: { utilisation: 0.2, target: 0.15, least: 50, minAge: 1 }, budget: 4000 }, countWords);

  it('labels what it removes, and retrieves by that label', () => {
    const removals = result.ops.filter((op) => op.op === 'archive');
    expect(removals.length).toBeGreaterThan(0);
    for (const op of removals) {
      expect(op.label).toBe(`removed-${op.result?.slice(1)}`);
      expect(result.blocks.text[blockIndex(op.result ?? '')]).toContain(`[REMOVED ${op.label}:`);
    }
    const read = result.ops.find((op) => op.op === 'recover');
    expect(read?.label).toBe(removals.find((op) => op.ids.includes('B4'))?.label);
    expect(result.totals.evidenceLost).toBe(0);
  });

  it('pins the user\'s words and the newest plan, and pins win', () => {
    const last = stateAt(result, 7);
    const pinned = [...last.pinned].flatMap((flag, item) => (flag === 1 ? [item] : []));
    expect(pinned.map((item) => result.blocks.base[item])).toEqual([4, 12, 13]);
    const gone = result.ops.filter((op) => op.op === 'archive').flatMap((op) => op.ids);
    expect(gone).not.toContain('B5');
    expect(result.ops.some((op) => op.op === 'unpin' && op.reason.includes('older plan'))).toBe(true);
  });

  it('begins every message with its id and ends with numbers and labels', () => {
    const messages = messagesOf(blocks);
    const source = { blocks: input.blocks, facts: input.facts, tools: [], message: (i: number) => messages[i]!, count: countWords };
    const { rows } = renderPrompt(result, 6, source, 'openai');
    for (const row of rows) if (row.blocks[0]) expect(row.text.startsWith(`[${row.blocks[0]}] `)).toBe(true);
    const tail = rows.at(-1);
    expect(tail?.kind).toBe('dashboard');
    const labels = result.ops.filter((op) => op.step <= 6 && op.label && stateAt(result, 6).visible.includes(blockIndex(op.result ?? ''))).map((op) => op.label);
    for (const label of labels) expect(tail?.text).toContain(` ${label}`);
    expect(tail?.text).toMatch(/messages in log: \d+; visible: \d+; removed: \d+; pinned: \d+; tokens used: \d+ \/ 4000/);
  });

  it('cascades over call and result, and a pin on one keeps all', () => {
    const ws = new Workspace({ table: tableOf(blocks), facts: factsOf(blocks), budget: 4000, dashboard: { kind: 'none', foldArchived: true }, protocolTokens: 0, count: countWords });
    ws.step = 7;
    admit(ws, blocks.map((_, i) => i));
    const cascade = new Cascade(ws);
    expect(cascade.close([9])).toEqual({ effective: [7, 8, 9], refused: [] });
    setPins(ws, 'pin', [8], { actor: 'user', reason: 'test' });
    expect(cascade.close([7, 3])).toEqual({ effective: [2, 3], refused: [7, 8, 9] });
    expect(cascade.close([0, 1])).toEqual({ effective: [], refused: [0, 1] });
  });
});

describe('Lossless Context Management', () => {
  it('takes the first level that is smaller than its input, and says when none is', () => {
    const blocks = blocksOf('S 1, T 1, A 3, O 40 read');
    blocks[3]!.text = Array.from({ length: 40 }, (_, k) => `word${k}`).join(' ');
    const ws = new Workspace({ table: tableOf(blocks), facts: factsOf(blocks), budget: 4000, dashboard: { kind: 'none', foldArchived: true }, protocolTokens: 0, count: countQuarters });
    admit(ws, [0, 1, 2, 3]);
    expect(escalate(ws, [3], 40, 20, '[sum]')).toMatchObject({ level: 1 });
    // 20 tokens of detail are too many for 15; 10 of bullets are not.
    expect(escalate(ws, [3], 15, 20, '[sum]')).toMatchObject({ level: 2 });
    const truncated = escalate(ws, [3], 12, 60, 'a heading of many words that leaves no room at all')!;
    expect(truncated.level).toBe(3);
    expect(truncated.text).toContain('[truncated from 12 tokens]');
    expect(truncated.tokens).toBeLessThan(12);
    expect(escalate(ws, [3], 6, 60, 'a heading of many words that leaves no room at all')).toBeNull();
  });

  it('builds a graph that leads from every node to its sources, byte for byte, and each node is smaller than they are', () => {
    fc.assert(fc.property(randomRun(20), fc.integer({ min: 1500, max: 6000 }), (run, budget) => {
      const result = replay(inputOf(run.blocks, run.demands, run.tools), { policy: 'lcm', budget }, countQuarters);
      const graph = graphOf(result.blocks);
      const textOf = (base: number): string => textOfBlock(run.blocks[base]!, base);
      for (const op of result.ops) {
        if (op.op !== 'summarise') continue;
        const node = blockIndex(op.result ?? '');
        expect(op.tokensAfter).toBeLessThan(op.tokensBefore);
        let sources = 0;
        for (let k = 0; k < graph.memberCount(node); k++) sources += result.blocks.tokens[graph.member(node, k)] ?? 0;
        expect(result.blocks.tokens[node]).toBeLessThan(sources);
        for (let k = 0; k < graph.memberCount(node); k++) {
          const source = graph.member(node, k);
          expect(result.blocks.level[source]).toBeLessThan(result.blocks.level[node] ?? 0);
          const base = result.blocks.base[source] ?? -1;
          if (base >= 0) expect(new TextDecoder().decode(readPayload(result, new Uint8Array(0), source, textOf).bytes)).toBe(textOf(base));
        }
      }
    }), { numRuns: 60 });
  });
});

describe('LRE', () => {
  it('reads weights, and refuses what is none', () => {
    expect(parseWeights('age=-0.5 used=2')).toMatchObject({ age: -0.5, used: 2, bias: 0 });
    expect(() => parseWeights('youth=1')).toThrow(/age/);
    expect(() => parseWeights('age=old')).toThrow(/age=old/);
  });

  it('keeps what scores high, whatever its age', () => {
    const input = inputOf(blocksOf(LONG), [{ step: 2, sources: [3] }, { step: 3, sources: [3] }]);
    const result = replay(input, { policy: 'lre', params: { weights: 'used=3', trigger: 1, target: 0.9 }, budget: 2600 }, countWords);
    expect(contextAt(result, 6).split(' ')).toContain('3');
    expect(contextAt(result, 6).split(' ')).not.toContain('5');
  });
});

describe('clearing of thinking', () => {
  it('drops reasoning before the last turn; calls, words and their evidence stay', () => {
    const blocks = blocksOf('S 10, T 10, A 100 r=60, O 90 read, A 50 r=20, O 5 bash, A 30, O 5 bash, A 10');
    const input = inputOf(blocks, [{ step: 4, sources: [2], lexeme: 'needle' }]);
    const result = replay(input, { policy: 'clear-thinking', budget: 9000 }, countWords);
    // 3 + 14 + 14; + 104 + 94 with the reasoning of the last turn; − 60 a turn later; − 20 after that.
    expect([...result.steps.contextTokens]).toEqual([31, 229, 229 - 60 + 54 + 9, 232 - 20 + 34 + 9]);
    expect([...result.steps.visibleWeight]).toEqual([0, 0, 0, 1]);
    const messages = messagesOf(blocks);
    const source = { blocks: input.blocks, facts: input.facts, tools: [], message: (i: number) => messages[i]!, count: countWords };
    const { messages: sent } = renderPrompt(result, 4, source, 'openai').body as { messages: { role: string; tool_calls?: unknown[] }[] };
    expect(sent.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool']);
    expect(sent[2]?.tool_calls).toHaveLength(1);
  });
});

describe('opencode DCP', () => {
  it('drops the older of two same outputs and the input of a failed call', () => {
    const blocks = blocksOf('S 10, T 10, A 10, O 90 read, A 40, O 5 bash !, A 10, O 90 read, A 10, O 5 bash, A 10, O 5 bash, A 10, O 5 bash, A 10');
    blocks[3]!.text = 'the same bytes';
    blocks[7]!.text = 'the same bytes';
    const result = replay(inputOf(blocks), { policy: 'opencode-dcp', params: { errorTurns: 2 }, budget: 9000 }, countWords);
    expect(contextAt(result, 4)).toBe('0 1 2 placeholder(3) 4 5 6 7');
    expect(contextAt(result, 5)).toBe('0 1 2 placeholder(3) placeholder(4) 5 6 7 8 9');
  });
});
