/**
 * Replacement: blocks become one summary, in recorded words where the record has them for these blocks, else in a
 * stand-in's. Nothing is done that would not make the context smaller. A summariser's call is charged with what it reads
 * and writes, an agent's with its whole context.
 */
import { TOKENS_PER_MESSAGE } from '../../../trace/blocks-types';
import { KIND } from '../../kinds';
import { NONE, summarise, type By } from '../../operations';
import type { ReplayClass } from '../../types';
import type { PolicySetup } from '../policy';
import { RecordedWords } from './recorded-words';
import { summaryText, within, type SummaryForm, type SummaryWords } from './summary-text';

export interface CompactorOptions {
  heading: string;
  /** Most tokens of a summary. */
  limit: number;
  op?: 'summarise' | 'fold';
  form?: SummaryForm;
  /** Earlier summaries keep their words, and the new ones follow; the oldest words go when the limit is reached. */
  accumulate?: boolean;
  /** Who is paid: a summariser reads the blocks, an agent its whole context; a rule costs nothing. Default summariser. */
  writer?: 'summariser' | 'agent';
}

export class Compactor {
  private readonly words: RecordedWords;
  private standIns = 0;
  private recorded = 0;

  constructor(private readonly setup: PolicySetup, private readonly options: CompactorOptions) {
    this.words = new RecordedWords(setup.ws, setup.recorded);
  }

  /** Free blocks born up to `lastBorn` that are not of the last round, in stream order. */
  olderThan(lastBorn: number, except?: ReadonlySet<number>): number[] {
    const { ws } = this.setup;
    const items: number[] = [];
    for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) {
      const born = ws.columns.bornStep.get(slot);
      if (born > lastBorn || born >= ws.step) break;
      const item = ws.stream.at(slot);
      if (ws.isFree(item) && !ws.isFresh(item) && except?.has(item) !== true) items.push(item);
    }
    return items;
  }

  /** Replaces the blocks by one summary. False when there is nothing but an earlier summary, or nothing would be gained. */
  compact(items: readonly number[], by: By): boolean {
    const { ws, management } = this.setup;
    const { op = 'summarise', writer = 'summariser' } = this.options;
    const taken = items.filter((item) => ws.isFree(item) && !ws.isFresh(item));
    if (!taken.some((item) => ws.columns.kind.get(item) !== KIND.summary || ws.columns.base.get(item) >= 0)) return false;
    let freed = 0;
    let read = 0;
    for (const item of taken) {
      freed += ws.costOf(item);
      read += ws.columns.tokens.get(item);
    }
    const found = this.words.find(taken);
    if (found && 'block' in found) {
      summarise(ws, op, taken, null, by);
      this.recorded += 1;
      management.charge(ws.step, writer === 'agent' ? Math.min(ws.size + freed, ws.budget) : read, ws.columns.tokens.get(found.block));
      return true;
    }
    const { text, tokens } = found ? { text: found.text, tokens: ws.setup.count(found.text) } : this.write(taken);
    if (tokens + TOKENS_PER_MESSAGE >= freed) return false;
    const input = writer === 'agent' ? Math.min(ws.size, ws.budget) : read;
    if (summarise(ws, op, taken, text, by, tokens) === NONE) return false;
    if (found) this.recorded += 1;
    else this.standIns += 1;
    management.charge(ws.step, input, tokens);
    return true;
  }

  /** `recorded-words` when every summary so far came from the record; null = none was made. */
  get usedClass(): ReplayClass | null {
    if (this.standIns > 0) return 'stand-in';
    return this.recorded > 0 ? 'recorded-words' : null;
  }

  private write(items: readonly number[]): SummaryWords {
    const { ws } = this.setup;
    const { heading, limit, form, accumulate } = this.options;
    if (!accumulate) return summaryText(ws, items, limit, heading, form);
    const isOld = (item: number): boolean => ws.columns.kind.get(item) === KIND.summary && ws.columns.base.get(item) < 0;
    const old = items.filter(isOld).flatMap((item) => (ws.columns.text[item] ?? '').split('\n').slice(1));
    const entry = summaryText(ws, items.filter((item) => !isOld(item)), Math.ceil(limit / ENTRIES), heading, form);
    const added = entry.text.split('\n').slice(1).join(' ');
    let lines = [...old, `- ${added}`];
    let whole = `${heading}\n${lines.join('\n')}`;
    let tokens = ws.setup.count(whole);
    while (tokens > limit && lines.length > 1) {
      // The oldest entries go, a quarter at a time.
      lines = lines.slice(Math.ceil(lines.length / 4));
      whole = `${heading}\n${lines.join('\n')}`;
      tokens = ws.setup.count(whole);
    }
    return tokens > limit ? within(ws, whole, limit) : { text: whole, tokens };
  }
}

/** Entries that a cumulative summary has room for. */
const ENTRIES = 8;
