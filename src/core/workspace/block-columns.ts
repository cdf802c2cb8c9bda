/** The growing columns of a replay's blocks: base blocks as they are admitted and the ones that ops make. */
import { growF64, growI32, growU16, growU32 } from '../base/growable';
import type { BlockTable } from '../trace/blocks-types';
import { standsForOthers } from './block-graph';
import { KIND } from './kinds';
import type { ReplayBlocks } from './types';

/** Levels are one byte a block; deeper bundles (a budget that only just holds) say 255. */
const MAX_LEVEL = 255;

export interface MadeBlock {
  kind: number;
  bornStep: number;
  /** Tokens of its own text. */
  tokens: number;
  level: number;
  parent: number;
  text: string;
  members: readonly number[];
  range?: readonly [number, number];
  checksum?: string;
}

const utf8 = new TextEncoder();
/** Room for the bytes of a stand-in's text, so that their number needs no array of its own each time. */
const room = new Uint8Array(65_536);

function bytesOf(text: string): number {
  // UTF-8 needs at most three bytes a UTF-16 unit.
  return text.length * 3 <= room.length ? utf8.encodeInto(text, room).written : utf8.encode(text).length;
}

export class BlockColumns {
  readonly base = growI32();
  readonly kind = growU16();
  readonly bornStep = growU32();
  readonly tokens = growU32();
  readonly level = growU16();
  readonly parent = growI32();
  /** Position in the stream: its own index, or that of the first block it stands for. */
  readonly slot = growI32();
  readonly payloadTokens = growU32();
  readonly payloadBytes = growF64();
  readonly text: (string | undefined)[] = [];
  readonly checksum: (string | undefined)[] = [];
  private readonly memberStart = growU32();
  private readonly members = growU32();
  private readonly range = growF64();
  /** The stand-in that took a block's place last; -1 = none. */
  readonly container = growI32();
  /** Where its bytes begin in the payload of its container. */
  readonly offset = growF64();
  /** Base block → replay index; -1 = not admitted yet. */
  readonly itemOfBase: Int32Array;

  constructor(readonly table: BlockTable) {
    this.itemOfBase = new Int32Array(table.n).fill(-1);
    this.memberStart.push(0);
  }

  get n(): number {
    return this.base.length;
  }

  addBase(base: number): number {
    const { table } = this;
    const item = this.base.push(base);
    this.itemOfBase[base] = item;
    this.kind.push(table.kind[base] ?? 0);
    this.bornStep.push(table.bornStep[base] ?? 1);
    this.tokens.push(table.tokens[base] ?? 0);
    this.level.push(0);
    const parent = table.parent[base] ?? -1;
    this.parent.push(parent < 0 ? -1 : (this.itemOfBase[parent] ?? -1));
    this.slot.push(item);
    this.payloadTokens.push(table.tokens[base] ?? 0);
    this.payloadBytes.push(table.bytes[base] ?? 0);
    this.finish(undefined, undefined, NaN, NaN);
    return item;
  }

  addMade(made: MadeBlock): number {
    const item = this.base.push(-1);
    this.kind.push(made.kind);
    this.bornStep.push(made.bornStep);
    this.tokens.push(made.tokens);
    this.level.push(Math.min(made.level, MAX_LEVEL));
    this.parent.push(made.parent);
    const first = made.members[0];
    this.slot.push(made.kind === KIND.recovered || first === undefined ? item : this.slot.get(first));
    let tokens = 0;
    let bytes = 0;
    for (const member of made.members) {
      if (made.kind !== KIND.recovered) {
        this.container.set(member, item);
        this.offset.set(member, bytes);
      }
      tokens += this.payloadTokens.get(member);
      bytes += this.payloadBytes.get(member);
      this.members.push(member);
    }
    if (made.members.length === 0 || !standsForOthers(made.kind)) {
      // A copy read by bytes and a summary are payloads of their own.
      tokens = made.tokens;
      bytes = made.range ? made.range[1] - made.range[0] : bytesOf(made.text);
    }
    this.payloadTokens.push(tokens);
    this.payloadBytes.push(bytes);
    this.finish(made.text, made.checksum, made.range?.[0] ?? NaN, made.range?.[1] ?? NaN);
    return item;
  }

  memberCount(item: number): number {
    return this.memberStart.get(item + 1) - this.memberStart.get(item);
  }

  member(item: number, k: number): number {
    return this.members.get(this.memberStart.get(item) + k);
  }

  membersOf(item: number): number[] {
    return Array.from({ length: this.memberCount(item) }, (_, k) => this.member(item, k));
  }

  toReplayBlocks(): ReplayBlocks {
    return {
      n: this.n,
      base: this.base.toArray(), kind: Uint8Array.from(this.kind.toArray()), bornStep: this.bornStep.toArray(), tokens: this.tokens.toArray(),
      level: Uint8Array.from(this.level.toArray()), parent: this.parent.toArray(), text: this.text,
      memberStart: this.memberStart.toArray(), members: this.members.toArray(), recoveredRange: this.range.toArray(),
      payloadTokens: this.payloadTokens.toArray(), payloadBytes: this.payloadBytes.toArray(), checksum: this.checksum,
    };
  }

  private finish(text: string | undefined, checksum: string | undefined, from: number, to: number): void {
    this.text.push(text);
    this.checksum.push(checksum);
    this.range.push(from);
    this.range.push(to);
    this.container.push(-1);
    this.offset.push(0);
    this.memberStart.push(this.members.length);
  }
}
