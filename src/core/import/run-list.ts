import type { FileCounts, FileLinks, FormatContext, FormatSession, SourceRecord, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';

/** One trajectory of a file that may hold many. It counts its own natural units through the context when it is made. */
export interface ImportRun {
  /** Where the report's sums are not those of the columns (formats.md §19). */
  readonly counts?: Partial<FileCounts>;
  readonly links?: FileLinks;
  build(fallbackName: string): TrajectoryDraft;
}

const COUNT_NAMES = ['messages', 'toolCalls', 'toolResults', 'matchedPairs'] as const;

/** A record is a trajectory, or (`split`) a list of them. */
export class RunListSession<Run extends ImportRun = ImportRun> implements FormatSession {
  protected readonly runs: Run[] = [];

  constructor(protected readonly context: FormatContext, private readonly read: (node: JsonNode, line: number) => Run, private readonly split: (node: JsonNode) => readonly JsonNode[] = (node) => [node]) {}

  add({ node, line }: SourceRecord): void {
    for (const element of this.split(node)) this.runs.push(this.read(element, line));
  }

  build(): TrajectoryDraft[] {
    return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }

  counts(): Partial<FileCounts> {
    const sums: Partial<FileCounts> = {};
    for (const name of COUNT_NAMES) {
      if (this.runs.length > 0 && this.runs.every((run) => run.counts?.[name] !== undefined)) sums[name] = this.runs.reduce((sum, run) => sum + (run.counts?.[name] ?? 0), 0);
    }
    return sums;
  }

  /** Only a file of one run can be joined to others. */
  links(): FileLinks | undefined {
    return this.runs.length === 1 ? this.runs[0]!.links : undefined;
  }
}

/** Elements of an array, or the value itself. */
export function elementsOrSelf(node: JsonNode): readonly JsonNode[] {
  return node.kind === 'array' ? node.elements() : [node];
}

/** A parsed value; undefined where it is absent, cut or not valid JSON: one broken field must not cost the run. */
export function valueOf(node: JsonNode | undefined): unknown {
  if (!node || node.cut) return undefined;
  try {
    return node.value();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
