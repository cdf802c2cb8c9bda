import type { Matrix } from '../numerics/matrix';
import { rowsTimesVector } from '../numerics/rows-times-vector';
import type { ProtectionSettings } from './constants';
import type { BlockDetection } from './detect-block';
import type { Protected, ProtectionInput } from './protection';
import { baseName } from './tool-arguments';

/** Shortest last component of a path that counts as named in the query. */
const MIN_NAME = 3;

interface TouchedPath { path: string; writes: Map<number, string>; reads: Map<number, string>; score: number; newest: number }

/**
 * State records: for the paths that were written, the newest write and the newest read after it. Paths named in the
 * state query come first, then by similarity of their blocks to it, then by newest touch, then by name.
 */
export function protectState({ rows, detections, stateQuery, stateQueryText }: ProtectionInput, settings: ProtectionSettings): Protected[] {
  const ranked = rankPaths(writtenPaths(rows, detections), rows, stateQuery, stateQueryText);
  const kept = new Set<number>();
  const out: Protected[] = [];
  for (const touched of ranked) {
    for (const { index, role, rule } of newestRecords(touched).slice(0, settings.statePerPath)) {
      if (!kept.has(index) && kept.size >= settings.stateTotal) continue;
      kept.add(index);
      out.push({ index, why: `State: newest ${role} of ${touched.path} (${rule}).` });
    }
    if (kept.size >= settings.stateTotal) break;
  }
  return out;
}

function writtenPaths(rows: Matrix, detections: readonly BlockDetection[]): TouchedPath[] {
  const paths = new Map<string, TouchedPath>();
  for (let i = 0; i < rows.rows; i++) {
    for (const { role, path, rule } of detections[i]!.operations) {
      let touched = paths.get(path);
      if (!touched) paths.set(path, (touched = { path, writes: new Map(), reads: new Map(), score: 0, newest: 0 }));
      const map = role === 'write' ? touched.writes : touched.reads;
      if (!map.has(i)) map.set(i, rule);
      touched.newest = i;
    }
  }
  return [...paths.values()].filter((touched) => touched.writes.size > 0);
}

function rankPaths(paths: TouchedPath[], rows: Matrix, stateQuery: Float64Array | null, text: string): TouchedPath[] {
  const similarity = new Float64Array(rows.rows);
  if (stateQuery) rowsTimesVector(rows, stateQuery, similarity);
  for (const touched of paths) {
    let nearest = -Infinity;
    for (const i of touched.writes.keys()) nearest = Math.max(nearest, similarity[i]!);
    for (const i of touched.reads.keys()) nearest = Math.max(nearest, similarity[i]!);
    touched.score = isNamed(touched.path, text) ? 1 : nearest;
  }
  return paths.sort((a, b) => b.score - a.score || b.newest - a.newest || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
}

function isNamed(path: string, text: string): boolean {
  // A group in brackets is not a path.
  if (path.startsWith('(')) return false;
  const base = baseName(path);
  return text.includes(path) || (base.length >= MIN_NAME && text.includes(base));
}

function newestRecords({ writes, reads }: TouchedPath): { index: number; role: 'write' | 'read after that write'; rule: string }[] {
  const write = Math.max(...writes.keys());
  const out: ReturnType<typeof newestRecords> = [{ index: write, role: 'write', rule: writes.get(write)! }];
  const later = [...reads.keys()].filter((i) => i > write);
  if (later.length > 0) {
    const read = Math.max(...later);
    out.push({ index: read, role: 'read after that write', rule: reads.get(read)! });
  }
  return out;
}
