/**
 * Who needs a marker because its protocol partner is gone (model.md §3, invariant 4): a result whose call is no longer
 * shown, or a call some of whose results are gone, becomes ordinary context under a marker, and the marker is counted.
 * What the record itself lacks (a call that never got an answer) is no op's doing and costs nothing here.
 */
import { isStripped } from './block-graph';
import { KIND } from './kinds';
import type { BlockColumns } from './block-columns';
import type { PieceCounter } from './pieces';
import type { Stream } from './stream';

/** The part of the workspace it works on. */
export interface MarkedWorkspace {
  readonly columns: BlockColumns;
  readonly stream: Stream;
  readonly pieces: PieceCounter;
  isVisible(item: number): boolean;
  markerChanged(item: number, delta: number): void;
}

export class ProtocolMarks {
  private marked = new Uint8Array(256);
  private firstResult = new Int32Array(256).fill(-1);
  private lastResult = new Int32Array(256).fill(-1);
  private nextResult = new Int32Array(256).fill(-1);
  /** Call of the group a slot belongs to; -1 = none. */
  private groupOf = new Int32Array(256).fill(-1);

  constructor(private readonly workspace: MarkedWorkspace) {}

  ensure(items: number): void {
    if (items <= this.marked.length) return;
    const capacity = Math.max(items, this.marked.length * 2);
    const marked = new Uint8Array(capacity);
    marked.set(this.marked);
    this.marked = marked;
    const grow = (old: Int32Array): Int32Array<ArrayBuffer> => {
      const larger = new Int32Array(capacity).fill(-1);
      larger.set(old);
      return larger;
    };
    this.firstResult = grow(this.firstResult);
    this.lastResult = grow(this.lastResult);
    this.nextResult = grow(this.nextResult);
    this.groupOf = grow(this.groupOf);
  }

  /** A block leaves the stream: its marker went with it. */
  forget(item: number): void {
    this.marked[item] = 0;
  }

  /** A block is about to enter the stream for the first time. */
  register(item: number): void {
    const { columns } = this.workspace;
    if (columns.kind.get(item) !== KIND.tool_result) return;
    const call = columns.parent.get(item);
    if (call < 0) return;
    this.groupOf[item] = call;
    this.groupOf[call] = call;
    if ((this.firstResult[call] ?? -1) < 0) this.firstResult[call] = item;
    else this.nextResult[this.lastResult[call] ?? call] = item;
    this.lastResult[call] = item;
  }

  isMarked(item: number): boolean {
    return this.marked[item] === 1;
  }

  tokensOf(item: number): number {
    return this.marked[item] === 1 ? this.tokensFor(item) : 0;
  }

  /** Call of the exchange that a slot belongs to, or -1. */
  callOf(slot: number): number {
    return this.groupOf[slot] ?? -1;
  }

  /** Visible blocks of the exchange of a call, in order; stand-ins of single members included. */
  exchange(call: number): number[] {
    const { stream } = this.workspace;
    const shown: number[] = [];
    for (let slot = call; slot >= 0; slot = slot === call ? (this.firstResult[call] ?? -1) : (this.nextResult[slot] ?? -1)) {
      const item = stream.at(slot);
      if (item >= 0) shown.push(item);
    }
    return shown;
  }

  slotChanged(slot: number): void {
    const call = this.groupOf[slot] ?? -1;
    if (call < 0) return;
    const { workspace } = this;
    const shownCall = this.shownCall(call);
    let complete = workspace.isVisible(shownCall);
    for (let result = this.firstResult[call] ?? -1; complete && result >= 0; result = this.nextResult[result] ?? -1) complete = this.answers(result);
    this.mark(shownCall, !complete);
    for (let result = this.firstResult[call] ?? -1; result >= 0; result = this.nextResult[result] ?? -1) this.mark(result, !complete);
  }

  /** The call itself, or what shows it without its reasoning. */
  private shownCall(call: number): number {
    const { columns, stream } = this.workspace;
    const item = stream.at(call);
    return item >= 0 && isStripped(columns.kind.get(item), columns.base.get(item)) ? item : call;
  }

  /** Is the slot of a result filled by it or by something that stands for it alone? */
  private answers(result: number): boolean {
    const { columns, stream } = this.workspace;
    const item = stream.at(result);
    return item === result || (item >= 0 && columns.memberCount(item) === 1);
  }

  private tokensFor(item: number): number {
    return markTokens(this.workspace.pieces, this.workspace.columns.kind.get(item), item);
  }

  private mark(item: number, needed: boolean): void {
    const flag = needed && this.workspace.isVisible(item) ? 1 : 0;
    if (this.marked[item] === flag) return;
    const tokens = this.tokensFor(item);
    this.marked[item] = flag;
    this.workspace.markerChanged(item, flag === 1 ? tokens : -tokens);
  }
}

/** Tokens of the marker of a block that lost its protocol partner (texts: wording.ts). */
export function markTokens(pieces: PieceCounter, kind: number, item: number): number {
  return pieces.word(kind === KIND.tool_result ? '[VISIBLE:B' : '[TOOL_CALL_CONTEXT:B') + pieces.number(item + 1) + pieces.word(']\n');
}

/** Tokens of the id that a message begins with (text: wording.ts). */
export function idTokens(pieces: PieceCounter, item: number): number {
  return pieces.word('[B') + pieces.number(item + 1) + pieces.word('] ');
}
