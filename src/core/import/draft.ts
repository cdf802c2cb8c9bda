import type { JsonNode } from './json-node';
import { ColumnsBuilder } from './columns-builder';
import type { NewRow } from './columns-builder';
import { spanOf } from './format';
import type { TrajectoryDraft } from './format';
import { ROLES, MessageFlag } from '../trace/model';
import type { MessageColumns, Outcome, Part, Thread, ToolSchema, TraceEvent, Usage } from '../trace/model';

export const MAIN_THREAD = 'main';

export interface DraftHeader { name: string; model?: string; createdMs?: number; outcome?: Outcome }

/** Sums of a column set's usage over all rows; a class that no row records stays null. */
export function totalUsage(columns: MessageColumns): Usage {
  const sums: (number | null)[] = [null, null, null, null, null];
  for (let i = 0; i < columns.usage.length; i++) {
    const value = columns.usage[i]!;
    if (!Number.isNaN(value)) sums[i % 5] = (sums[i % 5] ?? 0) + value;
  }
  const [input, cachedInput, cacheWrite, output, reasoning] = sums as [number | null, number | null, number | null, number | null, number | null];
  return { input, cachedInput, cacheWrite, output, reasoning };
}

/** A trajectory in the making: columns, events and warnings of one run. */
export class DraftWriter {
  readonly columns = new ColumnsBuilder();
  readonly events: TraceEvent[] = [];
  readonly warnings: string[] = [];

  /** Adds a message that one JSON value holds. */
  addMessage(row: NewRow, parts: readonly Part[], node: JsonNode, line: number): number {
    const index = this.columns.addRow(row);
    this.columns.addSpan(index, spanOf(node, line));
    this.columns.addParts(index, parts);
    return index;
  }

  build(header: DraftHeader, threads: (columns: MessageColumns) => Thread[]): TrajectoryDraft {
    const columns = this.columns.build();
    const created = header.createdMs ?? columns.timestampMs.find((ms) => !Number.isNaN(ms));
    const model = header.model ?? lastModel(columns);
    return {
      name: header.name,
      ...(model === undefined ? {} : { model }),
      ...(created === undefined ? {} : { createdMs: created }),
      ...(header.outcome === undefined ? {} : { outcome: header.outcome }),
      threads: threads(columns),
      events: this.events.slice(),
      columns,
      warnings: this.warnings.slice(),
      ...(this.columns.impossibleUsages === 0 ? {} : { impossibleUsages: this.columns.impossibleUsages }),
      usage: totalUsage(columns),
    };
  }
}

/** One thread whose main line is every row, in order. */
export function linearThread(rowCount: number, tools: ToolSchema[], countsReasoning: boolean): Thread {
  return { id: MAIN_THREAD, tools, main: Uint32Array.from({ length: rowCount }, (_, i) => i), branches: [], countsReasoning };
}

const ASSISTANT = ROLES.indexOf('assistant');

/** Model of the last assistant message that names one and is not a local notice. */
function lastModel(columns: MessageColumns): string | undefined {
  for (let row = columns.n - 1; row >= 0; row--) {
    if (columns.role[row] === ASSISTANT && columns.model[row]! > 0 && !(columns.flags[row]! & MessageFlag.synthetic)) return columns.strings[columns.model[row]!];
  }
  return undefined;
}
