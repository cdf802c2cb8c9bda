/** The registry of policies: one file each; this list is the order of pickers and of `--policy all`. */
import { ContextscopeError } from '../../base/errors';
import type { PolicyInfo } from '../types';
import { autoArchive } from './auto-archive';
import { keepEverything } from './keep-everything';
import type { PolicyDefinition } from './policy';

const POLICIES: readonly PolicyDefinition[] = [keepEverything, autoArchive];

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
