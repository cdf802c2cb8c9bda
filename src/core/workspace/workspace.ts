/**
 * The live workspace (model.md §3): visible stream, archive and pins with running sums, so that an op costs
 * O(log blocks) and a step costs what changed in it. Ops go through `operations.ts`; this file keeps the books.
 */
import { TOKENS_ONCE, TOKENS_PER_MESSAGE, type LineFacts } from '../trace/blocks-types';
import type { BlockTable } from '../trace/blocks-types';
import { BlockColumns, type MadeBlock } from './block-columns';
import { isStripped, type BlockGraph } from './block-graph';
import { ROW_STATUS, type DashboardChoice, type RowFacts } from './dashboard-rows';
import { DashboardLedger } from './dashboard-ledger';
import { HistoryBuilder } from './history';
import { KIND, STATUS, SWATCH, SWATCH_OF_KIND } from './kinds';
import { PieceCounter } from './pieces';
import { idTokens, ProtocolMarks } from './protocol-marks';
import { Stream } from './stream';
import type { StatusSink } from './transition';
import { SWATCHES, type Op } from './types';

export interface WorkspaceSetup {
  table: BlockTable;
  facts: LineFacts;
  budget: number;
  dashboard: DashboardChoice;
  /** Protocol text and tool schemas of an agent-controlled policy, tokens. */
  protocolTokens: number;
  /** Can everything that was taken out (masked, cleared, summarised too) be brought back byte for byte? Default false. */
  keepsRemoved?: boolean;
  /** Does every message begin with its block's id (ACM)? Default false. */
  showsIds?: boolean;
  count: (text: string) => number;
}

const STORED = new Set<number>([STATUS.archived, STATUS.offloaded, STATUS.rejected]);
const STORED_BY_EXACT_RECOVERY = new Set<number>([...STORED, STATUS.masked, STATUS.cleared, STATUS.summarised]);

export class Workspace implements StatusSink {
  step = 0;
  readonly columns: BlockColumns;
  readonly stream = new Stream();
  readonly history = new HistoryBuilder();
  readonly pieces: PieceCounter;
  readonly ops: Op[] = [];
  readonly budget: number;
  readonly graph: BlockGraph;
  /** Tokens by swatch of what is visible; the fixed part is not in it. */
  readonly swatches = new Float64Array(SWATCHES.length);
  readonly marks: ProtocolMarks;
  /** Visible recovered copies of each block. */
  private copies = new Uint16Array(256);
  private status = new Uint8Array(256);
  private pinned = new Uint8Array(256);
  private readonly ledger: DashboardLedger;
  private readonly stored: ReadonlySet<number>;
  private readonly fixed: number;
  private visibleCost = 0;
  private protectedCost = 0;
  private visibleCount = 0;
  private pinnedCount = 0;
  private systemTokens = 0;
  /** The dashboard's size is asked for again and again between two changes. */
  private measured = false;
  private measuredStep = 0;
  private measuredDashboard = 0;

  constructor(readonly setup: WorkspaceSetup) {
    this.columns = new BlockColumns(setup.table);
    this.pieces = new PieceCounter(setup.count);
    this.budget = setup.budget;
    this.ledger = new DashboardLedger(setup.dashboard, this.pieces);
    this.marks = new ProtocolMarks(this);
    this.stored = setup.keepsRemoved ? STORED_BY_EXACT_RECOVERY : STORED;
    this.fixed = setup.facts.toolSchemaTokens + setup.protocolTokens + TOKENS_ONCE;
    const { columns } = this;
    this.graph = {
      kindOf: (item) => columns.kind.get(item),
      memberCount: (item) => columns.memberCount(item),
      member: (item, k) => columns.member(item, k),
    };
  }

  /** Fixed part that is always there: tool schemas, protocol and the once-a-request overhead. */
  get fixedTokens(): number {
    return this.fixed;
  }

  /** |C̃| without the dashboard. */
  get othersSize(): number {
    return this.fixed + this.visibleCost;
  }

  get dashboardSize(): number {
    if (this.measured && this.measuredStep === this.step) return this.measuredDashboard;
    this.measured = true;
    this.measuredStep = this.step;
    this.measuredDashboard = this.measureDashboard();
    return this.measuredDashboard;
  }

  private measureDashboard(): number {
    const log = this.columns.n;
    return this.ledger.size(this.step, this.othersSize, this.fixed - TOKENS_ONCE + this.systemTokens, this.budget, {
      log, visible: this.visibleCount, removed: log - this.visibleCount, pinned: this.pinnedCount,
    });
  }

  /** |C̃|: everything that would be sent now. */
  get size(): number {
    return this.othersSize + this.dashboardSize;
  }

  /** Does the dashboard list blocks one by one? */
  get listsBlocks(): boolean {
    return this.ledger.hasRows;
  }

  /** Cost of what no policy may touch: system, task and pinned blocks. */
  get protectedSize(): number {
    return this.protectedCost;
  }

  statusOf(item: number): number {
    return this.status[item] ?? STATUS.unborn;
  }

  isVisible(item: number): boolean {
    return this.status[item] === STATUS.visible;
  }

  isPinned(item: number): boolean {
    return this.pinned[item] === 1;
  }

  /** Gone from the stream, but its bytes can be brought back. */
  isStored(item: number): boolean {
    return this.stored.has(this.statusOf(item));
  }

  /** System prompt and task: no policy ever takes them out. */
  isProtected(item: number): boolean {
    const kind = this.columns.kind.get(item);
    return kind === KIND.system || kind === KIND.task;
  }

  /** Part of the last round: it arrived (or came back) since the last call. Stand-ins made meanwhile are not. */
  isFresh(item: number): boolean {
    return this.columns.bornStep.get(item) >= this.step && (this.columns.base.get(item) >= 0 || this.columns.kind.get(item) === KIND.recovered);
  }

  /** May a policy's own rule take it out now? */
  isFree(item: number): boolean {
    return this.isVisible(item) && !this.isPinned(item) && !this.isProtected(item);
  }

  /** Does some visible block hold this block's bytes: itself or a recovered copy? */
  isHeld(item: number): boolean {
    return this.isVisible(item) || (this.copies[item] ?? 0) > 0;
  }

  /** Tokens a block takes in the rendering, message overhead and marker included. */
  costOf(item: number): number {
    const own = this.columns.tokens.get(item) + TOKENS_PER_MESSAGE + this.marks.tokensOf(item);
    return this.setup.showsIds ? own + idTokens(this.pieces, item) : own;
  }

  addBase(base: number): number {
    this.measured = false;
    const item = this.columns.addBase(base);
    this.ensure(item + 1);
    return item;
  }

  addMade(made: MadeBlock): number {
    this.measured = false;
    const item = this.columns.addMade(made);
    this.ensure(item + 1);
    return item;
  }

  setStatus(item: number, status: number): void {
    this.measured = false;
    const before = this.statusOf(item);
    if (before === status) return;
    if (before === STATUS.unborn) this.marks.register(item);
    if (before === STATUS.visible) {
      this.book(item, -1);
      this.marks.forget(item);
    }
    this.status[item] = status;
    const slot = this.columns.slot.get(item);
    if (status === STATUS.visible) {
      this.stream.show(slot, item);
      this.book(item, 1);
    } else if (before === STATUS.visible) this.stream.hide(slot);
    this.history.note(item, this.step, status, this.pinned[item] ?? 0);
    this.updateRow(item);
    this.marks.slotChanged(slot);
  }

  setPinned(item: number, pinned: boolean): void {
    this.measured = false;
    const flag = pinned ? 1 : 0;
    if (this.pinned[item] === flag) return;
    const visible = this.isVisible(item);
    if (visible) this.book(item, -1);
    this.pinned[item] = flag;
    if (visible) this.book(item, 1);
    this.history.note(item, this.step, this.statusOf(item), flag);
    this.updateRow(item);
  }

  /** Called by the marks when a block's marker appears or goes: its cost changes by `delta`. */
  markerChanged(item: number, delta: number): void {
    this.measured = false;
    this.visibleCost += delta;
    if (this.isProtected(item) || this.isPinned(item)) this.protectedCost += delta;
    const swatch = this.swatchOf(item);
    this.swatches[swatch] = (this.swatches[swatch] ?? 0) + delta;
    const slot = this.columns.slot.get(item);
    this.stream.addCost(slot, delta);
    this.stream.touch(slot);
  }

  swatchOf(item: number): number {
    const kind = this.columns.kind.get(item);
    if (kind === KIND.recovered) {
      if (this.columns.memberCount(item) > 0) return this.swatchOf(this.columns.member(item, 0));
      return SWATCH.tool_result;
    }
    const base = this.columns.base.get(item);
    if (base >= 0 && this.columns.table.isError[base] === 1) return SWATCH.notice;
    return SWATCH_OF_KIND[kind] ?? SWATCH.user;
  }

  /** Adds (1) or takes back (−1) a visible block in every running sum. */
  private book(item: number, sign: 1 | -1): void {
    const { columns } = this;
    const cost = this.costOf(item);
    const kind = columns.kind.get(item);
    this.visibleCost += sign * cost;
    this.visibleCount += sign;
    if (this.isPinned(item)) this.pinnedCount += sign;
    if (this.isProtected(item) || this.isPinned(item)) this.protectedCost += sign * cost;
    if (kind === KIND.system) this.systemTokens += sign * columns.tokens.get(item);
    const base = columns.base.get(item);
    const reasoning = base < 0 ? 0 : (columns.table.reasoningTokens[base] ?? 0);
    const swatch = this.swatchOf(item);
    this.swatches[swatch]! += sign * (cost - reasoning);
    this.swatches[SWATCH.reasoning]! += sign * reasoning;
    this.stream.addCost(columns.slot.get(item), sign * cost);
    if (kind === KIND.recovered || isStripped(kind, base)) {
      for (let k = 0; k < columns.memberCount(item); k++) this.copies[columns.member(item, k)]! += sign;
    }
  }

  private updateRow(item: number): void {
    if (this.ledger.hasRows) this.ledger.setRow(item, this.rowFacts(item), this.columns.bornStep.get(item));
  }

  private rowFacts(item: number): RowFacts | null {
    return rowOf(this.columns, item, this.statusOf(item), this.isPinned(item), this.setup.dashboard.foldArchived);
  }

  private ensure(items: number): void {
    this.stream.ensure(items);
    this.marks.ensure(items);
    if (items <= this.status.length) return;
    const capacity = Math.max(items, this.status.length * 2);
    const bytes = (old: Uint8Array): Uint8Array<ArrayBuffer> => {
      const larger = new Uint8Array(capacity);
      larger.set(old);
      return larger;
    };
    this.status = bytes(this.status);
    this.pinned = bytes(this.pinned);
    const copies = new Uint16Array(capacity);
    copies.set(this.copies);
    this.copies = copies;
  }
}

interface RowColumns {
  kind: { get(item: number): number };
  tokens: { get(item: number): number };
  payloadTokens: { get(item: number): number };
  level: { get(item: number): number };
  parent: { get(item: number): number };
  memberCount(item: number): number;
}

/** The dashboard row of a block, or null when it has none. The one rule for the running sums and for the text. */
export function rowOf(columns: RowColumns, item: number, status: number, pinned: boolean, foldArchived: boolean): RowFacts | null {
  const kind = columns.kind.get(item);
  const standIn = kind === KIND.handle || kind === KIND.placeholder || kind === KIND.notice;
  let word: number;
  if (status === STATUS.visible) {
    if (standIn && !foldArchived) return null;
    word = pinned ? ROW_STATUS.pinned : kind === KIND.handle ? ROW_STATUS.archived : standIn ? ROW_STATUS.offloaded : ROW_STATUS.visible;
  } else {
    if (foldArchived || standIn || kind === KIND.recovered || !STORED.has(status)) return null;
    word = status === STATUS.archived ? ROW_STATUS.archived : ROW_STATUS.offloaded;
  }
  return {
    item, tokens: columns.tokens.get(item), payloadTokens: columns.payloadTokens.get(item), kind, level: columns.level.get(item),
    parent: columns.parent.get(item), status: word, members: standIn ? columns.memberCount(item) : 0,
  };
}
