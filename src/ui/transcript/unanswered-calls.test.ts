import { describe, expect, it } from 'vitest';
import { parseTrace } from '../../testing/trace';
import { trajectoryOf } from '../../testing/trace-reader';
import { unansweredCalls } from './unanswered-calls';

const found = (notation: string): string[] => [...unansweredCalls(trajectoryOf(parseTrace(notation)).columns)];

describe('calls without a result', () => {
  it('are those that no result names', () => {
    expect(found('user: task\ncall c1 read {}\nresult c1: one\ncall c2 read {}\nuser: go on')).toEqual(['c2']);
    expect(found('user: task\ncall c1 read {}\nresult c1: one')).toEqual([]);
  });

  it('cannot be told where a result has no id', () => {
    const columns = trajectoryOf(parseTrace('user: task\ncall c1 read {}\nresult c2: one')).columns;
    expect([...unansweredCalls(columns)]).toEqual(['c1']);
    expect([...unansweredCalls({ ...columns, resultCallIds: new Uint32Array(1) })]).toEqual([]);
  });
});
