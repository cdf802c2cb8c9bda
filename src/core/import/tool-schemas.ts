import { asArray, asObject, asString, parseJson, stringifyJson } from '../base/json';
import type { ToolSchema } from '../trace/model';

/** Tool schemas as recorded: an array, or that array as a JSON string (LLaMA-Factory). Unreadable text gives none. */
export function toolSchemas(value: unknown): ToolSchema[] {
  let list = value;
  if (typeof value === 'string') {
    try {
      list = parseJson(value);
    } catch {
      return [];
    }
  }
  return (asArray(list) ?? []).map((schema) => ({ name: schemaName(schema), json: stringifyJson(schema) }));
}

function schemaName(schema: unknown): string {
  const object = asObject(schema);
  return asString(asObject(object?.['function'])?.['name']) ?? asString(object?.['name']) ?? asString(object?.['type']) ?? '';
}

/** Tools of which only the names are recorded. */
export function namedTools(value: unknown): ToolSchema[] {
  return (asArray(value) ?? []).flatMap((name) => (typeof name === 'string' ? [{ name, json: stringifyJson({ name }) }] : []));
}
