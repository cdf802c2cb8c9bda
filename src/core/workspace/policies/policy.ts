/**
 * What a policy is: facts for pickers and tables, flags that tell the engine how to end a step, and a rule that sees the
 * workspace as it is after each arrival, hence only the past (model.md §3, invariant 6).
 */
import type { EvidenceIndex } from '../../evidence/types';
import type { LineSelection } from '../../selection/line-selection';
import { ContextscopeError } from '../../base/errors';
import type { ToolSchema } from '../../trace/model';
import type { DashboardChoice } from '../dashboard-rows';
import type { ScenarioOp, ScenarioOutcome } from '../scenario/types';
import type { ParameterValue, PolicyInfo, RecordedOp, ReplayClass } from '../types';
import type { Workspace } from '../workspace';
import type { Management } from '../management';

export type Parameters = Readonly<Record<string, ParameterValue>>;

export interface PolicySetup {
  ws: Workspace;
  parameters: Parameters;
  management: Management;
  /** Recorded context operations of the line, looked at step by step; summaries take their words from there. */
  recorded: readonly RecordedOp[];
  /** Operations by hand; only `manual` looks at them. */
  scenario: readonly ScenarioOp[];
  /** What later calls use; only a policy that is not causal looks beyond the calls made so far. */
  evidence: EvidenceIndex;
  /** Given to policies with `needsVectors`; looked at step by step. */
  selection?: LineSelection;
}

export interface PolicyRun {
  /** New blocks in the stream: arrivals and recovered copies (replay indices). */
  admitted?(items: readonly number[]): void;
  /** The policy's own rule, after arrivals and before preflight. */
  act?(): void;
  /** Overflow mode (model.md §4): only context tools are allowed; called when the guard was not enough. */
  overflow?(): void;
  /** Where the words came from in this run, when that is not the class of the definition. */
  replayClass?(): ReplayClass | null;
  /** `manual`: what became of each operation of the scenario. */
  outcomes?(): ScenarioOutcome[];
  /** After the last step: sentences about this run. */
  notes?(): string[];
}

export interface PolicyDefinition extends PolicyInfo {
  /** Must it end every step within B? */
  bound: boolean;
  /** Has it an archive? Then preflight offloads and rejects; else it trims the oldest rounds. */
  archive: boolean;
  /** Does the engine bring back what the recorded action uses? */
  recovers: boolean;
  /** Does it take parts out of a result before any call has seen it? */
  prunesNew?: boolean;
  /** Does every message begin with its block's id? */
  showsIds?: boolean;
  /** How a step ends under these parameters, where they decide it. */
  ending?(parameters: Parameters): Pick<PolicyDefinition, 'bound' | 'recovers'>;
  dashboard?(parameters: Parameters): DashboardChoice;
  /** Protocol text (our own words) and tool schemas of an agent-controlled policy: part of the fixed overhead. */
  protocol?(parameters: Parameters, budget: number): { text: string; tools: ToolSchema[] };
  start(setup: PolicySetup): PolicyRun;
}

export const NO_DASHBOARD: DashboardChoice = { kind: 'none', foldArchived: true };

export const numberOf = (parameters: Parameters, key: string): number => Number(parameters[key]);
export const textOf = (parameters: Parameters, key: string): string => String(parameters[key]);
export const flagOf = (parameters: Parameters, key: string): boolean => parameters[key] === true;
/** A list typed as text: names separated by commas or spaces. */
export const listOf = (parameters: Parameters, key: string): ReadonlySet<string> =>
  new Set(textOf(parameters, key).split(/[,\s]+/).filter(Boolean));

/** The vectors of a policy with `needsVectors`. */
export function ensureSelection({ selection }: PolicySetup): LineSelection {
  if (!selection) throw new ContextscopeError('internal', 'A policy that reads vectors was started without them.');
  return selection;
}
