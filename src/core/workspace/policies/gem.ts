/** GEM's online forwarding: trigger a selection (first, goal change, many new blocks), choice by coverage under a deletion guard. */
import { PLAN_DEFAULTS } from '../../selection/forwarding-plan';
import type { SelectMode } from '../../selection/types';
import type { Parameter } from '../types';
import { LOSSY_RULE } from './parts/capabilities';
import { ForwardingAgent } from './parts/forwarding-agent';
import { amount, choice, flag } from './parts/parameters';
import { flagOf, numberOf, textOf, type PolicyDefinition } from './policy';

/** Both forms of a forwarding policy: as published it is bound by no budget. */
export const FIT: Parameter = flag('fit', 'Trim to B', 'Also trims the oldest rounds until the context fits B; how much of the result is trimming is said. Off = a step above B is marked "over".', false);

export const gem: PolicyDefinition = {
  id: 'gem',
  name: 'GEM (online forwarding)',
  explanation: 'From 16 complete interaction blocks on, a request carries the protected blocks (recent, goal, state, errors, sources), blocks chosen by largest residual until they cover τ, and whatever the deletion guard does not let go. '
    + 'A selection is made first at 16 blocks, after a new instruction and after 256 new blocks; in between blocks are only added. '
    + 'What follows from the guard: it holds against the full request at a selection, so the guarded form, read as written, leaves out at most 5 % of any one request, and less as the run goes on; '
    + 'the published saving of 21.4 % of tokens a task cannot come from this removal alone. The cumulative form starts each selection from what was forwarded last, so that the 5 % compounds; the core form carries the selected core alone. '
    + 'Vectors come from the encoder that the results name, not from the paper\'s.',
  source: 'GEM §5, Algorithm 1 (gem.md §8, §9); settings that the paper lost are ours',
  parameters: [
    choice('form', 'Form', 'guarded = as written; cumulative = each selection starts from the last forwarded set; core = the selected core at every request.', ['guarded', 'cumulative', 'core']),
    FIT,
    amount('capacity', 'Capacity K', 'Blocks of the core, protected ones included; more where more are protected.', PLAN_DEFAULTS.capacity, 'blocks', 1),
    { key: 'capacityShare', label: 'Capacity share', explanation: 'K is at least this share of the blocks so far (ours; 0.45 keeps K from binding on long runs).', type: 'number', default: 0, unit: 'share of blocks', min: 0, max: 1, step: 0.05 },
    { key: 'tau', label: 'Coverage τ', explanation: 'A core is complete when its span covers this share of all blocks.', type: 'number', default: PLAN_DEFAULTS.tau, unit: 'share', min: 0.01, max: 1, step: 0.01 },
    { key: 'delta', label: 'Guard δ', explanation: 'A selection leaves out at most this share of the serialised characters (not in the core form).', type: 'number', default: PLAN_DEFAULTS.delta, unit: 'share', min: 0, max: 1, step: 0.01 },
    amount('minBlocks', 'Starts at', 'Complete interaction blocks from which on requests are cut.', PLAN_DEFAULTS.minBlocks, 'blocks', 1),
    amount('reselect', 'Select again after', 'New blocks after which a selection is made again.', PLAN_DEFAULTS.reselectAfter, 'blocks', 1),
    flag('strict', 'Strict', 'Also returns a request unchanged when a call in it has no result.', false),
  ],
  capabilities: { ...LOSSY_RULE, modelAgnostic: true },
  replayClass: 'exact',
  causal: true,
  bound: false,
  ending: (parameters) => ({ bound: flagOf(parameters, 'fit'), recovers: false }),
  archive: false,
  recovers: false,
  needsVectors: true,
  start: (setup) => new ForwardingAgent(setup, {
    ...PLAN_DEFAULTS,
    mode: textOf(setup.parameters, 'form') as SelectMode,
    capacity: numberOf(setup.parameters, 'capacity'),
    capacityShare: numberOf(setup.parameters, 'capacityShare'),
    tau: numberOf(setup.parameters, 'tau'),
    delta: numberOf(setup.parameters, 'delta'),
    minBlocks: numberOf(setup.parameters, 'minBlocks'),
    reselectAfter: numberOf(setup.parameters, 'reselect'),
    strict: flagOf(setup.parameters, 'strict'),
  }),
};
