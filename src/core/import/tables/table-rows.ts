import { asArray, asNumber, asObject, asString, parseJson } from '../../base/json';
import type { JsonObject } from '../../base/json';
import { USAGE_NAMES, plainName } from './table-columns';
import type { TableRoute } from './table-columns';

/** A row as a JSON line, or why it is none. */
export type RowLine = { line: string } | { reason: string };

/**
 * Turns rows into the JSON lines from which a format takes over: rows of messages for `message-table`, a conversation a
 * row for the chat formats, observations for `langfuse`. Cells are strings (CSV) or values (Parquet); null = empty.
 */
export class TableRows {
  constructor(private readonly route: TableRoute) {}

  line(cells: readonly unknown[], row: number): RowLine {
    try {
      return this.lineOf(cells, row);
    } catch (error) {
      // The engine's stack ended in JSON.stringify: this row is lost, not the table.
      if (!(error instanceof RangeError)) throw error;
      return { reason: `nested too deeply to be read: ${error.message}` };
    }
  }

  private lineOf(cells: readonly unknown[], row: number): RowLine {
    if (this.route.kind === 'conversations') return this.conversation(cells, this.route.list);
    return this.route.kind === 'langfuse' ? this.observation(cells) : this.message(cells, row);
  }

  private message(cells: readonly unknown[], row: number): RowLine {
    const { names, at } = this.route.columns;
    const has = (index: number | undefined): boolean => index !== undefined && isFilled(cells[index]);
    if (!has(at.role) && !has(at.content) && !has(at.toolCalls)) return { reason: `the row has neither ${names[at.role!]} nor content` };
    const values: Record<string, unknown> = {};
    names.forEach((name, i) => { values[name] = cells[i] ?? null; });
    return { line: jsonLine({ table_row: row, cells: values }) };
  }

  private conversation(cells: readonly unknown[], list: number): RowLine {
    const { names, at } = this.route.columns;
    const given = parsedCell(cells[list]);
    const inner = asObject(given);
    const elements = asArray(given) ?? asArray(inner?.['messages']) ?? asArray(inner?.['conversations']);
    if (!elements) return { reason: `expected a list of messages in the column ${names[list]}, found ${isFilled(cells[list]) ? shorten(given) : 'nothing'}` };
    const turns = elements.map(turnOf);
    if (turns.some((turn) => turn === null)) return { reason: `an element of the list in ${names[list]} is no message: ${shorten(elements[turns.indexOf(null)])}` };
    const rest: Record<string, unknown> = {};
    names.forEach((name, i) => { if (i !== list && isFilled(cells[i])) rest[name] = cells[i]; });
    const label = [at.title, at.group].map((index) => (index === undefined ? undefined : cells[index])).find((cell) => typeof cell === 'string' && cell !== '') ?? cells[names.findIndex((name) => plainName(name) === 'id')];
    const isShareGpt = turns.some((turn) => turn !== null && 'from' in turn);
    const name = typeof label === 'string' || typeof label === 'number' || typeof label === 'bigint' ? String(label) : undefined;
    return { line: jsonLine({ [isShareGpt ? 'id' : 'title']: name, model: at.model === undefined ? undefined : asString(cells[at.model]), tools: at.tools === undefined ? undefined : parsedCell(cells[at.tools]), [isShareGpt ? 'conversations' : 'messages']: turns, columns: rest }) };
  }

  /** Langfuse's own names are in camel case; counts are columns of their own in its export. */
  private observation(cells: readonly unknown[]): RowLine {
    const observation: Record<string, unknown> = {};
    this.route.columns.names.forEach((name, i) => {
      const cell = cells[i];
      if (!isFilled(cell)) return;
      const key = plainName(name).replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
      observation[key] = PARSED.has(key) ? parsedCell(cell) : cell;
    });
    const count = (...keys: string[]): number | undefined => keys.map((key) => numberOf(observation[key])).find((value) => value !== undefined);
    if (!asObject(observation['usageDetails']) && !asObject(observation['usage'])) {
      const usage = { input: count('inputUsage', 'promptTokens', 'inputTokens'), output: count('outputUsage', 'completionTokens', 'outputTokens'), total: count('totalUsage', 'totalTokens') };
      if (Object.values(usage).some((value) => value !== undefined)) observation['usage'] = usage;
    }
    observation['type'] = asString(observation['type'])?.toUpperCase();
    if (typeof observation['traceId'] !== 'string') return { reason: 'the row has no traceId' };
    return { line: jsonLine(observation) };
  }
}

const PARSED = new Set(['metadata', 'usage', 'usageDetails', 'costDetails', 'modelParameters']);

/** Empty text is nothing: CSV has no other way to say so. */
export function isFilled(cell: unknown): boolean {
  return cell !== null && cell !== undefined && cell !== '';
}

/** A cell that holds JSON as text, as its value. */
export function parsedCell(cell: unknown): unknown {
  if (typeof cell !== 'string' || !/^\s*[[{]/.test(cell)) return cell;
  try {
    return parseJson(cell);
  } catch {
    return cell;
  }
}

export function numberOf(cell: unknown): number | undefined {
  if (typeof cell === 'bigint') return Number(cell);
  return typeof cell === 'string' && /^\s*-?\d+(\.\d+)?([eE][+-]?\d+)?\s*$/.test(cell) ? Number(cell) : asNumber(cell);
}

const ROLE_ALIASES: Readonly<Record<string, string>> = { human: 'user', ai: 'assistant', gpt: 'assistant', bot: 'assistant', agent: 'assistant', model: 'assistant', observation: 'tool', environment: 'tool', tool_result: 'tool', tool_response: 'tool', function_response: 'tool' };

/** The role of the chat protocol that data sets mean by other words. */
export function chatRoleOf(role: unknown): unknown {
  const plain = typeof role === 'string' ? role.trim().toLowerCase() : role;
  return typeof plain === 'string' && Object.hasOwn(ROLE_ALIASES, plain) ? ROLE_ALIASES[plain] : plain;
}

/**
 * A message of a list as the chat formats take it: without the nulls that a table has for every field of its struct,
 * `text` or `system_prompt` as content (nebius/SWE-agent-trajectories), calls out of their JSON. null = no message.
 */
function turnOf(element: unknown): JsonObject | null {
  const given = asObject(parsedCell(element));
  if (!given || !('role' in given || 'from' in given)) return null;
  const turn: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(given)) if (value !== null && value !== undefined) turn[key] = value;
  if ('from' in turn && !('role' in turn)) return turn;
  turn['role'] = chatRoleOf(turn['role']);
  if (!('content' in turn)) {
    const content = turn['text'] ?? turn['value'] ?? turn['system_prompt'];
    if (content !== undefined) turn['content'] = content;
    for (const key of ['text', 'value', 'system_prompt']) if (turn[key] === content) delete turn[key];
    if (!('content' in turn)) turn['content'] = null;
  }
  turn['content'] = parsedBlocks(turn['content']);
  if ('tool_calls' in turn) turn['tool_calls'] = parsedCell(turn['tool_calls']);
  if (Array.isArray(turn['tool_calls']) && turn['tool_calls'].length === 0) delete turn['tool_calls'];
  return turn;
}

/** Content blocks that stand in a cell as JSON text; any other text that looks like JSON stays text. */
export function parsedBlocks(content: unknown): unknown {
  if (typeof content !== 'string' || !/^\s*\[\s*\{/.test(content)) return content;
  const blocks = asArray(parsedCell(content));
  return blocks && blocks.every((block) => typeof asObject(block)?.['type'] === 'string') ? blocks : content;
}

function shorten(value: unknown): string {
  const text = typeof value === 'string' ? value : (jsonLine(value) ?? 'nothing');
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}…` : text);
}

/** JSON of values that Parquet gives: big integers, dates and bytes too. Numbers that JSON has not become null. */
function jsonLine(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner === 'bigint') return Number.isSafeInteger(Number(inner)) ? Number(inner) : String(inner);
    if (inner instanceof Uint8Array) return { bytes: inner.length };
    if (ArrayBuffer.isView(inner)) return Array.from(inner as unknown as Iterable<number>);
    return inner;
  });
}

/** Token counts of a row as one object, for the usage rules of the providers; undefined where there are none. */
export function usageCells(cells: JsonObject, columns: Readonly<Record<string, string>>): Record<string, number> | undefined {
  const usage: Record<string, number> = {};
  for (const name of USAGE_NAMES) {
    const column = columns[name];
    const value = column === undefined ? undefined : numberOf(cells[column]);
    if (value !== undefined) usage[name] = value;
  }
  return Object.keys(usage).length > 0 ? usage : undefined;
}
