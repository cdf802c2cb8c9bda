import { asArray, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role } from '../trace/model';
import { anthropicParts, anthropicUsage } from './claude-decode';
import { hasOwnText, idText, otherPart, toolCall } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { chatParts, chatRole, openaiUsage } from './openai-decode';
import { OrderPairing } from './order-pairing';
import { sampledObjects, share } from './sampling';
import { tableColumns } from './tables/table-columns';
import type { ColumnMeaning } from './tables/table-columns';
import { chatRoleOf, isFilled, numberOf, parsedBlocks, parsedCell, usageCells } from './tables/table-rows';
import { utcMs } from './utc-time';

/**
 * Tables with a message a row (CSV, TSV, Parquet), as our table readers hand them over: `{table_row, cells}` with the
 * cells by column name, all of them. Columns are known by their names (tables/table-columns.ts); rows with the same
 * session are a trajectory, in the order of their step where there is one, else of the table.
 *
 * countsReasoning: false. A table does not say what went back.
 */
export const messageTable: Format = {
  id: 'message-table',
  title: 'Table of messages',
  reads: 'whole',
  detect,
  open: (context) => new TableSession(context),
  decode: (records) => records.flatMap((record) => rowParts(asObject(asObject(record)?.['cells']))),
};

function detect(sample: Sample): number {
  return share(sampledObjects(sample), (object) => typeof object['table_row'] === 'number' && asObject(object['cells']) !== undefined) > 0.5 ? 0.97 : 0;
}

interface Names { key: string; of: Partial<Record<ColumnMeaning, string>>; usage: Record<string, string> }
let lastNames: Names | null = null;

/** Column names by meaning. Rows of a table all have the same columns, so the last answer is kept. */
function namesOf(cells: JsonObject): Names {
  const all = Object.keys(cells);
  const key = all.join('\n');
  if (lastNames?.key === key) return lastNames;
  const { at, usageAt } = tableColumns(all);
  const named = <T extends string>(indexes: Partial<Record<T, number>>): Partial<Record<T, string>> => Object.fromEntries(Object.entries(indexes).map(([name, i]) => [name, all[i as number]])) as Partial<Record<T, string>>;
  return (lastNames = { key, of: named(at), usage: named(usageAt) as Record<string, string> });
}

function cellOf(cells: JsonObject, meaning: ColumnMeaning): unknown {
  const name = namesOf(cells).of[meaning];
  const cell = name === undefined ? undefined : cells[name];
  return isFilled(cell) ? cell : undefined;
}

function roleOf(cells: JsonObject): Role | null {
  const role = chatRoleOf(cellOf(cells, 'role'));
  return chatRole(role);
}

/** The row as a chat message; content blocks of Anthropic's API are read as such. */
function rowParts(cells: JsonObject | undefined): Part[] {
  if (!cells) return [otherPart('row', cells)];
  const content = parsedBlocks(cellOf(cells, 'content'));
  const role = roleOf(cells) ?? 'user';
  const reasoning = cellOf(cells, 'reasoning');
  const isAnthropic = asArray(content)?.some((block) => /^(tool_use|thinking)$|tool_result$/.test(asString(asObject(block)?.['type']) ?? '')) === true;
  const calls = role === 'assistant' ? parsedCell(cellOf(cells, 'toolCalls')) : undefined;
  if (isAnthropic) return [...anthropicParts(content), ...looseCalls(calls)];
  const list = asArray(calls) ?? (asObject(calls) ? [calls] : undefined);
  const plain = typeof content === 'object' || content === undefined ? content : String(content);
  const name = cellOf(cells, 'toolName');
  const parts = chatParts({ role, content: plain ?? null, reasoning_content: reasoning, tool_call_id: idText(cellOf(cells, 'toolCallId')), ...(typeof name === 'string' ? { name } : {}), ...(list ? { tool_calls: list } : {}) });
  return list ? parts : [...parts, ...looseCalls(calls)];
}

/** Calls that are no JSON (pandas writes lists as Python does): the name is found, the text stays the arguments. */
function looseCalls(calls: unknown): Part[] {
  const text = asString(calls);
  if (text === undefined || /^\s*(\[\s*\]|None|nan|null)?\s*$/.test(text)) return [];
  return [toolCall(/["']id["']\s*:\s*["']([^"']+)/.exec(text)?.[1] ?? '', /["']name["']\s*:\s*["']([^"']+)/.exec(text)?.[1] ?? '', text)];
}

/** A moment as tables have it: ISO text (UTC where no zone is said), or seconds to nanoseconds since the epoch. */
function momentMs(cell: unknown): number | undefined {
  const number = numberOf(cell);
  if (number === undefined) return typeof cell === 'string' ? utcMs(cell) : undefined;
  return number > 1e17 ? number / 1e6 : number > 1e14 ? number / 1e3 : number < 1e11 ? number * 1000 : number;
}

class TableSession implements FormatSession {
  private readonly runs = new Map<string, TableRun>();

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const value = asObject(node.value());
    const cells = asObject(value?.['cells']);
    this.context.count('row');
    if (!cells) {
      this.context.unknown('row without cells');
      return;
    }
    const group = cellOf(cells, 'group');
    const key = typeof group === 'object' ? JSON.stringify(group) : String(group ?? '');
    let run = this.runs.get(key);
    if (!run) this.runs.set(key, (run = new TableRun(this.context, key)));
    run.addRow(cells, { node, line });
  }

  build(): TrajectoryDraft[] {
    return [...this.runs.values()].map((run) => run.build(this.context.baseName));
  }
}

class TableRun {
  private readonly draft = new DraftWriter();
  private readonly pairing = new OrderPairing();
  private readonly order: number[] = [];
  private title: string | undefined;

  constructor(private readonly context: FormatContext, private readonly key: string) {}

  addRow(cells: JsonObject, { node, line }: SourceRecord): void {
    const known = roleOf(cells);
    if (known === null) this.context.unknown(`role ${asString(cellOf(cells, 'role')) ?? 'missing'}`);
    const role = known ?? 'user';
    const parts = this.pairing.assign(rowParts(cells));
    const flags = known === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0;
    const row = this.draft.addMessage({ role, flags, timestampMs: momentMs(cellOf(cells, 'time')), model: role === 'assistant' ? asString(cellOf(cells, 'model')) : undefined }, parts, node, line);
    this.order.push(numberOf(cellOf(cells, 'order')) ?? NaN);
    this.title ??= asString(cellOf(cells, 'title'));
    if (role !== 'assistant') return;
    const usage = asObject(parsedCell(cellOf(cells, 'usage'))) ?? usageCells(cells, namesOf(cells).usage);
    if (usage) this.draft.columns.mergeUsage(row, tableUsage(usage));
  }

  build(fallbackName: string): TrajectoryDraft {
    const name = firstLine(this.title ?? '', 120) || firstLine(this.key, 120) || fallbackName;
    return this.draft.build({ name }, (columns) => {
      const thread = linearThread(columns.n, [], false);
      // Tables need not be sorted. Rows of one step keep their order.
      const inOrder = this.order.every((step, i) => i === 0 || !(step < this.order[i - 1]!));
      if (!inOrder && this.order.every((step) => !Number.isNaN(step))) thread.main = Uint32Array.from([...thread.main].sort((a, b) => this.order[a]! - this.order[b]! || a - b));
      return [thread];
    });
  }
}

/** Cached tokens stand beside the input where they have Anthropic's names, inside of it where they have OpenAI's. */
function tableUsage(usage: JsonObject): ReturnType<typeof openaiUsage> {
  if ('cache_read_input_tokens' in usage || 'cache_creation_input_tokens' in usage) return anthropicUsage(usage);
  const { cached_tokens: cached, reasoning_tokens: reasoning } = usage;
  return openaiUsage({ ...(cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } }), ...(reasoning === undefined ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }), ...usage });
}
