/**
 * Audit of a context manager (evidence.md §1): for every removal of a replay (of `recorded`: what the agent's own manager
 * did) the tokens freed, whether and when what went was needed again, when it came back, and whether it was undone.
 */
import type { EvidenceIndex } from '../evidence/types';
import type { BlockTable } from '../trace/blocks-types';
import { forEachLeaf, graphOf, isStripped, type BlockGraph } from './block-graph';
import { EvidenceStatus } from './evidence-status';
import { blockIndex } from './kinds';
import { REMOVING_OPS, RETURNING_OPS } from './removing-ops';
import type { Actor, Op, OpName, Replay } from './types';

export interface AuditRow {
  /** Index into `replay.ops`. */
  opIndex: number;
  step: number;
  op: OpName;
  actor: Actor;
  reason: string;
  /** Block ids as logged. */
  ids: string[];
  /** What stands in their place; null = nothing. */
  result: string | null;
  /** Recorded blocks that went, through all levels of what was named, and their tokens. */
  blocks: number;
  tokensGone: number;
  /** Context before − after the op: what stands in the place of what went is taken off. May be negative. */
  tokensFreed: number;
  /** First call from this step on that repeats a rare string of what went, and how many do until it is back; null = none. */
  usedAt: number | null;
  uses: number;
  usedWeight: number;
  /** Of these, calls for which no visible block held the string: first one, number, weight, and the heaviest string of the first. */
  missedAt: number | null;
  misses: number;
  missedWeight: number;
  missedLexeme: string | null;
  /** First step at which some of it stood in the context again, and how: brought back by an op, or read anew by the agent. */
  backAt: number | null;
  back: 'recovered' | 'expanded' | 'read again' | null;
  /** backAt − step. */
  delaySteps: number | null;
  /** Tokens that came back, by op or by reading again. */
  tokensBack: number;
  /** Were the blocks brought back by ops? */
  undone: 'no' | 'partly' | 'wholly';
}

export interface ManagerAudit {
  policy: string;
  rows: AuditRow[];
  totals: {
    removals: number;
    blocks: number;
    tokensFreed: number;
    /** Removals of which something was used again, was missed by a call, came back, was undone at least in part. */
    usedAgain: number;
    missed: number;
    cameBack: number;
    undone: number;
    /** Median of `delaySteps` over those that came back; null = none did. */
    medianDelay: number | null;
  };
}

/** A result shorter than this may be equal to an earlier one by chance ("ok"): no reading again. */
const MIN_REREAD_TOKENS = 16;

/** Uses and returns count for the latest removal of a block, uses until it is back. Linear in ops, blocks and sources. */
export function auditOf(replay: Replay, evidence: EvidenceIndex, table: BlockTable): ManagerAudit {
  const audit = new Audit(replay, evidence, table);
  for (let step = 1; step <= replay.steps.n; step++) audit.step(step);
  return audit.finish();
}

class Audit {
  private readonly rows: AuditRow[] = [];
  private readonly status: EvidenceStatus;
  private readonly graph: BlockGraph;
  /** By base block: row that took it out last and that nothing has brought back since; −1 = none. */
  private readonly holder: Int32Array;
  /** Blocks of each row that ops brought back. */
  private readonly returned: number[] = [];
  /** Content hash → base blocks that are out. */
  private readonly out = new Map<string, Set<number>>();
  private nextBase = 0;
  /** By row: last step that was counted as a use, as a miss. */
  private readonly countedUse: number[] = [];
  private readonly countedMiss: number[] = [];
  /** By row: weight of the heaviest string of its first miss. */
  private readonly heaviest: number[] = [];

  constructor(private readonly replay: Replay, private readonly evidence: EvidenceIndex, private readonly table: BlockTable) {
    this.status = new EvidenceStatus(replay, table.n);
    this.graph = graphOf(replay.blocks);
    this.holder = new Int32Array(table.n).fill(-1);
  }

  step(step: number): void {
    this.arrivals(step);
    const { ops, steps } = this.replay;
    const end = steps.opStart[step] ?? 0;
    let at = steps.opStart[step - 1] ?? 0;
    // The engine's reads answer the call of this step: its evidence is measured before them (model.md §3).
    for (; at < end && !isEngineRead(ops[at]); at++) this.apply(at);
    this.demands(step);
    for (; at < end; at++) this.apply(at);
  }

  finish(): ManagerAudit {
    const { rows, returned } = this;
    rows.forEach((row, r) => {
      const n = returned[r] ?? 0;
      row.undone = n === 0 ? 'no' : n < row.blocks ? 'partly' : 'wholly';
    });
    const delays = rows.flatMap(({ delaySteps }) => delaySteps ?? []).sort((a, b) => a - b);
    const number = (keep: (row: AuditRow) => boolean): number => rows.filter(keep).length;
    return {
      policy: this.replay.policy, rows,
      totals: {
        removals: rows.length, blocks: rows.reduce((sum, { blocks }) => sum + blocks, 0), tokensFreed: rows.reduce((sum, { tokensFreed }) => sum + tokensFreed, 0),
        usedAgain: number(({ usedAt }) => usedAt !== null), missed: number(({ missedAt }) => missedAt !== null), cameBack: number(({ backAt }) => backAt !== null), undone: number(({ undone }) => undone !== 'no'),
        medianDelay: delays.length === 0 ? null : ((delays[(delays.length - 1) >> 1] ?? 0) + (delays[delays.length >> 1] ?? 0)) / 2,
      },
    };
  }

  /** A result with the bytes of one that is out was read again: the page fault of a run without a way back. */
  private arrivals(step: number): void {
    const { table } = this;
    for (; this.nextBase < table.n && (table.bornStep[this.nextBase] ?? 1) <= step; this.nextBase++) {
      const tokens = table.tokens[this.nextBase] ?? 0;
      if (tokens < MIN_REREAD_TOKENS) continue;
      for (const base of this.out.get(table.contentHash[this.nextBase] ?? '') ?? []) {
        const row = this.rows[this.holder[base] ?? -1];
        if (row) this.cameBack(row, step, 'read again', tokens);
        this.isBack(base);
      }
    }
  }

  private apply(at: number): void {
    const op = this.replay.ops[at];
    if (op === undefined) return;
    if (REMOVING_OPS.has(op.op)) this.remove(at, op);
    else if (RETURNING_OPS.has(op.op)) this.giveBack(op);
  }

  private remove(opIndex: number, op: Op): void {
    const gone = new Set(op.ids.flatMap((id) => this.basesOf(blockIndex(id))));
    const row: AuditRow = {
      opIndex, step: op.step, op: op.op, actor: op.actor, reason: op.reason, ids: op.ids, result: op.result ?? null, blocks: gone.size, tokensGone: 0, tokensFreed: op.tokensBefore - op.tokensAfter,
      usedAt: null, uses: 0, usedWeight: 0, missedAt: null, misses: 0, missedWeight: 0, missedLexeme: null, backAt: null, back: null, delaySteps: null, tokensBack: 0, undone: 'no',
    };
    const r = this.rows.push(row) - 1;
    for (const base of gone) {
      row.tokensGone += this.table.tokens[base] ?? 0;
      this.holder[base] = r;
      const hash = this.table.contentHash[base] ?? '';
      const same = this.out.get(hash);
      if (same) same.add(base);
      else this.out.set(hash, new Set([base]));
    }
  }

  private giveBack(op: Op): void {
    const { base, memberStart } = this.replay.blocks;
    const result = op.result === undefined ? -1 : blockIndex(op.result);
    const isCopy = result >= 0 && (base[result] ?? -1) < 0 && (memberStart[result + 1] ?? 0) > (memberStart[result] ?? 0);
    const bases = isCopy ? this.basesOf(result) : op.ids.flatMap((id) => this.membersOf(blockIndex(id)));
    const how = op.op === 'expand' ? 'expanded' : 'recovered';
    for (const one of new Set(bases)) {
      const r = this.holder[one] ?? -1;
      const row = this.rows[r];
      if (!row) continue;
      this.cameBack(row, op.step, how, this.table.tokens[one] ?? 0);
      this.returned[r] = (this.returned[r] ?? 0) + 1;
      this.isBack(one);
    }
  }

  private isBack(base: number): void {
    this.holder[base] = -1;
    this.out.get(this.table.contentHash[base] ?? '')?.delete(base);
  }

  private cameBack(row: AuditRow, step: number, how: NonNullable<AuditRow['back']>, tokens: number): void {
    row.tokensBack += tokens;
    if (row.backAt !== null) return;
    row.backAt = step;
    row.back = how;
    row.delaySteps = step - row.step;
  }

  private demands(step: number): void {
    const { evidence, rows } = this;
    for (let d = evidence.demandStart[step - 1] ?? 0; d < (evidence.demandStart[step] ?? 0); d++) {
      if (evidence.demandInPrompt[d] === 1) continue;
      const touched = new Set<number>();
      for (let s = evidence.sourceStart[d] ?? 0; s < (evidence.sourceStart[d + 1] ?? 0); s++) {
        const r = evidence.sourceIsEcho[s] === 1 ? -1 : (this.holder[evidence.sources[s] ?? 0] ?? -1);
        if (r >= 0) touched.add(r);
      }
      if (touched.size === 0) continue;
      const isMissed = this.status.ofDemand(evidence, d, step) !== 'visible';
      const weight = evidence.demandWeight[d] ?? 0;
      for (const r of touched) {
        const row = rows[r];
        if (!row) continue;
        row.usedAt ??= step;
        row.usedWeight += weight;
        if (this.countedUse[r] !== step) row.uses += 1;
        this.countedUse[r] = step;
        if (!isMissed) continue;
        if (row.missedAt === null || (row.missedAt === step && weight > (this.heaviest[r] ?? 0))) {
          row.missedLexeme = evidence.lexemes[evidence.demandLexeme[d] ?? 0] ?? '';
          this.heaviest[r] = weight;
        }
        row.missedAt ??= step;
        row.missedWeight += weight;
        if (this.countedMiss[r] !== step) row.misses += 1;
        this.countedMiss[r] = step;
      }
    }
  }

  /** Recorded blocks behind a block; a message shown without its reasoning stands for the whole one. */
  private basesOf(item: number): number[] {
    const bases: number[] = [];
    forEachLeaf(this.graph, item, (leaf) => {
      const own = this.replay.blocks.base[leaf] ?? -1;
      const base = isStripped(this.graph.kindOf(leaf), own) ? (this.replay.blocks.base[this.graph.member(leaf, 0)] ?? -1) : own;
      if (base >= 0) bases.push(base);
    });
    return bases;
  }

  /** The same of what a handle or summary stands for, whose own words are not it. */
  private membersOf(item: number): number[] {
    return Array.from({ length: this.graph.memberCount(item) }, (_, k) => this.graph.member(item, k)).flatMap((member) => this.basesOf(member));
  }
}

const isEngineRead = (op: Op | undefined): boolean => op?.op === 'recover' && op.actor === 'engine';
