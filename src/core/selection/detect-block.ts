import type { ToolCallPart, ToolResultPart } from '../trace/model';
import { wellFormed } from '../embedding/well-formed';
import { callOperations, type FileOperation } from './detect-operations';
import { errorRule } from './detect-error';
import { sourceOf, type SourceEvidence } from './detect-source';
import { observations } from './texts';

/** What one block alone gives away (gem.md §7): the evidence that protection groups are made of. */
export interface BlockDetection {
  operations: FileOperation[];
  /** The rule that found an error; null = none. */
  error: string | null;
  source: SourceEvidence | null;
}

/** `results` in the order of `calls`. */
export function detectBlock(calls: readonly ToolCallPart[], results: readonly ToolResultPart[]): BlockDetection {
  const texts = observations(results).map(wellFormed);
  const seen = new Map<string, FileOperation>();
  for (const operation of calls.flatMap(callOperations)) {
    seen.set(`${operation.role}\0${operation.path}\0${operation.rule}`, operation);
  }
  return { operations: [...seen.values()], error: errorRule(results, texts), source: sourceOf(calls, texts) };
}
