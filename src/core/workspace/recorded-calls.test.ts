import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { analyseLine } from '../evidence/analyse';
import { buildBlocks } from '../trace/blocks';
import { bytesSource } from '../base/byte-source';
import { importSource } from '../import/import-source';
import { createTraceReader } from '../import/reader';
import { loadTokenCounter } from '../tokens/counter';
import { defaultLine } from '../trace/line';
import { parseTrace } from '../../testing/trace';
import { RecordedCallReader } from './recorded-calls';
import { replay } from './replay';
import { stateAt } from './state-at';

function opsOf(notation: string) {
  const messages = parseTrace(notation);
  const reader = new RecordedCallReader();
  messages.forEach((message) => reader.add(message));
  return reader.finish(buildBlocks(messages, { countsReasoning: false, encoding: 'o200k_base' }));
}

describe('recorded management calls', () => {
  it('reads lists, ranges and groups, and takes effect when the tool has answered', () => {
    const ops = opsOf(`
system: s
user: task
call c1 bash {"command":"a"}
result c1: one
call c2 context_workspace_archive {"block_id":"B3,B4","replacement":"one was read"}
result c2: ok
call c3 context_workspace_archive {"block_id":"B5 to B6"}
result c3: ok
call c4 context_workspace_archive {"block_id":"G1,G2"}
result c4: ok
call c5 context_workspace_recover {"block_id":"B4"}
result c5: one
`);
    expect(ops.map(({ op, step, blocks, text }) => ({ op, step, blocks, text }))).toEqual([
      { op: 'archive', step: 3, blocks: [2, 3], text: 'one was read' },
      { op: 'archive', step: 4, blocks: [4, 5], text: undefined },
      { op: 'archive', step: 5, blocks: [2, 3, 4, 5], text: undefined },
      { op: 'recover', step: 6, blocks: [3], text: undefined },
    ]);
    expect(ops[3]!.resultBlock).toBe(11);
  });

  it('leaves out what cannot be read: broken arguments, unknown names', () => {
    const ops = opsOf(`
user: task
call c1 context_workspace_archive {"block_id":"B999-B1001,nonsense"}
result c1: ok
call c2 context_workspace_delete {broken
result c2: ok
`);
    expect(ops.map((op) => op.blocks)).toEqual([[]]);
  });

  it('folds the bundled run: two levels of archives, and blocks that came back', async () => {
    const source = bytesSource('vista.json', readFileSync('public/examples/vista-two-levels.json'));
    const [trajectory] = (await importSource(source)).trajectories;
    const calls = new RecordedCallReader();
    const counter = await loadTokenCounter('o200k_base');
    const line = await analyseLine(createTraceReader(source, trajectory!), trajectory!, defaultLine(trajectory!), counter, { onMessage: (message) => calls.add(message) });
    const result = replay({ ...line, recorded: calls.finish(line.blocks) }, { policy: 'recorded', budget: 16_000 }, (text) => counter.count(text));
    const byKind = (op: string) => result.ops.filter((one) => one.op === op);
    expect(byKind('archive')).toHaveLength(4);
    expect(byKind('recover')).toHaveLength(2);
    expect(Math.max(...result.blocks.level)).toBe(2);
    // The February log (message 25) is behind the second level at the end; the task is visible.
    const last = stateAt(result, result.steps.n);
    expect(last.archived).toContain(result.blocks.base.indexOf(25));
    expect(last.visible).toContain(result.blocks.base.indexOf(1));
    expect(Math.max(...result.steps.contextTokens)).toBeLessThan(16_000);
  });
});
