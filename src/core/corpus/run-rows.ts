/** One row a run for a table of runs: the few values one looks at first, by the names of runs.csv. */
import { spectrumValues } from './table-c1';
import { meanOf } from './sums';
import type { CorpusTables, RunPart } from './types';

export interface RunRow {
  key: string;
  sha256: string;
  trajectory: number;
  format: string;
  blocks: number;
  leftOut: string | null;
  checkpoints: number | null;
  /** null = not measured. */
  values: Record<string, number | null>;
}

const SHOWN_SELECTORS = ['gem', 'geometry', 'random', 'recency', 'max-gain'] as const;
const SHOWN_METRICS = ['top3', 'top3Older', 'centroid', 'coverage'] as const;

export function runRows({ runs }: Pick<CorpusTables, 'runs'>): RunRow[] {
  return runs.map(({ key, part }) => ({
    key, sha256: part.run.sha256, trajectory: part.run.trajectory, format: part.run.format, blocks: part.blocks, leftOut: part.leftOut,
    checkpoints: part.prefixes?.checkpoints ?? null,
    values: { ...(part.spectrum ? spectrumValues(part.spectrum) : {}), ...selectorValues(part) },
  }));
}

function selectorValues({ prefixes }: RunPart): Record<string, number | null> {
  return Object.fromEntries(SHOWN_METRICS.flatMap((metric) => SHOWN_SELECTORS.flatMap((id) => {
    const sums = prefixes?.selectors[id];
    return sums ? [[`${metric}.${id}`, meanOf(sums[metric])]] : [];
  })));
}
