import { asArray, asObject, asString } from '../base/json';

/** A context edit that the API reports to have applied, as an event says it. */
export interface AppliedEdit { sourceKind: string; label: string; data: Record<string, string | number> }

/** `context_management.applied_edits` of an Anthropic message or of the last delta of its stream (formats.md §11). */
export function appliedEdits(contextManagement: unknown): AppliedEdit[] {
  return (asArray(asObject(contextManagement)?.['applied_edits']) ?? []).map((edit) => {
    const facts = asObject(edit) ?? {};
    const data = Object.fromEntries(Object.entries(facts).filter((entry): entry is [string, string | number] => typeof entry[1] === 'string' || typeof entry[1] === 'number'));
    return { sourceKind: asString(facts['type']) ?? 'applied_edit', label: asString(facts['type']) ?? 'Context edited', data };
  });
}
