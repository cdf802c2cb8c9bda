/** Words of the corpus page: titles, definitions, and what must be said beside the numbers (gem.md §14). */
import { DEFAULT_SETTINGS, TABLE_IDS, type TableId } from '../../core/corpus/types';
import { isOwnId, isVectorsId, type OwnEncoderInfo } from '../../core/embedding/own-encoder';
import { encoderById } from '../../core/embedding/registry';
import type { EncoderId } from '../../core/embedding/types';
import type { CorpusChoice } from '../../state/corpus-choice';

export const TABLE_NAMES: Record<TableId, string> = { C1: 'C.1', '1': '1', '2': '2', D1: 'D.1', D2: 'D.2', D3: 'D.3', D4: 'D.4', policies: 'of policies' };
export const TABLE_TITLES: Record<TableId, string> = {
  C1: 'C.1 Spectra and controls', '1': '1 Retention at equal k', '2': '2 Targeted replacement', D1: 'D.1 Selectors, two checkpoints', D2: 'D.2 Ablations', D3: 'D.3 Capacity K', D4: 'D.4 Target τ', policies: 'Policies at one window (VISTA 1, 2, 7)',
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
  state: '1 = the agent sees the state of its context (VISTA Table 1)',
  control: '1 = the agent itself decides what goes',
  recovery: '1 = what went can come back byte for byte',
  trajectoryTokens: 'Prompt tokens summed over the recorded calls, without management calls (VISTA Tables 1 and 7)',
  inputTokens: 'Input of the recorded calls, cached tokens included (VISTA Table 2)',
  outputTokens: 'Output of the recorded calls',
  cacheRate: 'Cached input ÷ input, with a prefix cache',
  usd: 'At the prices of VISTA (0.50 / 0.05 cached / 3.00 USD per million), management calls included',
  steps: 'Model calls of the run: the same for every policy, for actions are kept',
  removals: 'Operations after which something was no longer in the context: archives, trims, clears, summaries',
  reads: 'Grouped reads that brought something back',
  overflowSteps: 'Steps in which the window was enforced from outside, or was exceeded',
  infeasibleSteps: 'Steps that cannot be within the window whatever the policy does',
  managementCalls: 'Additional model calls for managing the context',
  peakContext: 'Largest context of any call, tokens',
  meanContext: 'Mean context over the calls, tokens',
  evidenceVisible: 'Share of the evidence used by the recorded actions that was in the context (evidence.md §1)',
  evidenceRecoverable: 'Share that was out of it but could be brought back byte for byte',
  evidenceLost: 'Share that was neither',
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

/** As `--encoder` takes it. The command line reads the user's own files, so it needs their place in words like FOLDER. */
function cliEncoder(id: EncoderId): string {
  if (isVectorsId(id)) return 'vectors:FILE';
  return isOwnId(id) ? 'onnx:MODEL_FOLDER' : encoderById(id).cliName;
}

/** What to know of an encoder that the user brought, before it is used on many runs; null = of a bundled one, or of a model, nothing. */
export function ownEncoderNote(id: EncoderId, own: readonly OwnEncoderInfo[]): string | null {
  if (!isOwnId(id)) return null;
  const info = own.find((one) => one.id === id);
  if (!info) return `${id} is not in this browser: bring it again beside the encoder of a run, or choose another. Stored results can still be shown.`;
  if (info.kind === 'onnx') return null;
  if (info.byHash === 0) return 'This file goes by the number of the block: it serves one run alone. Vectors that go by the hash of a text serve many.';
  return 'Vectors are found by the hash of a text: a run is left out, by name, where a block has none. Without vectors of next actions and goals, what needs them stays empty.';
}

/** The command that writes the same files, as the README has it: no package is installed globally. */
export function commandLine({ encoder, tables, seed, every, budget }: CorpusChoice): string {
  const name = cliEncoder(encoder);
  return ['npm run -s cli -- corpus FOLDER', `--tables ${tables.length === TABLE_IDS.length ? 'all' : tables.join(',')}`, `--encoder ${name}`, `--seed ${seed}`, ...(every === 1 ? [] : [`--every ${every}`]), ...(budget === DEFAULT_SETTINGS.budget ? [] : [`--budget ${budget}`]), '--out tables/'].join(' ');
}
