import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import type { Trajectory } from '../trace/model';
import { importSource } from './import-source';

/** Each damage must be seen: a check that never fires protects nothing. */
const DAMAGES: [string, (run: Trajectory) => void, RegExp][] = [
  ['a short column', (run) => { run.columns.role = run.columns.role.slice(1); }, /column role/],
  ['usage of another length', (run) => { run.columns.usage = run.columns.usage.slice(1); }, /usage has/],
  ['negative usage', (run) => { run.columns.usage[0] = -1; }, /usage\[0\]/],
  ['a string index too far', (run) => { run.columns.callIds[0] = 9999; }, /callIds\[0\] = 9999/],
  ['an unknown role', (run) => { run.columns.role[0] = 9; }, /role code 9/],
  ['a range that falls', (run) => { run.columns.callStart[1] = 99; }, /callStart falls/],
  ['a range that ends early', (run) => { run.columns.resultStart[run.columns.n] = 0; }, /resultStart runs/],
  ['a span outside of the source', (run) => { run.columns.spanOffset[0] = 1e9; }, /span 0 is/],
  ['a row in no thread', (run) => { run.threads[0]!.main = run.threads[0]!.main.slice(1); }, /row 0 is in no thread/],
  ['a row twice', (run) => { run.threads[0]!.main[1] = 0; }, /has row 0 twice/],
  ['a row in two threads', (run) => { run.threads[1]!.main[0] = 0; }, /row 0 is in two threads/],
  ['a row that does not exist', (run) => { run.threads[0]!.main[0] = 999; }, /names row 999/],
  ['two threads of one name', (run) => { run.threads[1]!.id = 'main'; }, /two threads are called main/],
  ['an unknown parent', (run) => { run.threads[1]!.parentThread = 'x'; }, /unknown parent x/],
  ['an unknown spawning call', (run) => { run.threads[1]!.spawnedBy = 'x'; }, /unknown call x/],
  ['a fork behind the end', (run) => { run.threads[0]!.branches.push({ id: 'b', forkAfter: 99, rows: Uint32Array.of(0) }); }, /forks after 99/],
  ['an empty branch', (run) => { run.threads[0]!.branches.push({ id: 'b', forkAfter: 0, rows: new Uint32Array(0) }); }, /is empty/],
  ['an event in no thread', (run) => { run.events.push({ kind: 'other', sourceKind: 'x', thread: 'x', afterRow: 0, label: '' }); }, /unknown thread x/],
  ['an event after no row', (run) => { run.events.push({ kind: 'other', sourceKind: 'x', thread: 'main', afterRow: 99, label: '' }); }, /after row 99/],
  ['a summary row that does not exist', (run) => { run.events.push({ kind: 'compaction', sourceKind: 'x', thread: 'main', afterRow: 0, label: '', data: { summaryRow: 99 } }); }, /summaryRow 99/],
];

describe('integrity', () => {
  let bytes: Uint8Array;
  beforeAll(() => { bytes = readFileSync(resolve(import.meta.dirname, 'fixtures/claude-code/sidechain-in-file.jsonl')); });
  const load = async (): Promise<Trajectory> => (await importSource(bytesSource('x', bytes))).trajectories[0]!;

  it('finds nothing in a sound trajectory', async () => {
    expect(traceFaults(await load(), bytes.length)).toEqual([]);
  });

  it.each(DAMAGES)('finds %s', async (_name, damage, expected) => {
    const run = await load();
    damage(run);
    expect(traceFaults(run, bytes.length).join('\n')).toMatch(expected);
  });
});
