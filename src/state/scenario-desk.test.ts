import { describe, expect, it, vi } from 'vitest';
import type { ScenarioOp } from '../core/workspace/scenario/types';
import { MemoryRepository } from '../storage/memory-repository';
import { lineKey } from '../storage/rows';
import { finishedImport } from '../testing/stored-run';
import type { ScenarioRow, Scenarios } from '../workers/api';
import { createScenarioDesk, freeName, type ScenarioDesk } from './scenario-desk';

const HEX = 'a'.repeat(64);
const RUN = `${HEX}#0`;
const LINE = { thread: 'main' };
const PIN: ScenarioOp = { id: 'a1', step: 2, op: 'pin', blocks: ['base:3'] };
const ARCHIVE: ScenarioOp = { id: 'a2', step: 3, op: 'archive', blocks: ['base:4'], label: 'x' };

async function storage(): Promise<Scenarios> {
  const repository = new MemoryRepository();
  await repository.beginImport('t', 'a', new Blob(['x']));
  await repository.finishImport('t', finishedImport(HEX));
  return {
    observe: (runId, line, onChange) => repository.observeScenarios(runId, lineKey(line), onChange),
    put: (row) => repository.putScenario(row),
    remove: (id) => repository.deleteScenario(id),
  };
}
async function desk(scenarios: Scenarios): Promise<ScenarioDesk> {
  const made = createScenarioDesk(scenarios, RUN, LINE);
  made.start();
  await vi.waitFor(() => expect(made.getState().scenarios).not.toBeNull());
  return made;
}
const opsOf = (from: ScenarioDesk, id: string): readonly ScenarioOp[] => from.getState().scenarios!.find((one) => one.id === id)!.edit.ops;
const names = (from: ScenarioDesk): string[] => from.getState().scenarios!.map(({ name }) => name);

describe('scenario desk', () => {
  it('what is done is stored and read by the next page; undo and redo are stored too', async () => {
    const scenarios = await storage();
    const first = await desk(scenarios);
    const id = first.create('mine');
    first.change(id, [PIN]);
    first.change(id, [PIN, ARCHIVE]);
    expect(opsOf(await desk(scenarios), id)).toEqual([PIN, ARCHIVE]);
    first.undo(id);
    expect(opsOf(await desk(scenarios), id)).toEqual([PIN]);
    first.redo(id);
    const next = await desk(scenarios);
    expect(opsOf(next, id)).toEqual([PIN, ARCHIVE]);
    // A new page has nothing to undo.
    next.undo(id);
    expect(opsOf(next, id)).toEqual([PIN, ARCHIVE]);
  });

  it('is renamed, copied and deleted; no two have one name', async () => {
    const from = await desk(await storage());
    const id = from.create('mine', [PIN]);
    const copy = from.duplicate(id)!;
    expect(names(from)).toEqual(['mine', 'mine 2']);
    from.change(copy, []);
    expect(opsOf(from, id)).toEqual([PIN]);
    from.rename(copy, 'other');
    from.rename(id, 'other');
    expect(names(from)).toEqual(['other 2', 'other']);
    from.remove(id);
    await vi.waitFor(() => expect(names(from)).toEqual(['other']));
    expect(from.duplicate(id)).toBeNull();
  });

  it('another tab’s change comes in, and can be undone here', async () => {
    const scenarios = await storage();
    const [one, two] = [await desk(scenarios), await desk(scenarios)];
    const id = one.create('mine', [PIN]);
    await vi.waitFor(() => expect(names(two)).toEqual(['mine']));
    await new Promise((resolve) => setTimeout(resolve, 3));
    two.change(id, [PIN, ARCHIVE]);
    await vi.waitFor(() => expect(opsOf(one, id)).toEqual([PIN, ARCHIVE]));
    one.undo(id);
    expect(opsOf(one, id)).toEqual([PIN]);
    await vi.waitFor(() => expect(opsOf(two, id)).toEqual([PIN]));
    two.remove(id);
    await vi.waitFor(() => expect(names(one)).toEqual([]));
  });

  it('a late echo of an older change takes nothing back', async () => {
    let tell: ((rows: ScenarioRow[]) => void) | undefined;
    const written: ScenarioRow[] = [];
    const slow: Scenarios = {
      observe: (_run, _line, onChange) => {
        tell = onChange;
        onChange([]);
        return () => undefined;
      },
      put: async (row) => void written.push(row),
      remove: async () => undefined,
    };
    const from = await desk(slow);
    const id = from.create('mine');
    from.change(id, [PIN]);
    from.change(id, [PIN, ARCHIVE]);
    for (const row of written) {
      tell?.([row]);
      expect(opsOf(from, id)).toEqual([PIN, ARCHIVE]);
    }
  });

  it('a file goes out and comes in; of another run it is refused', async () => {
    const from = await desk(await storage());
    const id = from.create('mine', [PIN, ARCHIVE]);
    const text = from.exportFile(id, 'run.jsonl');
    const back = from.importFile(text);
    expect(opsOf(from, back)).toEqual([PIN, ARCHIVE]);
    expect(from.exportFile(back, 'run.jsonl')).toBe(text.replace('"mine"', '"mine 2"'));
    expect(() => from.importFile(text.replaceAll(HEX, 'b'.repeat(64)))).toThrow(/another run/);
    expect(() => from.importFile('[]')).toThrow(/Expected a scenario of Contextscope/);
    expect(names(from)).toEqual(['mine', 'mine 2']);
  });

  it('a storage that refuses is said, and the work goes on', async () => {
    const scenarios: Scenarios = { ...(await storage()), put: () => Promise.reject(new Error('the disk is full')) };
    const from = await desk(scenarios);
    const id = from.create('mine', [PIN]);
    await vi.waitFor(() => expect(from.getState().problem).toBe('the disk is full'));
    from.change(id, []);
    expect(opsOf(from, id)).toEqual([]);
  });

  it('a storage that cannot be read is told as that, and a change that is stored does not hide it', async () => {
    const scenarios: Scenarios = {
      observe: (_run, _line, _onChange, onError) => {
        onError?.(new Error('the database is closed'));
        return () => undefined;
      },
      put: async () => undefined,
      remove: async () => undefined,
    };
    const from = createScenarioDesk(scenarios, RUN, LINE);
    from.start();
    from.create('mine');
    await vi.waitFor(() => expect(names(from)).toEqual(['mine']));
    expect(from.getState()).toMatchObject({ problem: null, unread: 'the database is closed' });
  });

  it('a copy of the longest name still makes a file that can be read', async () => {
    const from = await desk(await storage());
    const id = from.create('x'.repeat(200), [PIN]);
    const copy = from.duplicate(id)!;
    expect(names(from)[1]).toBe(`${'x'.repeat(198)} 2`);
    expect(opsOf(from, from.importFile(from.exportFile(copy, null)))).toEqual([PIN]);
  });

  it('names are short and never empty', () => {
    expect(freeName('  ', [])).toBe('Scenario');
    expect(freeName('a 2', [{ name: 'a 2' }, { name: 'a' }])).toBe('a 3');
    expect(freeName('x'.repeat(500), [])).toHaveLength(200);
  });
});
