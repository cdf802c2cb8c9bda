/**
 * The loss inspector (evidence.md §1): for each op of a step that took something out of the context, the strings of what
 * went that stand neither in what was put in its place nor in anything that stayed, each with the block it came from.
 */
import { heldTexts } from '../evidence/block-strings';
import { lexemesOf } from '../evidence/lexemes';
import type { EvidenceIndex } from '../evidence/types';
import { blockParts, blockText } from '../trace/block-text';
import type { BlockTable } from '../trace/blocks-types';
import type { Message } from '../trace/model';
import { forEachLeaf, graphOf } from './block-graph';
import { blockIndex, KIND, STATUS } from './kinds';
import { readPayload } from './payload';
import { isKept, stateAt } from './state-at';
import { REMOVING_OPS } from './removing-ops';
import type { Op, Replay } from './types';

export const LOSS_KINDS = ['instruction', 'error', 'path', 'url', 'number', 'identifier', 'literal'] as const;
export type LossKind = (typeof LOSS_KINDS)[number];

export interface LostItem {
  kind: LossKind;
  text: string;
  /** Where it stood first among what went: index in the base table, −1 = in a block that an op made; and replay index. */
  base: number;
  index: number;
  /** Can the policy bring the bytes back? Then it is out of sight, not gone. */
  recoverable: boolean;
  /** First call from this step on that repeats it; 0 = none does. */
  neededAt: number;
}

export interface LossOfOp {
  op: Op;
  /** Replay indices of the blocks with bytes of their own that went. */
  blocks: number[];
  /** Needed again first, then by kind; at most MAX_ITEMS. */
  items: LostItem[];
  /** All that were found, also those beyond MAX_ITEMS. */
  total: number;
  /** Strings of what went that can still be read somewhere in the context. */
  stillThere: number;
}

/** More than a person reads; the count says how many there were. */
const MAX_ITEMS = 400;
const MAX_TEXT = 160;
const ERROR_LINE = /\b(?:\w*(?:Error|Exception)\b|error:|fatal:|panic:|FAILED\b|Traceback\b)/;
/** A dotted name is a file where its ending is one that files have. */
const FILE_NAME = /\.(?:c|cc|cfg|cpp|cs|css|csv|env|go|gz|h|hpp|html?|ini|ipynb|java|jsx?|json|jsonl|kt|lock|log|md|mjs|patch|pdf|php|png|py|rb|rs|scss|sh|sql|svg|swift|tar|toml|traj|tsv|tsx?|txt|vue|xml|ya?ml|zip)$/i;
const decoder = new TextDecoder();
/** A copy owns its bytes, whatever became of its source. */
const NOTHING_DELETED = new Uint8Array(0);

export type MessageAt = (position: number) => Message;
export type LossSource = Pick<BlockTable, 'messageIndex' | 'partFrom' | 'partTo'>;

/** Ops of a step that took something out of the context. */
export function removingOps(replay: Replay, step: number): Op[] {
  const { opStart, n } = replay.steps;
  if (step < 1 || step > n) return [];
  return replay.ops.slice(opStart[step - 1] ?? 0, opStart[step] ?? 0).filter(({ op }) => REMOVING_OPS.has(op));
}

/** Positions of the messages that `lossAt` will ask for, ascending; none where nothing left. */
export function lossMessages(replay: Replay, step: number, messageIndex: ArrayLike<number>): number[] {
  const ops = removingOps(replay, step);
  if (ops.length === 0) return [];
  const graph = graphOf(replay.blocks);
  const positions = new Set<number>();
  const need = (item: number): void => forEachLeaf(graph, item, (leaf) => {
    const base = replay.blocks.base[leaf] ?? -1;
    const source = replay.blocks.parent[leaf] ?? -1;
    if (base >= 0) positions.add(messageIndex[base] ?? 0);
    // A copy that was read by bytes has its source as parent, and no members.
    else if (replay.blocks.kind[leaf] === KIND.recovered && source >= 0) need(source);
  });
  for (const { ids } of ops) for (const id of ids) need(blockIndex(id));
  for (const item of stateAt(replay, step).visible) if (replay.blocks.base[item]! >= 0 || replay.blocks.kind[item] === KIND.recovered) need(item);
  return [...positions].sort((a, b) => a - b);
}

/** What each removal of the step took away. Linear in the texts of the context at that step. */
export function lossAt(replay: Replay, step: number, table: LossSource, evidence: EvidenceIndex, message: MessageAt): LossOfOp[] {
  const ops = removingOps(replay, step);
  if (ops.length === 0) return [];
  const state = stateAt(replay, step);
  const texts = new BlockTexts(replay, table, message);
  const stayed = new Set<string>();
  const stayedTexts: string[] = [];
  for (const item of state.visible) {
    for (const text of texts.of(item)) {
      stayedTexts.push(text);
      for (const lexeme of lexemesOf(text)) stayed.add(lexeme);
    }
  }
  const standsAnywhere = (line: string): boolean => stayedTexts.some((text) => text.includes(line));
  const needed = neededFrom(evidence, step);
  const graph = graphOf(replay.blocks);
  return ops.map((op) => {
    const found = new Map<string, LostItem>();
    const kept = new Set<string>();
    const blocks: number[] = [];
    for (const id of op.ids) forEachLeaf(graph, blockIndex(id), (leaf) => {
      // An op may name a block that another one of the step brought back.
      if (state.status[leaf] === undefined || state.status[leaf] === STATUS.visible || blocks.includes(leaf)) return;
      blocks.push(leaf);
      const base = replay.blocks.base[leaf] ?? -1;
      const recoverable = isKept(state.status[leaf] ?? 0, replay.exactRecovery);
      const put = (kind: LossKind, text: string, there: boolean): void => {
        if (there) kept.add(text);
        else if (!found.has(text)) found.set(text, { kind, text: text.slice(0, MAX_TEXT), base, index: leaf, recoverable, neededAt: needed.get(text) ?? 0 });
      };
      const kind = replay.blocks.kind[leaf];
      for (const text of texts.of(leaf)) {
        if (kind === KIND.user || kind === KIND.task) for (const line of lines(text)) put('instruction', line, standsAnywhere(line));
        for (const line of lines(text)) if (ERROR_LINE.test(line)) put('error', line, standsAnywhere(line));
        for (const lexeme of lexemesOf(text, false)) put(kindOfLexeme(lexeme), lexeme, stayed.has(lexeme));
      }
    });
    const items = [...found.values()].sort((a, b) => (a.neededAt || Infinity) - (b.neededAt || Infinity) || LOSS_KINDS.indexOf(a.kind) - LOSS_KINDS.indexOf(b.kind) || a.index - b.index);
    return { op, blocks, items: items.slice(0, MAX_ITEMS), total: items.length, stillThere: kept.size };
  });
}

/** What a lexeme looks like; the scanner of evidence/lexemes.ts decided that it is one. */
export function kindOfLexeme(lexeme: string): LossKind {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(lexeme)) return 'url';
  if (/\s/.test(lexeme)) return 'literal';
  if (/^[\d_]+$/.test(lexeme)) return 'number';
  if (/^(?:E[A-Z]{3,}|SIG[A-Z]+)$/.test(lexeme) || /(?:Error|Exception)$/.test(lexeme)) return 'error';
  if (lexeme.includes('/') || FILE_NAME.test(lexeme)) return 'path';
  return /^[\w$.@~+-]+$/.test(lexeme) ? 'identifier' : 'literal';
}

/** Lexeme → first call from `step` on that repeats it. Demands that the prompt satisfies are no loss. */
function neededFrom(evidence: EvidenceIndex, step: number): Map<string, number> {
  const needed = new Map<string, number>();
  for (let t = step; t <= evidence.steps; t++) {
    for (let d = evidence.demandStart[t - 1] ?? 0; d < (evidence.demandStart[t] ?? 0); d++) {
      const lexeme = evidence.lexemes[evidence.demandLexeme[d] ?? 0] ?? '';
      if (evidence.demandInPrompt[d] === 0 && !needed.has(lexeme)) needed.set(lexeme, t);
    }
  }
  return needed;
}

const lines = (text: string): string[] => text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line.length >= 4);

/** What can be read where a block stands: decoded arguments for recorded ones, the copied bytes for recovered ones, own words else. */
class BlockTexts {
  private readonly known = new Map<number, string[]>();
  constructor(private readonly replay: Replay, private readonly table: LossSource, private readonly message: MessageAt) {}

  of(item: number): string[] {
    let texts = this.known.get(item);
    if (!texts) this.known.set(item, (texts = this.read(item)));
    return texts;
  }

  private read(item: number): string[] {
    const { blocks } = this.replay;
    const base = blocks.base[item] ?? -1;
    if (base >= 0) {
      const { messageIndex, partFrom, partTo } = this.table;
      return heldTexts(blockParts(this.message(messageIndex[base] ?? 0), partFrom[base] ?? 0, partTo[base] ?? 0)).map(({ text }) => text);
    }
    if (blocks.kind[item] !== KIND.recovered) return [blocks.text[item] ?? ''];
    if (!Number.isNaN(blocks.recoveredRange[item * 2] ?? NaN)) return [decoder.decode(readPayload(this.replay, NOTHING_DELETED, item, (at) => this.textOf(at)).bytes)];
    const texts: string[] = [];
    forEachLeaf(graphOf(blocks), item, (leaf) => texts.push(...(leaf === item ? [] : this.of(leaf))));
    return texts;
  }

  private textOf(base: number): string {
    const { messageIndex, partFrom, partTo } = this.table;
    return blockText(this.message(messageIndex[base] ?? 0), partFrom[base] ?? 0, partTo[base] ?? 0);
  }
}
