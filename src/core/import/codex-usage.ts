import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Usage } from '../trace/model';
import { timestampMs } from './content-parts';

interface Totals { input: number; cached: number; output: number; reasoning: number; total: number }

function totalsOf(value: unknown): Totals | null {
  const object = asObject(value);
  if (!object) return null;
  const pick = (name: string): number => asNumber(object[name]) ?? 0;
  const totals = { input: pick('input_tokens'), cached: pick('cached_input_tokens'), output: pick('output_tokens'), reasoning: pick('reasoning_output_tokens'), total: pick('total_tokens') };
  return { ...totals, total: totals.total || totals.input + totals.output };
}

const minus = (a: Totals, b: Totals): Totals => ({ input: a.input - b.input, cached: a.cached - b.cached, output: a.output - b.output, reasoning: a.reasoning - b.reasoning, total: a.total - b.total });
const plus = (a: Totals, b: Totals): Totals => minus(a, minus({ input: 0, cached: 0, output: 0, reasoning: 0, total: 0 }, b));

/**
 * Usage of a rollout from its running totals (formats.md §2, import-cases.md D): the same event is written again
 * unchanged, so a call's usage is the difference of two totals. A file that was forked, or that holds a second
 * session_meta, replays the parent's events under new times; what is counted before the first turn of its own is not its.
 */
export class CodexUsage {
  /** Size of the last request and its answer, tokens: the context before a compaction. */
  lastRequest: number | null = null;
  private before: Totals | null = null;
  private readonly perRow = new Map<number, Totals>();
  private replaying = false;
  private ownId: string | undefined;
  private ownStartMs: number | undefined;
  private ownLineMs: number | undefined;

  /** The first session_meta is the file's own; one with another id belongs to the history that was copied into it. */
  session(meta: JsonObject, lineMs: number | undefined): void {
    const id = asString(meta['id']);
    if (this.ownId === undefined) {
      this.ownId = id ?? '';
      this.ownStartMs = uuidTime(id) ?? timestampMs(meta['timestamp']);
      this.ownLineMs = lineMs;
      this.replaying = typeof meta['forked_from_id'] === 'string' || asObject(asObject(meta['source'])?.['subagent']) !== undefined;
    } else if (id !== this.ownId) {
      this.replaying = true;
      this.perRow.clear();
    }
  }

  /** A turn starts. Its id tells when it was made; without one, a replay is written in one go. */
  turn(turnId: string | undefined, lineMs: number | undefined): void {
    if (!this.replaying) return;
    const made = uuidTime(turnId);
    if (made !== undefined && this.ownStartMs !== undefined) this.replaying = made < this.ownStartMs;
    else if (lineMs !== undefined && this.ownLineMs !== undefined) this.replaying = lineMs - this.ownLineMs < 2000;
  }

  /** True = it closes a model call: new tokens were counted, for `row` (the last answer; −1 = there is none). */
  count(info: JsonObject, row: number): boolean {
    const total = totalsOf(info['total_token_usage']);
    const last = totalsOf(info['last_token_usage']);
    if (last) this.lastRequest = last.total;
    if (!total) return false;
    const before = this.before;
    this.before = total;
    if (before?.total === total.total && before.input === total.input) return false;
    const isReset = before !== null && (total.total < before.total || total.input < before.input);
    const delta = before === null ? total : isReset ? last ?? total : minus(total, before);
    if (delta.total === 0 && delta.input === 0) return false;
    if (!this.replaying && row >= 0) this.perRow.set(row, this.perRow.has(row) ? plus(this.perRow.get(row)!, delta) : delta);
    return true;
  }

  each(give: (row: number, usage: Partial<Usage>) => void): void {
    // One class may fall while the sum grows; a call never takes tokens back.
    const own = (value: number): number => Math.max(0, value);
    for (const [row, { input, cached, output, reasoning }] of this.perRow) give(row, { input: own(input - own(cached)), cachedInput: own(cached), output: own(output), reasoning: own(reasoning) });
  }
}

/** Creation time of a version 7 UUID, ms. */
function uuidTime(id: string | undefined): number | undefined {
  return id !== undefined && /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/i.test(id) ? parseInt(id.slice(0, 8) + id.slice(9, 13), 16) : undefined;
}
