import type { Part } from '../trace/model';

/** UTF-16 length of all text of a part. A fenced call counts nothing: its text part already holds it. */
export function partChars(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text.length;
    case 'tool_call':
      return part.fenced ? 0 : part.name.length + part.args.length;
    case 'tool_result':
      return part.content.reduce((sum, piece) => sum + partChars(piece), 0);
    case 'other':
      return part.raw.length;
    case 'image':
      return 0;
  }
}
