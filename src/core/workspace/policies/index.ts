/** The registry of policies: one file each; this list is the order of pickers and of `--policy all`. */
import { ContextscopeError } from '../../base/errors';
import type { PolicyInfo } from '../types';
import { appendTruncate } from './append-truncate';
import { autoArchive } from './auto-archive';
import { keepEverything } from './keep-everything';
import { observationMasking } from './observation-masking';
import type { PolicyDefinition } from './policy';
import { recorded } from './recorded';
import { slidingWindow } from './sliding-window';
import { toolClearing } from './tool-clearing';
import { vista } from './vista';
import { vistaNoDashboard } from './vista-no-dashboard';

const POLICIES: readonly PolicyDefinition[] = [
  recorded, keepEverything, appendTruncate, slidingWindow, toolClearing, observationMasking, autoArchive, vista, vistaNoDashboard,
];

/** Facts of every policy, for pickers, forms and tables. */
export function listPolicies(): PolicyInfo[] {
  return POLICIES.map(({ id, name, explanation, source, parameters, capabilities, replayClass, causal }) => ({
    id, name, explanation, source, parameters, capabilities, replayClass, causal,
  }));
}

/** The policy of an id; an unknown id throws `bad-argument` with the known ones. */
export function ensurePolicy(id: string): PolicyDefinition {
  const policy = POLICIES.find((candidate) => candidate.id === id);
  if (!policy) throw new ContextscopeError('bad-argument', `There is no policy "${id}". Known: ${POLICIES.map((known) => known.id).join(', ')}.`);
  return policy;
}
