/** What both protocols demand of texts, names and tool schemas. */
import type { ToolSchema } from '../trace/model';

const EMPTY = '(empty)';

/** Neither protocol takes an empty message. */
export const filled = (text: string): string => (text.trim() === '' ? EMPTY : text);

/** A name both protocols accept: letters, digits, `_` and `-`, at most 64. */
export const toolName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64) || 'tool';

export const asRecord = (value: unknown): Record<string, unknown> | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;

/** The parts of a recorded tool schema, whichever provider it was written for. */
export function schemaFacts(tool: ToolSchema): { raw: Record<string, unknown>; description: string; schema: Record<string, unknown> } {
  let raw: Record<string, unknown> = {};
  try {
    raw = asRecord(JSON.parse(tool.json)) ?? {};
  } catch {
    // A schema that is no JSON was kept as it stood; its name is all that is known.
  }
  const own = asRecord(raw['function']) ?? raw;
  const schema = asRecord(own['parameters']) ?? asRecord(own['input_schema']) ?? { type: 'object', properties: {} };
  return { raw, description: typeof own['description'] === 'string' ? own['description'] : '', schema };
}
