import { meanOverRuns, pooled } from './cells';
import { SEED_ROWS } from './seed-numbers';
import { meanOf } from './sums';
import { testFamily } from './tests-of';
import { EFFECT_NAMES, type Cell, type CorpusRun, type CorpusSettings, type CorpusTable, type TableColumn, type TableRow } from './types';

const TITLES: Record<(typeof EFFECT_NAMES)[number], string> = { actionProjection: 'Δ action', top3: 'Δ Top-3', centroid: 'Δ centroid', coverage: 'Δ energy' };
const EFFECT_COLUMNS: readonly TableColumn[] = EFFECT_NAMES.map((key) => ({ key, title: TITLES[key], digits: 4 }));

/** Table 2: targeted minus matched removal, with the same replacement in both arms. */
export function table2(runs: readonly CorpusRun[], settings: CorpusSettings): CorpusTable {
  const having = runs.flatMap(({ key, part }) => (part.replacement && part.replacement.pairs > 0 ? [{ key, ...part.replacement }] : []));
  const cells = (cellOf: (name: (typeof EFFECT_NAMES)[number]) => Cell): Record<string, Cell> => Object.fromEntries(EFFECT_NAMES.map((name) => [name, cellOf(name)]));
  const pairs = having.reduce((sum, run) => sum + run.pairs, 0);
  const checkpoints = having.reduce((sum, run) => sum + run.checkpoints, 0);
  const every = settings.replacementEvery;
  return {
    id: '2', title: 'Targeted against matched replacement', columns: [...EFFECT_COLUMNS],
    notes: [
      `${pairs} pairs at ${checkpoints} checkpoints (${every === 1 ? 'every prefix' : `prefixes that are a multiple of ${every}`}). Targeted: the kept block nearest to the next action beyond the 90 % energy cut.`,
      'Matched: a kept block of low alignment, near in similarity, age and length. Both give way to the same block from outside Top-3. Brackets: 95 % bootstrap intervals over trajectories.',
    ],
    rows: [
      { scope: 'pooled', label: 'targeted − matched', n: pairs, cells: cells((name) => pooled(having.map((run) => run.effects[name]), settings.seed)) },
      { scope: 'runs', label: 'targeted − matched', n: having.length, cells: cells((name) => meanOverRuns(having.map((run) => meanOf(run.effects[name])), settings.seed)) },
      ...SEED_ROWS['2'].map(({ label, n, values }): TableRow => ({ scope: 'seed', label, n, cells: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])) })),
      ...having.map((run): TableRow => ({ scope: 'run', label: run.key, n: run.pairs, cells: cells((name) => ({ value: meanOf(run.effects[name]) })) })),
    ],
    tests: testFamily('2', '2: targeted against matched', EFFECT_NAMES.map((name) => ({
      columns: [`${name}.targeted`, `${name}.matched`], pairs: having.map((run) => [meanOf(run.effects[name]), 0] as const),
    }))),
  };
}
