/**
 * The manual scenarios of one open line: named lists of operations with undo and redo, written to storage with every
 * change. Undo lives as long as the page; what is stored is the list as it stands. A change from another tab comes in as
 * one change more, so that it can be undone here.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { checkedOps, ensureScenarioFits, parseScenario, scenarioJson } from '../core/workspace/scenario/file';
import { change, redo, startEditing, undo, type EditState } from '../core/workspace/scenario/edit';
import type { ScenarioOp } from '../core/workspace/scenario/types';
import type { LineRef } from '../core/trace/model';
import { lineKey } from '../storage/rows';
import type { ScenarioRow, Scenarios } from '../workers/api';

export interface DeskScenario { id: string; name: string; createdMs: number; changedMs: number; edit: EditState }

export interface DeskState {
  /** Oldest first; null = being read. */
  scenarios: readonly DeskScenario[] | null;
  /** Why the last change could not be stored; null = it was. */
  problem: string | null;
  /** Why what is stored could not be read; null = it was, or is being read. */
  unread: string | null;
}

export interface ScenarioDesk extends StoreApi<DeskState> {
  /** Starts following storage; returns how to stop. */
  start(): () => void;
  /** Makes one and returns its id. */
  create(name: string, operations?: readonly ScenarioOp[]): string;
  change(id: string, operations: readonly ScenarioOp[]): void;
  undo(id: string): void;
  redo(id: string): void;
  rename(id: string, name: string): void;
  /** Returns the id of the copy; null = there is no such scenario. */
  duplicate(id: string): string | null;
  remove(id: string): void;
  /** Takes a file in as one more scenario and returns its id; throws `bad-argument` where it is none, or of another run or line. */
  importFile(text: string): string;
  exportFile(id: string, file: string | null): string;
}

const ID_BYTES = 5;
const MAX_NAME = 200;

const randomId = (): string => Array.from(crypto.getRandomValues(new Uint8Array(ID_BYTES)), (byte) => byte.toString(16).padStart(2, '0')).join('');

export function createScenarioDesk(storage: Scenarios, runId: string, line: LineRef, now: () => number = Date.now): ScenarioDesk {
  const store = createStore<DeskState>(() => ({ scenarios: null, problem: null, unread: null }));
  const list = (): readonly DeskScenario[] => store.getState().scenarios ?? [];
  const find = (id: string): DeskScenario | undefined => list().find((one) => one.id === id);
  const fail = (error: unknown): void => store.setState({ problem: wordsOf(error) });

  const save = ({ id, name, createdMs, changedMs, edit }: DeskScenario): void => {
    const row: ScenarioRow = { id, runId, line: lineKey(line), name, operations: [...edit.ops], createdMs, changedMs };
    storage.put(row).then(() => store.setState({ problem: null }), fail);
  };
  /** Later than the change before, whatever the clock says. */
  const stamp = (before = 0): number => Math.max(now(), before + 1);
  const update = (id: string, next: (before: DeskScenario) => DeskScenario): void => {
    const before = find(id);
    if (!before) return;
    const after = { ...next(before), changedMs: stamp(before.changedMs) };
    store.setState({ scenarios: list().map((one) => (one.id === id ? after : one)) });
    save(after);
  };
  const add = (name: string, operations: readonly ScenarioOp[]): string => {
    const at = stamp(list().at(-1)?.createdMs);
    const made: DeskScenario = { id: randomId(), name: freeName(name, list()), createdMs: at, changedMs: at, edit: startEditing(operations) };
    store.setState({ scenarios: [...list(), made] });
    save(made);
    return made.id;
  };
  const gone = new Set<string>();
  const take = (rows: readonly ScenarioRow[]): void => {
    const stored = new Set(rows.map(({ id }) => id));
    const taken = rows.filter(({ id }) => !gone.has(id)).map((row) => taking(row, find(row.id)));
    // What was made a moment ago may not be in storage yet.
    const waiting = list().filter((one) => !stored.has(one.id) && !known.has(one.id));
    for (const { id } of rows) known.add(id);
    store.setState({ scenarios: [...taken, ...waiting].sort((a, b) => a.createdMs - b.createdMs || a.id.localeCompare(b.id)) });
  };
  const known = new Set<string>();

  return {
    ...store,
    start: () => storage.observe(runId, line, take, (error) => store.setState({ unread: wordsOf(error) })),
    create: (name, operations = []) => add(name, operations),
    change: (id, operations) => update(id, (one) => ({ ...one, edit: change(one.edit, operations) })),
    undo: (id) => update(id, (one) => ({ ...one, edit: undo(one.edit) })),
    redo: (id) => update(id, (one) => ({ ...one, edit: redo(one.edit) })),
    rename: (id, name) => update(id, (one) => ({ ...one, name: freeName(name, list().filter((other) => other.id !== id)) })),
    duplicate: (id) => {
      const one = find(id);
      return one ? add(one.name, one.edit.ops) : null;
    },
    remove: (id) => {
      gone.add(id);
      store.setState({ scenarios: list().filter((one) => one.id !== id) });
      storage.remove(id).catch(fail);
    },
    importFile: (text) => {
      const scenario = parseScenario(text);
      ensureScenarioFits(scenario, runId, line);
      return add(scenario.name, scenario.operations);
    },
    exportFile: (id, file) => {
      const one = find(id);
      return scenarioJson({ name: one?.name ?? '', run: runId, line, operations: [...(one?.edit.ops ?? [])] }, file);
    },
  };
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A stored row beside what is edited here: an older one is the echo of a change of ours. */
function taking(row: ScenarioRow, here: DeskScenario | undefined): DeskScenario {
  if (here && row.changedMs <= here.changedMs) return here;
  const { id, name, createdMs, changedMs } = row;
  const operations = readable(row);
  return { id, name, createdMs, changedMs, edit: here ? change(here.edit, operations) : startEditing(operations) };
}

/** Rows are ours, yet a damaged one must not take the page with it. */
function readable({ operations }: ScenarioRow): ScenarioOp[] {
  try {
    return checkedOps(operations);
  } catch {
    return [];
  }
}

/** The name, or with the first number behind it that makes it one of its own. */
export function freeName(name: string, others: readonly { name: string }[]): string {
  const wanted = name.trim().slice(0, MAX_NAME) || 'Scenario';
  const taken = new Set(others.map((other) => other.name));
  if (!taken.has(wanted)) return wanted;
  const stem = wanted.replace(/ \d+$/, '');
  for (let k = 2; ; k++) {
    const end = ` ${k}`;
    const numbered = stem.slice(0, MAX_NAME - end.length) + end;
    if (!taken.has(numbered)) return numbered;
  }
}
