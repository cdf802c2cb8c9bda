import { asString } from '../base/json';
import { decodeUtf8 } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part, Role, Usage } from '../trace/model';
import { contentParts, otherPart } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { FileCounts, Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { AIDER_SESSION } from './text-records';
import { utcMs } from './utc-time';

/**
 * Aider's chat history (formats.md §17), Markdown: one trajectory a session. Runs of `####` lines are the person's turns,
 * runs of `>` lines what the tool printed, all else the model's. Times are local and have no zone: read as UTC. Tokens are
 * as rounded as Aider prints them.
 *
 * countsReasoning: false. None is recorded.
 */
export const aider: Format = {
  id: 'aider',
  title: 'Aider chat history',
  reads: 'text',
  detect,
  open: (context) => new AiderSession(context),
  decode: (records, facts) => records.flatMap((record) => sectionParts(record, facts.role)),
};

function detect(sample: Sample): number {
  return sample.shape === 'text' && sample.records.some((record) => AIDER_SESSION.test((asString(record) ?? '').split('\n', 1)[0]!)) ? 0.97 : 0;
}

/** Without blanks at its end; a regular expression would look at a long run of blanks once for each of them. */
function trimLineEnd(line: string): string {
  let end = line.length;
  while (end > 0 && ' \t\r'.includes(line[end - 1]!)) end--;
  return line.slice(0, end);
}

function sectionParts(record: unknown, role: Role): Part[] {
  const text = asString(record);
  if (text === undefined) return [otherPart('section', record)];
  const prefix = role === 'user' ? /^#{4} ?/ : role === 'tool' ? /^> ?/ : null;
  const lines = text.split('\n').map((line) => (prefix ? line.replace(prefix, '') : line)).map(trimLineEnd);
  return contentParts(lines.join('\n').replace(/^\n+|\n+$/g, ''));
}

type Section = 'user' | 'tool' | 'assistant' | null;

/** null = a line that ends nothing and begins nothing: it stays with what goes on. */
function sectionOf(line: string): Section {
  if (line.startsWith('####')) return 'user';
  // `>>>>>>> REPLACE` ends an edit.
  if (/^>(\s|$)/.test(line)) return 'tool';
  return line.trim() === '' ? null : 'assistant';
}

class AiderSession implements FormatSession {
  private readonly runs: AiderRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const run = new AiderRun(node.bytes.subarray(node.from, node.to), node.byteOffset, line);
    // Text before the first header belongs to a session whose header is not in the file.
    if (run.startedMs !== undefined) this.context.count('session');
    else this.context.warn('The file begins in the middle of a session.');
    this.runs.push(run);
  }

  build(): TrajectoryDraft[] { return this.runs.filter((run) => !run.isEmpty).map((run) => run.build(this.context.baseName)); }

  counts(): FileCounts {
    return { messages: this.runs.reduce((sum, run) => sum + run.userTurns, 0), toolCalls: 0, toolResults: 0, matchedPairs: 0 };
  }
}

interface OpenSection { section: Exclude<Section, null>; from: number; to: number; line: number }

class AiderRun {
  readonly startedMs: number | undefined;
  userTurns = 0;
  private readonly draft = new DraftWriter();
  private started: string | undefined;
  private model: string | undefined;
  private lastAnswer = -1;

  /** `bytes` stand at `byteOffset` of the content; `line` is the number of their first line. */
  constructor(bytes: Uint8Array, byteOffset: number, line: number) {
    let open: OpenSection | null = null;
    for (let at = 0, number = line; at < bytes.length; number++) {
      const newline = bytes.indexOf(0x0a, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      const content = decodeUtf8(bytes.subarray(at, end)).replace(/\r?\n$/, '');
      const header: RegExpExecArray | null = at === 0 ? AIDER_SESSION.exec(content) : null;
      if (header) this.started = header[1];
      const section = header ? null : sectionOf(content);
      // A blank line ends a run of the person's lines and of printed ones; in an answer it is part of the text.
      if (open && (section === null ? open.section !== 'assistant' : section !== open.section)) {
        this.addSection(open, bytes, byteOffset);
        open = null;
      }
      if (section !== null && !open) open = { section, from: at, to: end, line: number };
      if (open) open.to = end;
      at = end;
    }
    if (open) this.addSection(open, bytes, byteOffset);
    this.startedMs = utcMs(this.started);
  }

  get isEmpty(): boolean { return this.draft.columns.rowCount === 0; }

  private addSection({ section, from, to, line }: OpenSection, bytes: Uint8Array, byteOffset: number): void {
    const parts = sectionParts(decodeUtf8(bytes.subarray(from, to)), section);
    const first = parts[0]?.type === 'text' ? parts[0].text : '';
    if (section === 'user') this.userTurns++;
    if (section === 'tool') this.readNotes(first);
    // Commands are carried out by Aider and not sent; /ask, /code and /architect are.
    const isCommand = section === 'user' && /^\/(?!ask\b|code\b|architect\b)\w+/.test(first) && !first.includes('\n');
    const flags = section !== 'user' ? 0 : isCommand ? MessageFlag.meta : MessageFlag.instruction;
    const row = this.draft.columns.addRow({ role: section, flags, model: section === 'assistant' ? this.model : undefined });
    this.draft.columns.addSpan(row, { byteOffset: byteOffset + from, byteLength: to - from, line });
    this.draft.columns.addParts(row, parts);
    if (section === 'assistant') this.lastAnswer = row;
  }

  /** `Model: NAME with …`, `Tokens: 12,566 sent, 1.2k received.` */
  private readNotes(text: string): void {
    this.model = /^(?:Main model|Models?): (\S+)/m.exec(text)?.[1] ?? this.model;
    const tokens = /^Tokens: (.+?)\.(?:\s|$)/m.exec(text)?.[1];
    if (tokens === undefined || this.lastAnswer < 0) return;
    const count = (name: string): number | undefined => {
      const found = new RegExp(String.raw`([\d.,]+)(k|M)? ${name}`).exec(tokens);
      return found ? Math.round(Number(found[1]!.replaceAll(',', '')) * (found[2] === 'k' ? 1000 : found[2] === 'M' ? 1_000_000 : 1)) : undefined;
    };
    const usage: Partial<Usage> = { input: count('sent'), cachedInput: count('cache hit'), cacheWrite: count('cache write'), output: count('received') };
    this.draft.columns.mergeUsage(this.lastAnswer, usage);
    this.lastAnswer = -1;
  }

  build(file: string): TrajectoryDraft {
    return this.draft.build({ name: this.started === undefined ? file : `${file} ${this.started}`, model: this.model, createdMs: this.startedMs }, (columns) => [linearThread(columns.n, [], false)]);
  }
}
