/** A pin, drawn: emoji fonts differ and some machines have none. */
export function PinGlyph() {
  return (
    <svg className="pin-glyph" viewBox="0 0 12 12" width="11" height="11" role="img" aria-label="pinned">
      <path d="M4 1h4v1.2l-.7.6v2.4L9 7v1H6.6v3L6 12l-.6-1V8H3V7l1.7-1.8V2.8L4 2.2z" fill="currentColor" />
    </svg>
  );
}
