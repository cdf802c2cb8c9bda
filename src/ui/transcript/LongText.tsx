import { useState, type ReactNode } from 'react';
import { bytes } from '../shared/format';
import './message-parts.css';

/** Characters shown before a long text is collapsed: about thirty lines. */
const HEAD = 2_400;
/** Characters drawn at once when all is asked for; the next piece is one click away, so that no paint takes seconds. */
const PIECE = 2_000_000;

/**
 * A text that may be huge: its head, and "Show all 1.2 MB". `render` draws what is shown (plain text by default).
 * Offsets are UTF-16; a cut never falls inside a surrogate pair.
 */
export function LongText({ text, head = HEAD, render }: { text: string; head?: number; render?: (text: string) => ReactNode }) {
  const [shown, setShown] = useState(head);
  if (text === '') return <p className="muted text-empty">empty</p>;
  const whole = text.length <= shown * 1.15;
  const part = whole ? text : cutAt(text, shown);
  const draw = render ?? ((piece: string) => <pre className="text">{piece}</pre>);
  return (
    <>
      {draw(part)}
      {!whole && (
        <button type="button" className="show-all" onClick={() => setShown(shown <= head ? Math.max(PIECE, head) : shown + PIECE)}>
          {text.length > PIECE && shown > head ? `Show more of ${sizeOf(text)}` : `Show all ${sizeOf(text)}`}
        </button>
      )}
      {whole && text.length > head * 1.15 && <button type="button" className="show-all" onClick={() => setShown(head)}>Show less</button>}
    </>
  );
}

function cutAt(text: string, at: number): string {
  const code = text.charCodeAt(at - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? at - 1 : at);
}

/** UTF-8 bytes; encoded in pieces, since one call would double a text of megabytes in memory. */
export function sizeOf(text: string): string {
  let size = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    size += code < 0x80 ? 1 : code < 0x800 ? 2 : code >= 0xd800 && code <= 0xdbff ? (i++, 4) : 3;
  }
  return bytes(size);
}
