// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import type { SelectReport } from '../../core/selection/types';
import { createSelectionReportStore } from '../../state/selection-report';
import { lineOf, replayOf } from '../../testing/line';
import { ProtectedFact } from './ProtectedFact';

afterEach(cleanup);

// Message positions 2 and 3 (a call and its result) are interaction block 0, 4 and 5 block 1.
const LINE = { ...lineOf('S 100, T 20, A 10, O 500 read, A 12, O 700 bash, A 5'), interactionBlocks: [[2, 3], [4, 5]] };
const REPLAY = replayOf(LINE, { policy: 'keep-everything', budget: 10_000 });

const REPORT: SelectReport = {
  file: 'run.jsonl', encoder: { id: 'static-minilm-384@1', dim: 384, sha256: null }, checkpoint: 2, k: 1,
  blocks: [0, 1].map((index) => ({ index, messageIndices: [], chars: 1, tokens: 1, hash: '' })),
  spectrum: null, protected: { recent: [], goal: [], state: [0], error: [0], source: [] },
  protectedWhy: { 0: ['State: newest write of a.ts (Write).', 'Error: is_error; errors of the last 8 blocks are kept, solved or not.'] },
  nextActionTop3: [], selectors: [],
};

const indexOf = (position: number): number => REPLAY.blocks.base.findIndex((base) => base >= 0 && LINE.blocks.messageIndex[base] === position);

function show(position: number, step = 3) {
  const selection = createSelectionReportStore();
  const { container } = render(<dl><ProtectedFact line={LINE} replay={REPLAY} step={step} selected={indexOf(position)} selection={selection} /></dl>);
  return { container, tell: (report: SelectReport, at = 3, line = LINE) => act(() => selection.setState({ shown: { line, step: at, report } })) };
}

describe('the protection of the selected block', () => {
  it('is every rule that fired on its interaction block, with the checkpoint and the encoder', () => {
    for (const position of [2, 3]) {
      const { container, tell } = show(position);
      expect(container.textContent).toBe('');
      tell(REPORT);
      expect(screen.getByRole('definition').textContent).toContain('State: newest write of a.ts (Write). Error: is_error; errors of the last 8 blocks are kept, solved or not. interaction block 0 of 2 at this step, ');
      cleanup();
    }
  });

  it('is told to be none where no rule fired, and why nothing is removed at all', () => {
    const { tell } = show(5);
    tell({ ...REPORT, selectors: [{ selector: 'gem', kept: [0, 1], picks: [], stop: 'unchanged', reason: 'Returned unchanged: 2 complete blocks; selection starts at 16.', metrics: { top3: null, top3Older: null, actionProjection: null, finalProjection: null, goalProjection: null, centroid: null, coverage: 1, tokens: 2, chars: 2 } }] });
    expect(screen.getByRole('definition').textContent).toContain('no, by none of the rules of GEM Returned unchanged: 2 complete blocks; selection starts at 16. interaction block 1 of 2');
  });

  it('is not said for another step, another line, a message outside of the blocks or a block after the checkpoint', () => {
    const other = show(2);
    other.tell(REPORT, 2);
    expect(other.container.textContent).toBe('');
    other.tell(REPORT, 3, { ...LINE });
    expect(other.container.textContent).toBe('');
    cleanup();
    const task = show(1);
    task.tell(REPORT);
    expect(task.container.textContent).toBe('');
    cleanup();
    const later = show(5);
    later.tell({ ...REPORT, blocks: REPORT.blocks.slice(0, 1) });
    expect(later.container.textContent).toBe('');
  });
});
