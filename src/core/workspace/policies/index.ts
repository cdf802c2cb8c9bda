/** The registry of policies: one file each; this list is the order of pickers and of `--policy all`. */
import { ContextscopeError } from '../../base/errors';
import type { PolicyInfo } from '../types';
import { acm } from './acm';
import { acon } from './acon';
import { activeCompression } from './active-compression';
import { appendTruncate } from './append-truncate';
import { autoArchive } from './auto-archive';
import { cat } from './cat';
import { claudeCompact } from './claude-compact';
import { claudeMicrocompact } from './claude-microcompact';
import { clearThinking } from './clear-thinking';
import { codexCompact } from './codex-compact';
import { comem } from './comem';
import { contextFolding } from './context-folding';
import { demandPaging } from './demand-paging';
import { gem } from './gem';
import { keepEverything } from './keep-everything';
import { lastNObservations } from './last-n-observations';
import { lcm } from './lcm';
import { lre } from './lre';
import { manual } from './manual';
import { maskAndSummary } from './mask-and-summary';
import { memgpt } from './memgpt';
import { observationMasking } from './observation-masking';
import { opencodeDcp } from './opencode-dcp';
import { opencodePrune } from './opencode-prune';
import { openhandsAmortized, openhandsRecent, openhandsWindow } from './openhands-events';
import { openhandsLlm } from './openhands-llm';
import { openhandsMasking } from './openhands-masking';
import { oracle } from './oracle';
import { pace } from './pace';
import { periodicSummary } from './periodic-summary';
import type { PolicyDefinition } from './policy';
import { randomArchive } from './random-archive';
import { recency } from './recency';
import { recorded } from './recorded';
import { resum } from './resum';
import { rlm } from './rlm';
import { sam } from './sam';
import { sculptor } from './sculptor';
import { selectorPolicies } from './selector-policies';
import { selfCompact } from './self-compact';
import { selfGc } from './self-gc';
import { llmlingua2, swePruner } from './size-only';
import { skeleton } from './skeleton';
import { slidingWindow } from './sliding-window';
import { slimSummary } from './slim-summary';
import { toolClearing } from './tool-clearing';
import { vista } from './vista';
import { vistaFixedArchive, vistaNoArchive, vistaNoRecovery, vistaStatusBoard, vistaWording } from './vista-ablations';
import { vistaNoDashboard } from './vista-no-dashboard';

const POLICIES: readonly PolicyDefinition[] = [
  // What was recorded, and the reference lines.
  recorded, keepEverything, oracle, randomArchive, recency,
  // What a person does.
  manual,
  // VISTA's comparison, VISTA and its ablations.
  appendTruncate, slidingWindow, toolClearing, observationMasking, skeleton, slimSummary, activeCompression, contextFolding, cat, autoArchive,
  vista, vistaNoDashboard, vistaNoRecovery, vistaNoArchive, vistaFixedArchive, vistaStatusBoard, vistaWording,
  // The essay's three.
  acm, lcm, rlm,
  // GEM, and the other selectors as forwarding policies.
  gem, ...selectorPolicies,
  // Command-line agents and frameworks.
  claudeCompact, claudeMicrocompact, clearThinking, codexCompact, opencodePrune, opencodeDcp,
  openhandsRecent, openhandsMasking, openhandsAmortized, openhandsWindow, openhandsLlm, lastNObservations, maskAndSummary, memgpt,
  // Research systems.
  periodicSummary, resum, acon, comem, pace, selfCompact, sculptor, selfGc, sam, demandPaging, lre, swePruner, llmlingua2,
];

/** Facts of every policy, for pickers, forms and tables. */
export function listPolicies(): PolicyInfo[] {
  return POLICIES.map(({ id, name, explanation, source, parameters, capabilities, replayClass, causal, reference, needsVectors }) => ({
    id, name, explanation, source, parameters, capabilities, replayClass, causal, ...(reference ? { reference } : {}), ...(needsVectors ? { needsVectors } : {}),
  }));
}

/** The policy of an id; an unknown id throws `bad-argument` with the known ones. */
export function ensurePolicy(id: string): PolicyDefinition {
  const policy = POLICIES.find((candidate) => candidate.id === id);
  if (!policy) throw new ContextscopeError('bad-argument', `There is no policy "${id}". Known: ${POLICIES.map((known) => known.id).join(', ')}.`);
  return policy;
}
