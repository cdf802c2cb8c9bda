/** The small drawing of an example on the first screen: the real lifelines of its replay as recorded. */
import { bytesSource } from '../../core/base/byte-source';
import { importSource } from '../../core/import/import-source';
import { createTraceReader } from '../../core/import/reader';
import { loadTokenCounter } from '../../core/tokens/counter';
import { defaultLine } from '../../core/trace/line';
import { BLOCK_KINDS } from '../../core/trace/blocks-types';
import { analyseRecordedLine } from '../../core/workspace/analyse';
import { replay } from '../../core/workspace/replay';
import { BLOCK_STATUSES, type Replay } from '../../core/workspace/types';

export interface SketchLine { kind: string; from: number; to: number; archivedAt?: number; recoveredAt?: number }

/** A drawing has room for about so many rows: the largest blocks, in order of birth. */
const ROWS = 28;
const VISIBLE = BLOCK_STATUSES.indexOf('visible');

export async function lifelinesOf(name: string, text: string): Promise<SketchLine[]> {
  const source = bytesSource(name, new TextEncoder().encode(text));
  const [trajectory] = (await importSource(source)).trajectories;
  if (!trajectory) throw new Error(`${name} holds no trajectory`);
  const counter = await loadTokenCounter('o200k_base');
  const line = await analyseRecordedLine(createTraceReader(source, trajectory), trajectory, defaultLine(trajectory), counter);
  const result = replay(line, { policy: 'recorded', budget: 1_000_000 }, (piece) => counter.count(piece));
  const largest = Array.from({ length: result.blocks.n }, (_, i) => i)
    .sort((a, b) => result.blocks.tokens[b]! - result.blocks.tokens[a]!)
    .slice(0, ROWS)
    .sort((a, b) => a - b);
  return largest.map((block) => lineOf(result, block));
}

function lineOf({ blocks, history, ops, steps }: Replay, block: number): SketchLine {
  const id = `B${block + 1}`;
  const changes = Array.from({ length: history.start[block + 1]! - history.start[block]! }, (_, i) => history.start[block]! + i);
  const gone = changes.find((at) => history.step[at]! > blocks.bornStep[block]! && history.status[at] !== VISIBLE);
  const back = ops.find((op) => op.op === 'recover' && op.result === id);
  return {
    kind: BLOCK_KINDS[blocks.kind[block]!]!,
    from: blocks.bornStep[block]!,
    to: steps.n,
    ...(gone === undefined ? {} : { archivedAt: history.step[gone]! }),
    ...(back === undefined ? {} : { recoveredAt: back.step }),
  };
}
