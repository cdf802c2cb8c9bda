/** Reference line: trigger and replacement of auto-archive, choice at random (seeded), way back recovery on demand. */
import { purposeStream } from '../../numerics/random-stream';
import { seed } from './parts/parameters';
import { LOSSLESS } from './parts/shape';
import { ARCHIVE_PARAMETERS, WeightedArchive } from './parts/weighted-archive';
import { numberOf, type PolicyDefinition } from './policy';

export const randomArchive: PolicyDefinition = {
  ...LOSSLESS,
  id: 'random-archive',
  name: 'Random archive',
  explanation: 'Reference line: the same rule as auto-archive, but which block goes is drawn at random. What a chooser is worth is its distance from this line.',
  source: 'policies.md, reference lines',
  parameters: [...ARCHIVE_PARAMETERS, seed],
  replayClass: 'exact',
  reference: true,
  start: (setup) => {
    const stream = purposeStream(numberOf(setup.parameters, 'seed'), 'random-all', 0);
    // Drawn once, when a block is first looked at: the order of looks depends on the past alone.
    const draws = new Map<number, number>();
    return new WeightedArchive(setup, (item) => {
      let draw = draws.get(item);
      if (draw === undefined) draws.set(item, (draw = stream.uniform()));
      return draw;
    }, 'blocks drawn at random');
  },
};
