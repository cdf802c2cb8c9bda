import { asString } from '../base/json';
import { decodeUtf8, firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Part } from '../trace/model';
import { contentParts, otherPart } from './content-parts';
import { DraftWriter, linearThread } from './draft';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { CURSOR_EXPORT, isCursorExport } from './text-records';

/**
 * Cursor's *Export Chat* (formats.md §11), Markdown: a title, the line `_Exported on … from Cursor (version)_`, and turns
 * under `**User**` and `**Cursor**` with a rule between them. Tools, models, times and tokens are not exported. A rule
 * inside an answer ends it only where a speaker follows.
 *
 * countsReasoning: false. None is recorded.
 */
export const cursorMarkdown: Format = {
  id: 'cursor-markdown',
  title: 'Cursor Markdown export',
  reads: 'text',
  detect,
  open: (context) => new CursorMarkdownSession(context),
  decode: (records) => records.flatMap(turnParts),
};

function detect(sample: Sample): number {
  return sample.shape === 'text' && sample.records.length === 1 && isCursorExport(asString(sample.records[0]) ?? '') ? 0.97 : 0;
}

/** A turn without the blank lines and the rule around it. */
function turnParts(record: unknown): Part[] {
  const text = asString(record);
  if (text === undefined) return [otherPart('turn', record)];
  return contentParts(text.replaceAll('\r\n', '\n').replace(/\n+---\s*$/, '').replace(/^\n+|\n+$/g, ''));
}

const SPEAKER = /^\*\*(User|Cursor)\*\*\s*$/;

class CursorMarkdownSession implements FormatSession {
  private readonly draft = new DraftWriter();
  private title = '';

  constructor(private readonly context: FormatContext) {}

  add({ node, line }: SourceRecord): void {
    const bytes = node.bytes.subarray(node.from, node.to);
    let open: { role: 'user' | 'assistant'; from: number; line: number } | null = null;
    const close = (to: number): void => {
      if (open) this.addTurn(open, bytes.subarray(open.from, to), node.byteOffset);
    };
    for (let at = 0, number = line; at < bytes.length; number++) {
      const newline = bytes.indexOf(0x0a, at);
      const end = newline < 0 ? bytes.length : newline + 1;
      // `**Cursor**` is the longest speaker; titles are longer.
      const text = decodeUtf8(bytes.subarray(at, Math.min(end, at + 400))).trimEnd();
      const speaker = SPEAKER.exec(text);
      if (speaker) {
        close(at);
        open = { role: speaker[1] === 'User' ? 'user' : 'assistant', from: end, line: number + 1 };
      } else if (!open && text.startsWith('# ')) this.title ||= firstLine(text.slice(2), 120);
      else if (!open && text !== '' && text !== '---' && !CURSOR_EXPORT.test(text)) this.context.unknown('text before the first turn');
      at = end;
    }
    close(bytes.length);
    this.context.count('turn', this.draft.columns.rowCount);
  }

  private addTurn({ role, from, line }: { role: 'user' | 'assistant'; from: number; line: number }, bytes: Uint8Array, byteOffset: number): void {
    if (bytes.length === 0) return;
    const parts = turnParts(decodeUtf8(bytes));
    const row = this.draft.columns.addRow({ role, flags: role === 'user' ? MessageFlag.instruction : 0 });
    this.draft.columns.addSpan(row, { byteOffset: byteOffset + from, byteLength: bytes.length, line });
    this.draft.columns.addParts(row, parts);
  }



  build(): TrajectoryDraft[] {
    return [this.draft.build({ name: this.title || this.context.baseName }, (columns) => [linearThread(columns.n, [], false)])];
  }
}
