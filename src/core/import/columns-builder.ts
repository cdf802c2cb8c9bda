import { growF64, growU16, growU32, growU8 } from '../base/growable';
import type { Growable } from '../base/growable';
import { ROLES } from '../trace/model';
import type { MessageColumns, Part, Role, Span, Usage } from '../trace/model';
import { partChars } from './part-chars';
import { isPossibleTokens } from './possible-usage';

export interface NewRow { role: Role; flags?: number; timestampMs?: number; model?: string; callKey?: string }

const USER = ROLES.indexOf('user');
const USAGE_FIELDS = ['input', 'cachedInput', 'cacheWrite', 'output', 'reasoning'] as const;

/**
 * Grows the columns of one trajectory. Spans, calls and results may be added to any earlier row (Claude Code writes
 * one message over many lines, with other rows in between), so they are kept as (row, value) entries and sorted by row,
 * stably and in linear time, when columns are built. `build` does not consume: it can be called for a first look.
 */
export class ColumnsBuilder {
  private readonly roles = growU8();
  private readonly flags = growU16();
  private readonly times = growF64();
  private readonly models = growU32();
  private readonly callKeys = growU32();
  private readonly usages = growF64();
  private readonly chars = growF64();
  private readonly spans = { row: growU32(), offset: growF64(), length: growU32(), line: growU32() };
  private readonly calls = { row: growU32(), id: growU32(), name: growU32() };
  private readonly results = { row: growU32(), id: growU32(), error: growU8() };
  private readonly strings: string[] = [''];
  private readonly stringIndex = new Map<string, number>([['', 0]]);

  /** Numbers of usage that were dropped because they cannot be true. */
  impossibleUsages = 0;

  get rowCount(): number { return this.roles.length; }
  get callCount(): number { return this.calls.row.length; }

  intern(text: string | undefined): number {
    if (text === undefined) return 0;
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(text) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  addRow(row: NewRow): number {
    this.flags.push(row.flags ?? 0);
    this.times.push(row.timestampMs ?? NaN);
    this.models.push(this.intern(row.model));
    this.callKeys.push(this.intern(row.callKey));
    this.usages.pushRepeated(NaN, USAGE_FIELDS.length);
    this.chars.push(0);
    const role = ROLES.indexOf(row.role);
    // A role that a format took from a table by a key such as "constructor" is none.
    return this.roles.push(role < 0 ? USER : role);
  }

  addSpan(row: number, span: Span): void {
    this.spans.row.push(row);
    this.spans.offset.push(span.byteOffset);
    this.spans.length.push(span.byteLength);
    this.spans.line.push(span.line ?? 0);
  }

  /** Records sizes, calls and results of decoded parts; the parts themselves are not kept. */
  addParts(row: number, parts: readonly Part[]): void {
    for (const part of parts) {
      this.chars.set(row, this.chars.get(row) + partChars(part));
      if (part.type === 'tool_call') {
        this.calls.row.push(row);
        this.calls.id.push(this.intern(part.id));
        this.calls.name.push(this.intern(part.name));
      } else if (part.type === 'tool_result') {
        this.results.row.push(row);
        this.results.id.push(this.intern(part.callId));
        this.results.error.push(part.isError ? 1 : 0);
      }
    }
  }

  role(row: number): Role { return ROLES[this.roles.get(row)] ?? 'user'; }
  rowFlags(row: number): number { return this.flags.get(row); }
  addFlags(row: number, flags: number): void { this.flags.set(row, this.flags.get(row) | flags); }
  setModel(row: number, model: string): void { this.models.set(row, this.intern(model)); }

  /** Provider usage of a row; a record that repeats it (streamed lines) keeps the largest of each class. */
  mergeUsage(row: number, usage: Partial<Usage>): void {
    USAGE_FIELDS.forEach((field, i) => {
      const value = usage[field];
      if (value === undefined || value === null) return;
      if (!isPossibleTokens(value)) {
        this.impossibleUsages++;
        return;
      }
      const at = row * USAGE_FIELDS.length + i;
      const before = this.usages.get(at);
      this.usages.set(at, Number.isNaN(before) ? value : Math.max(before, value));
    });
  }

  build(): MessageColumns {
    const n = this.rowCount;
    const spans = sortByRow(this.spans.row, n);
    const calls = sortByRow(this.calls.row, n);
    const results = sortByRow(this.results.row, n);
    return {
      n,
      role: this.roles.toArray(),
      flags: this.flags.toArray(),
      timestampMs: this.times.toArray(),
      model: this.models.toArray(),
      callKey: this.callKeys.toArray(),
      usage: this.usages.toArray(),
      chars: Uint32Array.from(this.chars.toArray()),
      spanStart: spans.start,
      spanOffset: permute(this.spans.offset.toArray(), spans.order),
      spanLength: permute(this.spans.length.toArray(), spans.order),
      spanLine: permute(this.spans.line.toArray(), spans.order),
      callStart: calls.start,
      callIds: permute(this.calls.id.toArray(), calls.order),
      callNames: permute(this.calls.name.toArray(), calls.order),
      resultStart: results.start,
      resultCallIds: permute(this.results.id.toArray(), results.order),
      resultErrors: permute(this.results.error.toArray(), results.order),
      strings: this.strings.slice(),
    };
  }
}

/** Counting sort: where each row's entries start (n + 1 long), and the entries in row order (null = as they are). */
function sortByRow(rows: Growable<Uint32Array>, n: number): { start: Uint32Array; order: Uint32Array | null } {
  const keys = rows.toArray();
  const start = new Uint32Array(n + 1);
  for (const row of keys) start[row + 1]!++;
  for (let row = 0; row < n; row++) start[row + 1]! += start[row]!;
  // Nearly always in order already.
  if (keys.every((row, i) => i === 0 || keys[i - 1]! <= row)) return { start, order: null };
  const next = start.slice(0, n);
  const order = new Uint32Array(keys.length);
  for (let i = 0; i < keys.length; i++) order[next[keys[i]!]!++] = i;
  return { start, order };
}

function permute<T extends Uint8Array | Uint32Array | Float64Array>(values: T, order: Uint32Array | null): T {
  if (order === null) return values;
  const out = values.slice() as T;
  for (let i = 0; i < order.length; i++) out[i] = values[order[i]!]!;
  return out;
}
