/** The protected set P_t (gem.md §7): five groups, each block with one sentence a rule that keeps it. */
import { bestIndices } from '../numerics/best-index';
import type { Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import { PROTECTION, type ProtectionSettings } from './constants';
import type { BlockDetection } from './detect-block';
import { isZero, liveRows } from './live-rows';
import { protectState } from './protect-state';
import { PROTECTION_GROUPS, type ProtectionGroup } from './types';

export interface ProtectionInput {
  /** Unit rows of the blocks so far, n × d. */
  rows: Matrix;
  /** Detections of at least the first n blocks. */
  detections: readonly BlockDetection[];
  /** Unit vectors of goal text and state query; zero or null where the text is empty. */
  goal: Float64Array | null;
  stateQuery: Float64Array | null;
  stateQueryText: string;
}

/** A kept block of one group, with the rule that fired. */
export interface Protected { index: number; why: string }

export interface Protection {
  groups: Record<ProtectionGroup, number[]>;
  /** Index (as text) → sentences. */
  why: Record<string, string[]>;
  /** Union of the groups, in index order. */
  all: number[];
}

/** Evaluates all groups; those left out of `use` are empty (ablations), the others are not touched by it. */
export function protect(input: ProtectionInput, use: readonly ProtectionGroup[] = PROTECTION_GROUPS, settings: ProtectionSettings = PROTECTION): Protection {
  const found: Record<ProtectionGroup, Protected[]> = {
    recent: protectRecent(input.rows.rows, settings),
    goal: protectGoal(input, settings),
    state: protectState(input, settings),
    error: protectErrors(input, settings),
    source: protectSources(input, settings),
  };
  const out: Protection = { groups: { recent: [], goal: [], state: [], error: [], source: [] }, why: {}, all: [] };
  for (const group of PROTECTION_GROUPS) {
    if (!use.includes(group)) continue;
    out.groups[group] = [...new Set(found[group].map((item) => item.index))].sort((a, b) => a - b);
    for (const { index, why } of found[group]) (out.why[index] ??= []).push(why);
  }
  out.all = [...new Set(PROTECTION_GROUPS.flatMap((group) => out.groups[group]))].sort((a, b) => a - b);
  return out;
}

function protectRecent(n: number, { recency }: ProtectionSettings): Protected[] {
  const from = Math.max(0, n - recency);
  return Array.from({ length: n - from }, (_, k) => {
    const age = n - 1 - (from + k);
    return { index: from + k, why: `Recent: ${age === 0 ? 'the newest block' : `${age} ${age === 1 ? 'block' : 'blocks'} before the newest`}; the newest ${recency} are kept.` };
  });
}

function protectGoal({ rows, goal }: ProtectionInput, { recency, goals }: ProtectionSettings): Protected[] {
  if (!goal || isZero(goal)) return [];
  const similarity = rowsTimesVector(rows, goal, new Float64Array(rows.rows));
  const eligible = liveRows(rows).filter((i) => i < rows.rows - recency);
  return bestIndices(similarity, eligible, goals).map((index) => ({
    index,
    why: `Goal: nearest to the current task among older blocks (cosine ${similarity[index]!.toFixed(3)}).`,
  }));
}

function protectErrors({ rows, detections }: ProtectionInput, { errorAge, errorTotal }: ProtectionSettings): Protected[] {
  const out: Protected[] = [];
  const n = rows.rows;
  for (let i = n - 1; i >= Math.max(0, n - errorAge) && out.length < errorTotal; i--) {
    const error = detections[i]!.error;
    if (error !== null) out.push({ index: i, why: `Error: ${error}; errors of the last ${errorAge} blocks are kept, solved or not.` });
  }
  return out;
}

function protectSources({ rows, detections }: ProtectionInput, { sources, sourceShare }: ProtectionSettings): Protected[] {
  const n = rows.rows;
  const holding: number[] = [];
  for (let i = 0; i < n; i++) if (detections[i]!.source) holding.push(i);
  if (n === 0 || holding.length / n < sourceShare) return [];
  const seen = new Set<string>();
  const out: Protected[] = [];
  for (const index of holding.reverse()) {
    const source = detections[index]!.source!;
    if (seen.has(source.key) || seen.size >= sources) continue;
    seen.add(source.key);
    out.push({ index, why: `Source: newest block of ${source.key} (${source.rule}).` });
  }
  return out;
}
