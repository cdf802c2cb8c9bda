import { isObject } from '../base/json';
import type { FormatContext, FormatSession, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';

/** One conversation being read. */
export interface ConversationRun {
  /** Natural units (formats.md §19) when the file is this conversation alone. */
  units: { kind: string; count: number };
  build(fallbackName: string): TrajectoryDraft;
}

/**
 * Formats whose file is one conversation (an object or an array of messages), a list of conversations, or JSONL with a
 * conversation a line. A single conversation counts its own units, several count one each.
 */
export class ConversationSession implements FormatSession {
  private readonly runs: ConversationRun[] = [];

  constructor(private readonly context: FormatContext, private readonly read: (node: JsonNode, line: number) => ConversationRun) {}

  add({ node, line }: SourceRecord): void {
    if (node.kind === 'array' && isRunList(node)) {
      for (const element of node.elements()) this.count(this.addRun(element, line), false);
    } else this.count(this.addRun(node, line), this.context.single);
  }

  private addRun(node: JsonNode, line: number): ConversationRun {
    const run = this.read(node, line);
    this.runs.push(run);
    return run;
  }

  private count(run: ConversationRun, single: boolean): void {
    if (single) this.context.count(run.units.kind, run.units.count);
    else this.context.count('conversation');
  }

  build(): TrajectoryDraft[] {
    const { baseName } = this.context;
    return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${baseName} #${i + 1}` : baseName));
  }
}

function isRunList(list: JsonNode): boolean {
  return list.elements(1)[0]?.field('messages') !== undefined;
}

/** Elements of a list that looks like conversations (each with `messages`), for detection on sampled values. */
export function sampledRuns(record: unknown): readonly unknown[] | null {
  return Array.isArray(record) && record.length > 0 && record.every((item) => isObject(item) && 'messages' in item) ? record : null;
}
