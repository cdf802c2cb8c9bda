import type { Part, Role, Span, Trajectory } from '../trace/model';
import type { JsonNode } from './json-node';

/** One top-level value of a source: a line of JSONL (line ≥ 1), or a document (line 0). */
export interface SourceRecord { node: JsonNode; line: number }

/** 'lines' = JSONL; 'document' = one JSON document, or several one after the other; 'text' = no JSON, a session a record. */
export type SourceShape = 'lines' | 'document' | 'text';

/** What detection sees: the first records, big arrays cut to their first elements and big strings emptied. */
export interface Sample { shape: SourceShape; records: readonly unknown[] }

/** A trajectory without what only the importer of the whole file knows. */
export interface TrajectoryDraft extends Omit<Trajectory, 'id' | 'indexInFile' | 'format'> {
  /** Numbers of usage of its rows that were dropped because they cannot be true. */
  impossibleUsages?: number;
}

/** Where a format reports what it met. Counts go into the import report. */
export interface FormatContext {
  /** File name without folders and extension, for naming trajectories. */
  baseName: string;
  shape: SourceShape;
  /** The file holds exactly one top-level value. */
  single: boolean;
  /** Counts natural units (formats.md §19) by the source's own kind. */
  count(kind: string, units?: number): void;
  /** Counts a record or content block that is kept raw because its kind is not known. */
  unknown(kind: string): void;
  warn(text: string): void;
}

/** File sums by formats.md §19, for formats whose natural units are not one row a message (Codex items, spans, event lists). */
export interface FileCounts { messages: number; toolCalls: number; toolResults: number; matchedPairs: number }

/** State of one import. Opened anew for every file; keeps columns, never parsed records. */
export interface FormatSession {
  /** Throws SyntaxError (before changing anything) when the record is not valid JSON. */
  add(record: SourceRecord): void;
  /** The trajectories so far. Does not consume: called for the first look and again at the end. */
  build(): TrajectoryDraft[];
  /** Where the report's sums are not those of the columns; what is left out is summed from them. */
  counts?(): Partial<FileCounts>;
  /** What ties this file to others of the same run. */
  links?(): FileLinks | undefined;
}

export interface Spawn { callId: string; title?: string }

/** Facts by which sub-agent files find the session that started them. */
export interface FileLinks {
  sessionId?: string;
  /** Every message belongs to a sub-agent. */
  isSubagent: boolean;
  agentId?: string;
  /** First text of a sub-agent. */
  prompt?: string;
  /** Agent id → the call whose result names it. */
  callOfAgent: ReadonlyMap<string, string>;
  /** Prompt text → calls that start a sub-agent with it. */
  spawnByPrompt: ReadonlyMap<string, readonly Spawn[]>;
  /** Base name of the file in which the run goes on. */
  continuedIn?: string;
}

/** What the columns already say about a row when its records are decoded again. */
export interface RowFacts { role: Role; flags: number; callCount: number; resultCount: number }

/**
 * One trajectory format = one file. `decode` is stateless: from the parsed JSON values of a row's spans alone it gives
 * the row's parts. Ids that a format does not record are left '' by decode; importer and reader take them from columns.
 */
export interface Format {
  id: string;
  title: string;
  /** How records are read: 'whole' = each parsed at once; 'parts' = messages inside a record have their own spans; 'text' = spans are plain text, no JSON. */
  reads: 'whole' | 'parts' | 'text';
  /** 0 = not mine … 1 = beyond doubt. No side effects. */
  detect(sample: Sample): number;
  open(context: FormatContext): FormatSession;
  decode(records: readonly unknown[], facts: RowFacts): Part[];
}

export function spanOf(node: JsonNode, line: number): Span {
  return line > 0 ? { byteOffset: node.byteOffset, byteLength: node.byteLength, line } : { byteOffset: node.byteOffset, byteLength: node.byteLength };
}
