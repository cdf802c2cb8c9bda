import { ContextscopeError, isCancelled, throwIfCancelled } from '../core/base/errors';
import type { CorpusFailure } from '../core/corpus/corpus-files';
import { corpusPartKey, settingsKey } from '../core/corpus/part-key';
import { comparePaths, runNames } from '../core/corpus/run-names';
import type { CorpusSettings } from '../core/corpus/types';
import type { EncoderId } from '../core/embedding/types';
import type { Repository } from '../storage/repository';
import type { Corpus, CorpusItem, CorpusItemState, CorpusOptions, CorpusOutcome } from './corpus-api';
import { CorpusLane, type LaneParts } from './corpus-lane';
import { CorpusProgress } from './corpus-progress';
import type { StoredPart } from './corpus-reduce';
import type { RpcClient } from './rpc-client';

export interface CorpusClientParts extends Omit<LaneParts, 'worker' | 'repository' | 'alone'> {
  repository: LaneParts['repository'] & Pick<Repository, 'hasCorpusParts' | 'putCorpusPart'>;
  /** One worker a lane: while one run is embedded, another is measured. */
  workers: readonly RpcClient[];
}

/** What is found out of an item before it is mapped. */
interface Known { item: CorpusItem; sha256: string; key: string; stored: boolean }

/** The page's side of corpus runs: shares the items out to its workers and keeps what they made. */
export class CorpusClient implements Corpus {
  constructor(private readonly parts: CorpusClientParts) {}

  async known(items: readonly CorpusItem[], encoder: EncoderId, settings: CorpusSettings): Promise<boolean[]> {
    const of = settingsKey(encoder, settings);
    const keys = items.map((item) => ('runId' in item ? keyOf(item.runId, of) : ''));
    const stored = await this.parts.repository.hasCorpusParts(keys);
    return items.map((item, i) => 'runId' in item && (stored[i] ?? false));
  }

  async run(given: readonly CorpusItem[], encoder: EncoderId, settings: CorpusSettings, options: CorpusOptions = {}): Promise<CorpusOutcome> {
    if (given.length === 0) throw new ContextscopeError('bad-argument', 'Expected at least one run, found none.');
    const { signal, onItem, onProgress, onlyKnown = false } = options;
    const progress = new CorpusProgress(given, onProgress);
    const say = (index: number, state: CorpusItemState): void => {
      progress.note(index, state);
      onItem?.(index, state);
    };
    // By name: neither the order of the library nor which run was quicker may show in the tables.
    const order = given.map((_, i) => i).sort((a, b) => comparePaths(given[a]!.path, given[b]!.path) || a - b);
    const stored = new Map<number, Known & { json: string | null }>();
    const failures = new Map<number, CorpusFailure>();
    let made = 0;
    await this.share(order, signal, async (index, lane) => {
      const item = given[index]!;
      try {
        const known = await this.identify(item, encoder, settings, lane, signal);
        if (known.stored || onlyKnown) {
          if (known.stored) stored.set(index, { ...known, json: null });
          say(index, known.stored ? { state: 'done', reused: true } : { state: 'waiting' });
          return;
        }
        const json = await lane.map(item, encoder, settings, (phase, share) => say(index, { state: 'running', phase, share }), signal);
        stored.set(index, { ...known, json: await this.keep(known, json) });
        made++;
        say(index, { state: 'done', reused: false });
      } catch (error) {
        if (isCancelled(error)) throw error;
        const failure = failureOf(item.path, error);
        failures.set(index, failure);
        say(index, { state: 'failed', message: failure.message });
      }
    });
    throwIfCancelled(signal);
    const ready = order.filter((index) => stored.has(index));
    if (ready.length === 0) throw nothingMapped([...failures.values()]);
    progress.reducing();
    const names = new Map(namesOf([...ready.map((index) => stored.get(index)!), ...order.flatMap((index) => (failures.has(index) ? [{ item: given[index]!, sha256: '' }] : []))]));
    const parts: StoredPart[] = ready.map((index) => {
      const { key, json, item } = stored.get(index)!;
      return { key, json, name: names.get(item)! };
    });
    const failed = order.flatMap((index) => {
      const failure = failures.get(index);
      return failure ? [{ ...failure, file: names.get(given[index]!)!, message: failure.message.replaceAll(given[index]!.path, names.get(given[index]!)!) }] : [];
    });
    const outcome = (await this.parts.workers[0]!.call('reduce', [parts, failed], { signal })) as Omit<CorpusOutcome, 'made' | 'reused'>;
    return { ...outcome, made, reused: ready.length - made };
  }

  dispose(): void {
    for (const worker of this.parts.workers) worker.dispose();
  }

  /** Every worker takes the next item when it is free. The first to be cancelled ends all. */
  private async share(order: readonly number[], signal: AbortSignal | undefined, work: (index: number, lane: CorpusLane) => Promise<void>): Promise<void> {
    const waiting = [...order];
    const { workers, repository, embedding, introduce } = this.parts;
    await Promise.all(workers.slice(0, order.length).map(async (worker) => {
      const lane = new CorpusLane({ worker, repository, embedding, introduce, alone: order.length === 1 });
      try {
        for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
          throwIfCancelled(signal);
          await work(index, lane);
        }
      } finally {
        lane.close();
      }
    }));
  }

  private async identify(item: CorpusItem, encoder: EncoderId, settings: CorpusSettings, lane: CorpusLane, signal?: AbortSignal): Promise<Known> {
    const sha256 = 'runId' in item ? item.runId.slice(0, item.runId.lastIndexOf('#')) : await lane.hash(item.blob, signal);
    const key = 'runId' in item ? keyOf(item.runId, settingsKey(encoder, settings)) : corpusPartKey(sha256, 'all', settingsKey(encoder, settings));
    const [stored = false] = await this.parts.repository.hasCorpusParts([key]);
    return { item, sha256, key, stored };
  }

  /** Null once stored; where it cannot be (the disk is full), the text itself: these tables can still be made. */
  private async keep({ key, sha256 }: Known, json: string): Promise<string | null> {
    try {
      await this.parts.repository.putCorpusPart({ key, fileId: sha256, json });
      return null;
    } catch {
      return json;
    }
  }
}

function keyOf(runId: string, settings: string): string {
  const at = runId.lastIndexOf('#');
  return corpusPartKey(runId.slice(0, at), Number(runId.slice(at + 1)), settings);
}

function namesOf(known: readonly { item: CorpusItem; sha256: string }[]): [CorpusItem, string][] {
  const names = runNames(known.map(({ item, sha256 }) => ({ path: item.path, sha256 })));
  return known.map(({ item }, i) => [item, names[i]!]);
}

function failureOf(file: string, error: unknown): CorpusFailure {
  return { file, code: error instanceof ContextscopeError ? error.code : 'internal', message: error instanceof Error ? error.message : String(error) };
}

function nothingMapped(failures: readonly CorpusFailure[]): ContextscopeError {
  const [first] = failures;
  return first
    ? new ContextscopeError('bad-record', `No table could be computed of ${failures.length === 1 ? 'this run' : `any of these ${failures.length} runs`}; ${failures.length === 1 ? '' : 'first: '}${first.message}`, { file: first.file })
    : new ContextscopeError('not-found', 'None of these runs has results for these settings yet.');
}
