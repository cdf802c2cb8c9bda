/** Which facts of an event's `data` name rows of the trajectory: whoever moves rows has to move these with them. */
import type { TraceEvent } from './model';

type EventData = NonNullable<TraceEvent['data']>;

/** One row number. */
const ROW_FACTS: readonly string[] = ['summaryRow', 'firstKeptRow', 'firstForgottenRow'];
/** Row numbers joined by commas ("1,2,5"), '' for none. */
const ROW_LISTS: readonly string[] = ['forgottenRows', 'removedRows', 'clearedRows', 'targetRows'];

/** Rows of a list fact; undefined where it is none. */
export function rowsOfList(value: unknown): number[] | undefined {
  if (typeof value !== 'string' || !/^(\d+(,\d+)*)?$/.test(value)) return undefined;
  return value === '' ? [] : value.split(',').map(Number);
}

/** `data` with its rows moved; a row that is nowhere any more becomes null, and leaves its list. */
export function moveRowFacts(data: EventData, move: (row: number) => number | undefined): EventData {
  const moved: EventData = { ...data };
  for (const name of ROW_FACTS) {
    const row = data[name];
    if (typeof row === 'number') moved[name] = move(row) ?? null;
  }
  for (const name of ROW_LISTS) {
    const rows = rowsOfList(data[name]);
    if (rows) moved[name] = rows.flatMap((row) => move(row) ?? []).join(',');
  }
  return moved;
}
