import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { trajectoryOf } from '../../testing/trace-reader';
import type { TraceEvent } from '../trace/model';
import { joinTrajectories } from './merge';

describe('joined trajectories', () => {
  it('move every row that an event names', () => {
    const event = (data: NonNullable<TraceEvent['data']>): TraceEvent => ({ kind: 'context-edit', sourceKind: 'test', thread: 'main', afterRow: 1, label: 'x', data });
    const root = trajectoryOf(parseTrace('user: task\nassistant: one\nuser: two'));
    const other = {
      ...trajectoryOf(parseTrace('user: ask\nassistant: a\nuser: b')),
      events: [event({ firstForgottenRow: 0, forgottenRows: '0,1', summaryRow: 2 }), event({ removedRows: '1,2', removedMessages: 2 })],
    };
    const { events } = joinTrajectories(root, [{ trajectory: other, base: 0, threadId: 'sub', parentThread: 'main' }], 'joined');
    expect(events.map(({ afterRow, data }) => ({ afterRow, ...data }))).toEqual([
      { afterRow: 4, firstForgottenRow: 3, forgottenRows: '3,4', summaryRow: 5 },
      { afterRow: 4, removedRows: '4,5', removedMessages: 2 },
    ]);
  });
});
