import type { ToolCallPart } from '../trace/model';

/** Argument names that hold a path, compared in lower case without underscores. */
export const PATH_KEYS: ReadonlySet<string> = new Set(['path', 'filepath', 'filename', 'file', 'target', 'uri']);

export function pathKey(key: string): string {
  return key.toLowerCase().replaceAll('_', '');
}

/** The arguments as a value: parsed JSON, or the text itself where it is none (a fenced call). */
export function parsedArguments(call: ToolCallPart): unknown {
  if (call.fenced) return call.args;
  try {
    return JSON.parse(call.args) as unknown;
  } catch {
    return call.args;
  }
}

/** The arguments as an object; null where they are none. */
export function objectArguments(call: ToolCallPart): Record<string, unknown> | null {
  return asObject(parsedArguments(call));
}

export function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
}

/** Without quotes, leading `./` and trailing `/`. */
export function normalisePath(path: string): string {
  let p = path.trim().replace(/^['"]+|['"]+$/g, '');
  while (p.startsWith('./')) p = p.slice(2);
  return p.length > 1 ? p.replace(/\/+$/, '') : p;
}

/** Last component of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
