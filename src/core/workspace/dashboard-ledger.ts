/** The dashboard's size as running sums: O(1) a status change, O(log steps) a step, whatever the length of the run. */
import { TOKENS_PER_MESSAGE } from '../trace/blocks-types';
import { ageTail, barCells, frameNumbers, framePieces, hasRow, ROW_STATUSES, rowPieces, type DashboardChoice, type DashboardFigures, type RowFacts } from './dashboard-rows';
import { Fenwick } from './fenwick';
import type { PieceCounter } from './pieces';

/** How often a dashboard that names its own size is measured again until the digits settle. */
const SIZE_ROUNDS = 4;
const AGE_DIGITS = 7;

export class DashboardLedger {
  private rowTokens = 0;
  private readonly bornRows = new Fenwick(256);
  private agedRows = 0;
  private readonly groupRows = ROW_STATUSES.map(() => 0);
  private readonly groupTokens = ROW_STATUSES.map(() => 0);
  /** What each block's row adds, so that it can be taken back exactly. */
  private readonly rows = new Map<number, { tokens: number; born: number; status: number; size: number; aged: boolean }>();
  private lastSize = 0;
  private readonly frameWords: (number | undefined)[] = [];

  constructor(private readonly choice: DashboardChoice, private readonly pieces: PieceCounter) {}

  /** Counted when there are rows: a replay without a dashboard may need no tokenizer at all. */
  private get ageTailTokens(): number {
    return this.pieces.word(ageTail);
  }

  get hasRows(): boolean {
    return this.choice.kind !== 'none';
  }

  /** Sets (or with null removes) the row of a block. */
  setRow(item: number, facts: RowFacts | null, bornStep: number): void {
    const old = this.rows.get(item);
    if (old) this.add(old, -1);
    this.rows.delete(item);
    if (!facts || !hasRow(this.choice.kind, facts)) return;
    const { left, aged, right } = rowPieces(this.choice.kind, facts);
    const row = { tokens: this.pieces.tokens(left) + this.pieces.tokens(right), born: bornStep, status: facts.status, size: facts.tokens, aged };
    this.rows.set(item, row);
    this.add(row, 1);
  }

  /** Tokens of the dashboard message at a step, its own overhead included; 0 when there is none. `others` = |C̃| without it. */
  size(step: number, others: number, fixedOverhead: number, budget: number, counts: Pick<DashboardFigures, 'log' | 'visible' | 'removed' | 'pinned'>): number {
    const { kind } = this.choice;
    if (kind === 'none') return 0;
    const rows = this.rowTokens + (this.agedRows > 0 ? this.ageTokens(step) : 0);
    let size = this.lastSize;
    for (let round = 0; round < SIZE_ROUNDS; round++) {
      const figures: DashboardFigures = {
        budget, used: others + size, fixedOverhead, dashboard: size, ...counts, groupRows: this.groupRows, groupTokens: this.groupTokens,
      };
      const next = this.frameTokens(figures) + rows + TOKENS_PER_MESSAGE;
      if (next === size) break;
      // Digits that do not settle: the larger of the two.
      size = round === SIZE_ROUNDS - 1 ? Math.max(size, next) : next;
    }
    this.lastSize = size;
    return size;
  }

  /** Words of a frame change only with the bar, numbers only by their length: the same sum as over `framePieces`. */
  private frameTokens(figures: DashboardFigures): number {
    const { kind } = this.choice;
    const cells = kind === 'acm-stats' ? 0 : barCells(figures);
    let words = this.frameWords[cells];
    if (words === undefined) {
      words = 0;
      for (const part of framePieces(kind, figures)) for (const piece of part) if (typeof piece === 'string') words += this.pieces.word(piece);
      this.frameWords[cells] = words;
    }
    let numbers = 0;
    for (const value of frameNumbers(kind, figures)) numbers += this.pieces.number(value);
    return words + numbers;
  }

  private add(row: { tokens: number; born: number; status: number; size: number; aged: boolean }, sign: 1 | -1): void {
    this.rowTokens += sign * row.tokens;
    this.groupRows[row.status]! += sign;
    this.groupTokens[row.status]! += sign * row.size;
    if (!row.aged) return;
    this.agedRows += sign;
    this.bornRows.add(row.born, sign);
  }

  /** Age cells by their number of digits: rows born in (step − 10^d, step − 10^(d−1)]. */
  private ageTokens(step: number): number {
    let sum = this.agedRows * this.ageTailTokens;
    let counted = 0;
    let older = 1;
    for (let digits = 1; digits <= AGE_DIGITS; digits++) {
      older *= 10;
      const younger = this.agedRows - this.bornRows.before(step - older + 1);
      sum += (younger - counted) * this.pieces.ofDigits(digits);
      counted = younger;
      if (counted === this.agedRows) break;
    }
    return sum;
  }
}
