/** Words of the corpus page: titles, definitions, and what must be said beside the numbers (gem.md §14). */
import { TABLE_IDS, type TableId } from '../../core/corpus/types';
import { encoderById } from '../../core/embedding/registry';
import type { CorpusChoice } from '../../state/corpus-choice';

export const TABLE_NAMES: Record<TableId, string> = { C1: 'C.1', '1': '1', '2': '2', D1: 'D.1', D2: 'D.2', D3: 'D.3', D4: 'D.4' };
export const TABLE_TITLES: Record<TableId, string> = {
  C1: 'C.1 Spectra and controls', '1': '1 Retention at equal k', '2': '2 Targeted replacement', D1: 'D.1 Selectors, two checkpoints', D2: 'D.2 Ablations', D3: 'D.3 Capacity K', D4: 'D.4 Target τ',
};

/** Definitions by the key of a column; shown on hover and read with the header. */
export const COLUMN_HELP: Record<string, string> = {
  n: 'Trajectories; checkpoints in a row of means over checkpoints',
  top3: 'Share of the three history blocks most similar to the next action that are kept (gem.md §5, Eq. 4)',
  top3Older: 'The same among the blocks older than the newest 4, so that plain recency gains nothing (gem.md §14)',
  actionProjection: 'Squared length of the next action’s projection on the span of the kept blocks (Eq. 4)',
  finalProjection: 'The same for the final answer',
  goalProjection: 'The same for the task as of the checkpoint',
  centroid: 'Cosine between the mean of all blocks and the mean of the kept ones',
  coverage: 'Mean squared length of all blocks’ projections on the span of the kept ones (Eq. A.3)',
  retained: 'Kept blocks, share of all before the checkpoint',
  tokensKept: 'Their tokens, share of all (o200k_base, exact)',
  blocks: 'Complete interaction blocks of the run',
  erank: 'Exponential of the entropy of the centred energy shares (gem.md §2)',
  erankShift: 'The same after every feature was rotated over the blocks by an own shift: one draw',
  erankShiftMean: 'Mean of 20 such draws',
  erankGaussian: 'The same for independent normal numbers of the same shape: one draw',
  erankGaussianMean: 'Mean of 20 such draws',
  r90Share: 'Directions that hold 90 % of the centred energy, share of the blocks',
  r90ShareShiftMean: 'The same under the feature shift, mean of 20 draws',
  r90ShareGaussianMean: 'The same for normal numbers, mean of 20 draws',
  erankSingular: 'Effective rank with shares of singular values: the other convention',
  greedyBlocks: 'Greedy picks from nothing until the coverage reaches τ (uncentred)',
  greedyShare: 'The same, share of the blocks',
};

export const READING_NOTES: readonly (readonly [string, string])[] = [
  ['Top-3 rewards recency.', 'The next action mostly resembles what was done last, so whatever keeps the newest blocks scores. Random completion, recency and max-gain therefore stand beside gem wherever Top-3 stands, and “Top-3 older” leaves the newest 4 blocks out.'],
  ['The residual rule picks outliers.', 'Gem completes with the block of largest residual. Max-gain completes with the one that raises coverage most, under the same protection; where it is ahead, the gain of gem over geometry comes from protection, mostly of the newest blocks.'],
  ['The next action measures only.', 'No selector sees it: it belongs to the future of the checkpoint.'],
  ['Trajectories are the units.', 'Means over checkpoints are descriptive, for checkpoints of one run are not independent. Intervals (95 % bootstrap) and exact signed-rank tests (Holm) take one value a run.'],
  ['The paper’s numbers are of other runs and another encoder.', 'They stand beside ours for the direction, not the size. An effective rank below the feature-shift control says that blocks share directions; it does not say which block can be spared.'],
];

export function encoderName(id: string): string {
  try {
    return encoderById(id).title;
  } catch {
    return id;
  }
}

/** The command that writes the same files. */
export function commandLine({ encoder, tables, seed, every }: CorpusChoice): string {
  const name = encoderById(encoder).cliName;
  return ['contextscope corpus FOLDER', `--tables ${tables.length === TABLE_IDS.length ? 'all' : tables.join(',')}`, `--encoder ${name}`, `--seed ${seed}`, ...(every === 1 ? [] : [`--every ${every}`]), '--out tables/'].join(' ');
}
