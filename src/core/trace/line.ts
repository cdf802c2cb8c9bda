import { ContextscopeError } from '../base/errors';
import type { LineRef, Thread, Trajectory } from './model';

export function threadOf(trajectory: Trajectory, id: string): Thread {
  const thread = trajectory.threads.find((candidate) => candidate.id === id);
  if (thread) return thread;
  throw new ContextscopeError('not-found', `${trajectory.name} has no thread "${id}"; it has ${trajectory.threads.map((candidate) => candidate.id).join(', ')}.`);
}

/** Rows of a line in order: the main line, or what a branch shares with it and then its own. Throws 'not-found'. */
export function rowsOfLine(trajectory: Trajectory, line: LineRef): Uint32Array {
  const thread = threadOf(trajectory, line.thread);
  if (line.branch === undefined) return thread.main;
  const branch = thread.branches.find((candidate) => candidate.id === line.branch);
  if (!branch) throw new ContextscopeError('not-found', `Thread "${thread.id}" of ${trajectory.name} has no branch "${line.branch}".`);
  const shared = thread.main.subarray(0, branch.forkAfter + 1);
  const rows = new Uint32Array(shared.length + branch.rows.length);
  rows.set(shared);
  rows.set(branch.rows, shared.length);
  return rows;
}

/** The line to open first: the main line of the first thread. Throws 'not-found' when there is no thread. */
export function defaultLine(trajectory: Trajectory): LineRef {
  const first = trajectory.threads[0];
  if (!first) throw new ContextscopeError('not-found', `${trajectory.name} has no messages.`);
  return { thread: first.id };
}
