import type { Thread, ToolSchema } from '../trace/model';
import { MAIN_THREAD } from './draft';

/** What is known of a thread besides its rows. */
export interface LineFacts { title?: string; parentThread?: string; spawnedBy?: string; tools?: ToolSchema[] }

interface Line { id: string; rows: number[]; facts: LineFacts }

/** Threads of a run whose rows arrive mixed: one line a context window, in the order in which they are first met. */
export class ThreadLines {
  private readonly lines = new Map<string, Line>();

  /** Facts that are given later fill in what earlier ones left out. */
  open(id: string, facts: LineFacts = {}): void {
    const line = this.lines.get(id);
    if (line) line.facts = { ...facts, ...line.facts };
    else this.lines.set(id, { id, rows: [], facts });
  }

  has(id: string): boolean { return this.lines.has(id); }

  add(id: string, row: number): void {
    this.open(id);
    this.lines.get(id)!.rows.push(row);
  }

  /** Where an event of a thread is shown: a thread without rows is none. */
  home(id: string): string { return this.lastRow(id) < 0 ? MAIN_THREAD : id; }

  /** −1 = the thread has no row yet. */
  lastRow(id: string): number { return this.lines.get(id)?.rows.at(-1) ?? -1; }

  /** The main thread comes first and is there even without rows; a thread whose parent is unknown hangs on it. */
  threads(countsReasoning: boolean): Thread[] {
    const main = this.lines.get(MAIN_THREAD) ?? { id: MAIN_THREAD, rows: [], facts: {} };
    const others = [...this.lines.values()].filter((line) => line !== main && line.rows.length > 0);
    return [main, ...others].map(({ id, rows, facts }): Thread => ({
      id, tools: facts.tools ?? [], main: Uint32Array.from(rows), branches: [], countsReasoning,
      ...(facts.title === undefined ? {} : { title: facts.title }),
      ...(id === MAIN_THREAD ? {} : { parentThread: this.parentOf(facts, others) }),
      ...(facts.spawnedBy === undefined ? {} : { spawnedBy: facts.spawnedBy }),
    }));
  }

  private parentOf({ parentThread }: LineFacts, others: readonly Line[]): string {
    return parentThread !== undefined && others.some(({ id }) => id === parentThread) ? parentThread : MAIN_THREAD;
  }
}
