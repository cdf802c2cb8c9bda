import { blobSource, type ByteSource } from '../core/base/byte-source';
import type { TraceReader } from '../core/import/types';
import type { Message, Trajectory } from '../core/trace/model';
import type { Repository } from '../storage/repository';
import type { SearchHit, SearchQuery } from './api';
import { Lru } from './lru';
import { searchMessages } from './search';

export type CreateTraceReader = (source: ByteSource, trajectory: Trajectory) => TraceReader;
export interface OpenRun { trajectory: Trajectory; reader: TraceReader }

/** Columns of two runs are held: the one looked at and the one it is compared with. */
const OPEN_RUNS = 2;

/** Stored runs as columns and a reader over their bytes; the bytes themselves stay in storage. */
export class OpenRuns {
  private readonly runs = new Lru<OpenRun>(OPEN_RUNS);

  constructor(private readonly repository: Pick<Repository, 'trajectory' | 'source'>, private readonly createTraceReader: CreateTraceReader) {}

  /** Rejects 'not-found' for a run that is not in the library. */
  open(runId: string): Promise<OpenRun> {
    return this.runs.get(runId, async () => {
      const [trajectory, { name, blob }] = await Promise.all([this.repository.trajectory(runId), this.repository.source(runId)]);
      return { trajectory, reader: this.createTraceReader(blobSource(name, blob), trajectory) };
    });
  }

  close(runId: string): void {
    this.runs.delete(runId);
  }
}

/** Texts on demand: what the transcript, the inspector and search ask for, apart from heavy computing. */
export class ReadService {
  constructor(private readonly runs: OpenRuns) {}

  async readMessages(runId: string, rows: ArrayLike<number>, signal?: AbortSignal): Promise<Message[]> {
    const { reader } = await this.runs.open(runId);
    const messages: Message[] = [];
    await reader.readMessages(rows, (message) => void messages.push(message), signal);
    return messages;
  }

  async readRaw(runId: string, row: number): Promise<string[]> {
    return (await this.runs.open(runId)).reader.readRaw(row);
  }

  async search(runId: string, rows: ArrayLike<number>, query: SearchQuery, signal?: AbortSignal): Promise<SearchHit[]> {
    return searchMessages((await this.runs.open(runId)).reader, rows, query, signal);
  }
}
