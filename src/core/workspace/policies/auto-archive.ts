/**
 * VISTA's fixed archive: trigger |C| > trigger·B, choice the oldest blocks of any type, replacement a placeholder, way
 * back recovery on demand.
 */
import { LOSSLESS } from './parts/shape';
import { ARCHIVE_PARAMETERS, WeightedArchive } from './parts/weighted-archive';
import type { PolicyDefinition, PolicySetup } from './policy';

/** Above every block index: the oldest is the heaviest. */
const FIRST = 2 ** 32;

export const oldestArchive = (setup: PolicySetup): WeightedArchive => new WeightedArchive(setup, (item) => FIRST - item, 'oldest blocks');

export const autoArchive: PolicyDefinition = {
  ...LOSSLESS,
  id: 'auto-archive',
  name: 'Auto-archive + recover',
  explanation: 'A fixed rule of the harness: when the context nears the budget, the oldest blocks of any type (never the system prompt, the task, pinned blocks or the last round) '
    + 'are stored without loss behind placeholders until it fits again; what an action needs is read back on demand. Nobody sees sizes or ages.',
  source: 'VISTA, fixed-archive ablation (systems.md §2.4)',
  parameters: ARCHIVE_PARAMETERS,
  replayClass: 'exact',
  start: oldestArchive,
};
