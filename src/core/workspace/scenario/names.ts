/** Names of blocks that outlive edits, and what they mean in a live workspace or a finished replay. */
import { BLOCK_KINDS } from '../../trace/blocks-types';
import { forEachLeaf, graphOf, type BlockGraph } from '../block-graph';
import { blockId, blockIndex } from '../kinds';
import type { Replay } from '../types';
import type { Workspace } from '../workspace';
import type { BlockName } from './types';

/** Digits of the content hash in a name: enough to notice another text. */
const HASH_DIGITS = 8;
const BASE = /^base:(\d{1,9})(?:@([0-9a-f]{8}))?$/;
const MADE = /^op:([\w-]{1,64})(?:\.([1-9]\d{0,4}))?$/;
const ENGINE = /^engine:([a-z_]+)@([1-9]\d{0,8}):(\d{1,9})(?:-(\d{1,9})\/(\d{1,9}))?$/;

export const isBlockName = (text: string): boolean => BASE.test(text) || MADE.test(text) || ENGINE.test(text);

export const baseName = (base: number, hash: string | undefined): BlockName => `base:${base}${hash === undefined ? '' : `@${hash.slice(0, HASH_DIGITS)}`}`;
const madeName = (op: string, k: number): BlockName => (k === 0 ? `op:${op}` : `op:${op}.${k + 1}`);

function engineName(graph: BlockGraph, baseOf: (item: number) => number, item: number, step: number): BlockName {
  const leaves: number[] = [];
  forEachLeaf(graph, item, (leaf) => void leaves.push(Math.max(0, baseOf(leaf))));
  const first = leaves[0] ?? 0;
  const kind = BLOCK_KINDS[graph.kindOf(item)] ?? 'block';
  return `engine:${kind}@${step}:${first}${leaves.length > 1 ? `-${leaves.at(-1) ?? first}/${leaves.length}` : ''}`;
}

/** The lasting name of a block of a replay; null = it was made by another policy, so that it is not there by hand. */
export function nameOfBlock(replay: Replay, contentHash: readonly string[], item: number): BlockName | null {
  const base = replay.blocks.base[item] ?? -1;
  if (base >= 0) return baseName(base, contentHash[base]);
  if (replay.outcomes === undefined) return null;
  const id = blockId(item);
  for (const outcome of replay.outcomes) {
    const k = outcome.made.indexOf(id);
    if (k >= 0) return madeName(outcome.id, k);
  }
  const made = replay.ops.find(({ result, actor }) => result === id && actor === 'engine');
  return made ? engineName(graphOf(replay.blocks), (leaf) => replay.blocks.base[leaf] ?? -1, item, made.step) : null;
}

export type Resolved = { item: number } | { problem: string };

/** Looks names up in a workspace while it is replayed. */
export class NameBook {
  private readonly byOperation = new Map<string, number[]>();
  private readonly byEngine = new Map<string, number>();
  private readonly labels = new Map<string, number>();
  private seenOps = 0;

  constructor(private readonly ws: Workspace) {}

  /** What an operation made, in order. */
  noteMade(operation: string, items: readonly number[]): void {
    this.byOperation.set(operation, [...items]);
  }

  noteLabel(label: string, item: number): void {
    this.labels.set(label, item);
  }

  /** What was put away under a label; undefined = nothing so far. */
  ofLabel(label: string): number | undefined {
    return this.labels.get(label);
  }

  get knownLabels(): string[] {
    return [...this.labels.keys()];
  }

  resolve(name: BlockName): Resolved {
    const base = BASE.exec(name);
    if (base) return this.resolveBase(Number(base[1]), base[2]);
    const made = MADE.exec(name);
    if (made) return this.resolveMade(made[1] ?? '', Number(made[2] ?? 1));
    const engine = ENGINE.exec(name);
    if (!engine) return { problem: `“${name}” names no block` };
    this.readEngine();
    const item = this.byEngine.get(name);
    if (item !== undefined) return { item };
    const step = Number(engine[2]);
    const what = `${engine[1]?.replace('_', ' ')} that the engine made in step ${step}`;
    return { problem: step >= this.ws.step ? `the ${what} is made after your operations of that step: act on it one step later` : `the ${what} is not made any more` };
  }

  private resolveBase(base: number, hash: string | undefined): Resolved {
    const { columns, step } = this.ws;
    const { table } = columns;
    if (base >= table.n) return { problem: `block ${base} does not exist: the line has ${table.n} blocks` };
    if (hash !== undefined && !(table.contentHash[base] ?? '').startsWith(hash)) return { problem: `block ${base} of this run holds another text than the one meant` };
    const item = columns.itemOfBase[base] ?? -1;
    return item >= 0 ? { item } : { problem: `the block arrives at step ${table.bornStep[base] ?? 1}, this is step ${step}` };
  }

  private resolveMade(operation: string, k: number): Resolved {
    const items = this.byOperation.get(operation);
    const item = items?.[k - 1];
    if (item !== undefined) return { item };
    return { problem: items === undefined ? 'the operation that makes this block has not been done by then' : 'the operation that made this block does not make it any more' };
  }

  private readEngine(): void {
    const { ws } = this;
    for (; this.seenOps < ws.ops.length; this.seenOps++) {
      const op = ws.ops[this.seenOps];
      if (op?.result === undefined || op.actor !== 'engine') continue;
      const item = blockIndex(op.result);
      this.byEngine.set(engineName(ws.graph, (leaf) => ws.columns.base.get(leaf), item, op.step), item);
    }
  }
}
