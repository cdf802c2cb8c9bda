import { ROLES } from './model';
import type { MessageColumns, Trajectory } from './model';

/** Faults that are listed; a broken trajectory would have thousands of the same. */
const MAX_FAULTS = 20;

/**
 * Checks every reference of a trajectory: column lengths, ranges, string indexes, rows of threads and branches, events,
 * spans inside the content of `contentBytes` bytes. Returns sentences, none = sound. Linear in rows.
 */
export function traceFaults(trajectory: Trajectory, contentBytes = Infinity): string[] {
  const faults: string[] = [];
  const fault = (text: string): void => { if (faults.length < MAX_FAULTS) faults.push(text); };
  checkColumns(trajectory.columns, contentBytes, fault);
  checkThreads(trajectory, fault);
  checkEvents(trajectory, contentBytes, fault);
  return faults;
}

type Fault = (text: string) => void;

function checkColumns(columns: MessageColumns, contentBytes: number, fault: Fault): void {
  const { n, strings } = columns;
  const perRow = { role: columns.role, flags: columns.flags, timestampMs: columns.timestampMs, model: columns.model, callKey: columns.callKey, chars: columns.chars };
  for (const [name, column] of Object.entries(perRow)) if (column.length !== n) fault(`column ${name} has ${column.length} entries for ${n} rows`);
  if (columns.usage.length !== n * 5) fault(`usage has ${columns.usage.length} numbers for ${n} rows`);
  if (strings[0] !== '') fault('strings[0] is not empty');
  checkRange('span', columns.spanStart, columns.spanOffset.length, n, fault);
  checkRange('call', columns.callStart, columns.callIds.length, n, fault);
  checkRange('result', columns.resultStart, columns.resultCallIds.length, n, fault);
  const indexes = { model: columns.model, callKey: columns.callKey, callIds: columns.callIds, callNames: columns.callNames, resultCallIds: columns.resultCallIds };
  for (const [name, column] of Object.entries(indexes)) column.forEach((index, i) => { if (index >= strings.length) fault(`${name}[${i}] = ${index} of ${strings.length} strings`); });
  if (columns.callNames.length !== columns.callIds.length) fault('callNames and callIds differ in length');
  if (columns.resultErrors.length !== columns.resultCallIds.length) fault('resultErrors and resultCallIds differ in length');
  columns.role.forEach((role, row) => { if (role >= ROLES.length) fault(`row ${row} has role code ${role}`); });
  columns.usage.forEach((value, i) => { if (value < 0) fault(`usage[${i}] = ${value}`); });
  for (let i = 0; i < columns.spanOffset.length; i++) {
    const from = columns.spanOffset[i]!;
    const length = columns.spanLength[i]!;
    if (!(from >= 0) || length === 0 || from + length > contentBytes) fault(`span ${i} is ${from} + ${length} of ${contentBytes} bytes`);
  }
  for (let row = 0; row < n; row++) if (columns.spanStart[row] === columns.spanStart[row + 1]) fault(`row ${row} has no span`);
}

function checkRange(name: string, start: Uint32Array, total: number, n: number, fault: Fault): void {
  if (start.length !== n + 1) fault(`${name}Start has ${start.length} entries for ${n} rows`);
  if (start[0] !== 0 || start[start.length - 1] !== total) fault(`${name}Start runs from ${start[0]} to ${start[start.length - 1]} of ${total}`);
  for (let i = 1; i < start.length; i++) if (start[i]! < start[i - 1]!) fault(`${name}Start falls at row ${i}`);
}

function checkThreads({ threads, columns }: Trajectory, fault: Fault): void {
  const owner = new Int32Array(columns.n).fill(-1);
  const ids = new Set<string>();
  const callIds = new Set([...columns.callIds].map((index) => columns.strings[index]!));
  threads.forEach((thread, t) => {
    if (ids.has(thread.id)) fault(`two threads are called ${thread.id}`);
    ids.add(thread.id);
    const claim = (rows: Uint32Array, what: string): void => {
      const seen = new Set<number>();
      for (const row of rows) {
        if (row >= columns.n) fault(`${what} of thread ${thread.id} names row ${row} of ${columns.n}`);
        else if (owner[row]! >= 0 && owner[row] !== t) fault(`row ${row} is in two threads`);
        else owner[row] = t;
        if (seen.has(row)) fault(`${what} of thread ${thread.id} has row ${row} twice`);
        seen.add(row);
      }
    };
    claim(thread.main, 'main line');
    const branchIds = new Set<string>();
    for (const branch of thread.branches) {
      if (branchIds.has(branch.id)) fault(`two branches of ${thread.id} are called ${branch.id}`);
      branchIds.add(branch.id);
      if (branch.rows.length === 0) fault(`branch ${branch.id} of ${thread.id} is empty`);
      if (branch.forkAfter < -1 || branch.forkAfter >= thread.main.length) fault(`branch ${branch.id} of ${thread.id} forks after ${branch.forkAfter} of ${thread.main.length}`);
      claim(branch.rows, `branch ${branch.id}`);
    }
    if (thread.spawnedBy !== undefined && t > 0 && !callIds.has(thread.spawnedBy)) fault(`thread ${thread.id} was started by the unknown call ${thread.spawnedBy}`);
  });
  for (const thread of threads) if (thread.parentThread !== undefined && !ids.has(thread.parentThread)) fault(`thread ${thread.id} has the unknown parent ${thread.parentThread}`);
  owner.forEach((thread, row) => { if (thread < 0) fault(`row ${row} is in no thread`); });
}

function checkEvents({ events, threads, columns }: Trajectory, contentBytes: number, fault: Fault): void {
  const ids = new Set(threads.map((thread) => thread.id));
  events.forEach((event, i) => {
    if (!ids.has(event.thread)) fault(`event ${i} is in the unknown thread ${event.thread}`);
    if (event.afterRow < -1 || event.afterRow >= columns.n) fault(`event ${i} is after row ${event.afterRow} of ${columns.n}`);
    if (event.span && !(event.span.byteOffset >= 0 && event.span.byteOffset + event.span.byteLength <= contentBytes)) fault(`event ${i} has a span outside of the source`);
    for (const name of ['summaryRow', 'firstKeptRow']) {
      const row = event.data?.[name];
      if (typeof row === 'number' && (row < 0 || row >= columns.n)) fault(`event ${i} names ${name} ${row} of ${columns.n}`);
    }
  });
}
