/** Reading JSON that nobody vouches for: parsed values are `unknown` until one of these guards has looked. */

export interface JsonObject { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function asObject(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

export function asArray(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A finite number, or undefined. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function asBoolean(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/** Python writers emit NaN and Infinity (formats.md §0.1.6); outside of strings they are read as null. */
const PYTHON_NUMBERS = /"(?:[^"\\]|\\[^])*"|-?\bInfinity\b|\bNaN\b/g;

/** JSON.parse that also takes NaN and ±Infinity (as null). Throws SyntaxError like JSON.parse. */
export function parseJson(text: string): unknown {
  return parseNotingNumbers(text).value;
}

/** `parseJson`, and how many numbers it took as null. */
export function parseNotingNumbers(text: string): { value: unknown; nonFinite: number } {
  try {
    return { value: JSON.parse(text), nonFinite: 0 };
  } catch (error) {
    if (!/NaN|Infinity/.test(text)) throw error;
    let nonFinite = 0;
    const value: unknown = JSON.parse(text.replace(PYTHON_NUMBERS, (token) => {
      if (token.startsWith('"')) return token;
      nonFinite++;
      return 'null';
    }));
    return { value, nonFinite };
  }
}

/**
 * `parseJson` that also takes raw control characters (U+0000 to U+001F) inside of strings, as what they are: some writers
 * do not escape them. Throws the SyntaxError of the strict reading.
 */
export function parseLenientJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    const escaped = escapeControls(text);
    if (escaped === text) throw error;
    try {
      return parseJson(escaped);
    } catch {
      throw error;
    }
  }
}

/** A string that a regular expression would match, found by hand: strings may be longer than its stack. */
function escapeControls(text: string): string {
  const pieces: string[] = [];
  let done = 0;
  let inString = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x22) inString = !inString;
    else if (inString && code === 0x5c) i++;
    else if (inString && code < 0x20) {
      pieces.push(text.slice(done, i), `\\u${code.toString(16).padStart(4, '0')}`);
      done = i + 1;
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(done);
}

/** JSON.stringify of a parsed value; '' for undefined. Nesting too deep for the engine's stack is written without recursion. */
export function stringifyJson(value: unknown): string {
  if (value === undefined) return '';
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (error instanceof RangeError) return stringifyDeep(value);
    throw error;
  }
}

function stringifyDeep(root: unknown): string {
  const out: string[] = [];
  // Work still to do, last first: literal text, or a value to open.
  const todo: ({ text: string } | { value: unknown })[] = [{ value: root }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    if ('text' in next) {
      out.push(next.text);
      continue;
    }
    const value = next.value;
    if (typeof value !== 'object' || value === null) {
      out.push(JSON.stringify(value) ?? 'null');
      continue;
    }
    const entries: [string, unknown][] = Array.isArray(value)
      ? value.map((item): [string, unknown] => ['', item])
      : Object.entries(value).map(([key, item]): [string, unknown] => [`${JSON.stringify(key)}:`, item]);
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
    out.push(open);
    todo.push({ text: close });
    for (let i = entries.length - 1; i >= 0; i--) {
      const [prefix, item] = entries[i]!;
      todo.push({ value: item }, { text: (i > 0 ? ',' : '') + prefix });
    }
  }
  return out.join('');
}
