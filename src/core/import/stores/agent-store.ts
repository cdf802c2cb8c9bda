import type { SqlDatabase, SqlTable, SqlValue } from './sqlite-engine';

/** What a store writes its content with, and tells about it. */
export interface StoreContext {
  db: SqlDatabase;
  /** Tables by name. */
  tables: ReadonlyMap<string, SqlTable>;
  /** A sentence for the report. */
  note(text: string): void;
}

/** One agent's database: its tables, and how their rows become records of a format that is read from text. */
export interface AgentStore {
  title: string;
  /** Tables with the columns without which it is not this store. */
  needs: Readonly<Record<string, readonly string[]>>;
  /** Tables that are read; of the others the report gives the number of rows. */
  reads: readonly string[];
  /** JSON lines, in pieces of any size. */
  write(context: StoreContext): Iterable<string>;
}

const decoder = new TextDecoder();

/** Text of a cell; JSON stands in TEXT or BLOB columns. */
export function cellText(value: SqlValue | undefined): string | null {
  return typeof value === 'string' ? value : value instanceof Uint8Array ? decoder.decode(value) : null;
}

/** A cell as a value of JSON; bytes that are no text are only measured. */
export function cellValue(value: SqlValue | undefined): unknown {
  return value instanceof Uint8Array ? { bytes: value.length } : value;
}

/**
 * JSON text on one line. What is not valid JSON stays as it is, without its line breaks, so that it costs only its own
 * record and is reported as what it is.
 */
export function oneLine(json: string): string {
  if (!/[\n\r]/.test(json)) return json;
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return json.replace(/[\n\r]+/g, ' ');
  }
}

/** JSON text as a value inside other JSON: what is not valid becomes a string, so that it cannot break what stands around it. */
export function jsonInside(text: string): string {
  try {
    JSON.parse(text);
    return oneLine(text);
  } catch {
    return JSON.stringify(text);
  }
}

/** A JSON object with more fields in front of its own. */
export function withFields(fields: Readonly<Record<string, unknown>>, json: string | null): string {
  const head = JSON.stringify(fields);
  const body = oneLine(json ?? '{}').trim();
  if (!body.startsWith('{')) return `${head.slice(0, -1)},"data":${body}}`;
  return /^\{\s*\}$/.test(body) ? head : `${head.slice(0, -1)},${body.slice(1)}`;
}

/** A cell that holds JSON as its value; text that is no JSON stays text. */
export function jsonCell(value: SqlValue | undefined): unknown {
  const text = cellText(value);
  if (text === null) return value ?? null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
