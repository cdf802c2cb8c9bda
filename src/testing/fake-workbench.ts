/** A workbench in memory over one prepared line: real replays, prepared texts. Analyses that a test does not use reject. */
import { renderPromptRows } from './fake-render';
import { evidenceByAge } from '../core/evidence/evidence-by-age';
import { auditOf } from '../core/workspace/audit';
import { lossAt } from '../core/workspace/loss';
import { summarise } from '../core/workspace/summary';
import type { Message } from '../core/trace/model';
import { lineKey } from '../storage/rows';
import type { ImportOutcome, LibraryRun, OpenLine, ScenarioRow, Scenarios, Workbench } from '../workers/api';
import { replayOf } from './line';

export interface FakeOptions { runs?: LibraryRun[]; line?: OpenLine; messages?: Message[]; importOutcome?: ImportOutcome }

export interface FakeWorkbench extends Workbench {
  /** Names of imported files, in order. */
  imported: string[];
  replays: string[];
}

export function libraryRun(change: Partial<LibraryRun> = {}): LibraryRun {
  return {
    id: `${'a'.repeat(64)}#0`, fileId: 'a'.repeat(64), indexInFile: 0, name: 'test run', fileName: 'run.jsonl', format: 'openai-chat', model: 'model-x',
    steps: 3, messages: 8, threads: 1, peakTokens: 1200, sizeBytes: 4096, createdMs: null, addedMs: 1_700_000_000_000, pinned: false, example: false, ...change,
  };
}

/** Scenarios in memory, as the page's own repository keeps them. */
function fakeScenarios(): Scenarios {
  const rows = new Map<string, ScenarioRow>();
  const observers = new Set<() => void>();
  const tell = (): void => observers.forEach((observer) => observer());
  return {
    observe: (runId, line, onChange) => {
      const observer = (): void => onChange([...rows.values()].filter((row) => row.runId === runId && row.line === lineKey(line)));
      observers.add(observer);
      void Promise.resolve().then(observer);
      return () => observers.delete(observer);
    },
    put: async (row) => {
      rows.set(row.id, row);
      tell();
    },
    remove: async (id) => {
      rows.delete(id);
      tell();
    },
  };
}

export function fakeWorkbench({ runs = [], line, messages = [], importOutcome }: FakeOptions): FakeWorkbench {
  let stored = runs;
  const observers = new Set<(runs: LibraryRun[]) => void>();
  const change = async (next: LibraryRun[]): Promise<void> => {
    stored = next;
    observers.forEach((observer) => observer(stored));
  };
  const opened = (): OpenLine => {
    if (line === undefined) throw new Error('This test prepared no line.');
    return line;
  };
  const absent = (what: string) => (): Promise<never> => Promise.reject(new Error(`${what} is not prepared in this test`));
  const imported: string[] = [];
  const replays: string[] = [];
  return {
    imported,
    replays,
    persistent: true,
    library: {
      list: async () => stored,
      observe: (onChange) => {
        observers.add(onChange);
        onChange(stored);
        return () => observers.delete(onChange);
      },
      rename: (id, name) => change(stored.map((run) => (run.id === id ? { ...run, name } : run))),
      setPinned: (id, pinned) => change(stored.map((run) => (run.id === id ? { ...run, pinned } : run))),
      forget: (id) => change(stored.filter((run) => run.id !== id)),
      forgetAll: () => change([]),
      usage: async () => ({ usedBytes: 1_000_000, quotaBytes: 10_000_000_000, persistent: true }),
      report: async () => null,
    },
    corpus: { known: async (items) => items.map(() => false), run: absent('corpus') },
    scenarios: fakeScenarios(),
    encoders: {
      observe: (onChange) => {
        onChange([]);
        return () => undefined;
      },
      probe: absent('probe'), addOnnx: absent('addOnnx'), addVectors: absent('addVectors'), coverage: absent('coverage'), remove: async () => undefined,
    },
    importFiles: async (files) => {
      imported.push(...files.map(({ name }) => name));
      return importOutcome ?? { reports: [], runs: [], alreadyStored: [], failures: [], overlaps: [] };
    },
    openLine: async () => opened(),
    readMessages: async (_, rows) => Array.from(rows, (row) => messages[row]).filter((message) => message !== undefined),
    readRaw: async (_, row) => [`raw record ${row}`],
    replay: async (from, request) => {
      replays.push(`${request.policy} ${request.budget}`);
      return replayOf(from, request);
    },
    replayMany: async (from, requests, { strips, onOutcome }) => requests.map((request, index) => {
      replays.push(`${request.policy} ${request.budget}`);
      const outcome = { request, summary: summarise(replayOf(from, request), strips) };
      onOutcome?.(index, outcome);
      return outcome;
    }),
    lossAt: async (from, request, step) => lossAt(replayOf(from, request), step, from.blocks, from.evidence, (position) => {
      const message = messages[position];
      if (message === undefined) throw new Error(`This test prepared no message ${position}.`);
      return message;
    }),
    audit: async (from, request) => auditOf(replayOf(from, request), from.evidence, from.blocks),
    evidenceByAge: async (from, source) => evidenceByAge(from.evidence, from.blocks, source),
    invariants: absent('invariants'),
    render: async (from, request, step, as) => renderPromptRows(from, replayOf(from, request), step, as),
    embed: async (from, encoder) => ({ encoder, done: from.interactionBlocks.length, total: from.interactionBlocks.length }),
    select: absent('select'),
    lab: absent('lab'),
    geometry: absent('geometry'),
    umap: absent('umap'),
    geometryOverTime: absent('geometryOverTime'),
    search: async (from, { text }) => messages.flatMap((message) => {
      const found = JSON.stringify(message.parts).indexOf(text);
      return found < 0 || message.index >= from.rows.length ? [] : [{ messageIndex: message.index, partIndex: 0, offset: found, length: text.length, excerpt: text }];
    }),
    webGpu: async () => false,
  };
}
