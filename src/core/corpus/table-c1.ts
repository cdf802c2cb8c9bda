import { MIN_BLOCKS } from '../selection/constants';
import { medianOverRuns } from './cells';
import { SEED_ROWS } from './seed-numbers';
import { testFamily } from './tests-of';
import type { CorpusRun, CorpusSettings, CorpusTable, RunSpectrum, TableColumn, TableRow } from './types';

const SPECTRUM_COLUMNS: readonly TableColumn[] = [
  { key: 'blocks', title: 'blocks', digits: 0 },
  { key: 'erank', title: 'effective rank', digits: 2 },
  { key: 'erankShift', title: 'feature shift (one draw)', digits: 2 },
  { key: 'erankShiftMean', title: 'feature shift (mean)', digits: 2 },
  { key: 'erankGaussian', title: 'Gaussian (one draw)', digits: 2 },
  { key: 'erankGaussianMean', title: 'Gaussian (mean)', digits: 2 },
  { key: 'r90Share', title: 'r90/n', digits: 3 },
  { key: 'r90ShareShiftMean', title: 'r90/n shift', digits: 3 },
  { key: 'r90ShareGaussianMean', title: 'r90/n Gaussian', digits: 3 },
  { key: 'erankSingular', title: 'effective rank (σ shares)', digits: 2 },
  { key: 'greedyBlocks', title: 'greedy blocks to τ', digits: 1 },
  { key: 'greedyShare', title: 'greedy share to τ', digits: 3 },
];

export type SpectrumValues = Record<string, number | null>;

/** One run's values by the keys of the columns. */
export function spectrumValues({ n, spectrum, greedyBlocks }: RunSpectrum): SpectrumValues {
  const meanOf = (values: readonly number[]): number | null => (values.length > 0 ? values.reduce((sum, x) => sum + x, 0) / values.length : null);
  const perBlock = (value: number | null): number | null => (value === null ? null : value / n);
  return {
    blocks: n,
    erank: spectrum.erank,
    erankShift: spectrum.featureShift.erank[0] ?? null,
    erankShiftMean: meanOf(spectrum.featureShift.erank),
    erankGaussian: spectrum.gaussian.erank[0] ?? null,
    erankGaussianMean: meanOf(spectrum.gaussian.erank),
    r90Share: spectrum.r90Share,
    r90ShareShiftMean: perBlock(meanOf(spectrum.featureShift.r90)),
    r90ShareGaussianMean: perBlock(meanOf(spectrum.gaussian.r90)),
    erankSingular: spectrum.erankSingular,
    greedyBlocks,
    greedyShare: perBlock(greedyBlocks),
  };
}

/** Table C.1: spectra and controls, medians over trajectories, exact signed-rank tests with Holm. */
export function tableC1(runs: readonly CorpusRun[], settings: CorpusSettings): CorpusTable {
  const all = runs.flatMap(({ key, part }) => (part.spectrum ? [{ key, n: part.spectrum.n, values: spectrumValues(part.spectrum) }] : []));
  const eligible = all.filter((run) => run.n >= MIN_BLOCKS);
  const sets = [{ label: `runs of ≥ ${MIN_BLOCKS} blocks`, runs: eligible }, { label: 'all runs of ≥ 2 blocks', runs: all }];
  const row = (label: string, of: typeof all): TableRow => ({
    scope: 'runs', label: `${label} (median)`, n: of.length,
    cells: Object.fromEntries(SPECTRUM_COLUMNS.map(({ key }) => [key, medianOverRuns(of.map((run) => run.values[key] ?? null), settings.seed)])),
  });
  const below = eligible.filter((run) => (run.values['erank'] ?? 0) < (run.values['erankShiftMean'] ?? 0));
  const belowAll = all.filter((run) => (run.values['erank'] ?? 0) < (run.values['erankShiftMean'] ?? 0));
  return {
    id: 'C1',
    title: 'Spectra of block histories and their controls',
    notes: [
      `Effective rank = exp of the entropy of centred energy shares. Feature shift and Gaussian: ${settings.controlDraws} draws, seed ${settings.seed}.`,
      `Effective rank below the mean of the feature-shift draws in ${below.length} of ${eligible.length} runs of ≥ ${MIN_BLOCKS} blocks, and in ${belowAll.length} of ${all.length} runs of ≥ 2.`,
      `Greedy: uncentred coverage from nothing to τ = ${settings.tau}. Brackets: 95 % bootstrap intervals over trajectories.`,
    ],
    columns: [...SPECTRUM_COLUMNS],
    rows: [
      ...sets.map((set) => row(set.label, set.runs)),
      ...SEED_ROWS.C1.map(({ label, n, values }): TableRow => ({ scope: 'seed', label, n, cells: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value }])) })),
      ...all.map((run): TableRow => ({ scope: 'run', label: run.key, n: null, cells: Object.fromEntries(SPECTRUM_COLUMNS.map(({ key }) => [key, { value: run.values[key] ?? null }])) })),
    ],
    tests: sets.flatMap((set) => testFamily('C1', `C1: feature shift, ${set.label}`, [['erank', 'erankShiftMean'], ['r90Share', 'r90ShareShiftMean']].map(([a, b]) => ({
      columns: [a!, b!] as [string, string],
      pairs: set.runs.map((run) => [run.values[a!] ?? null, run.values[b!] ?? null] as const),
    })))),
  };
}
