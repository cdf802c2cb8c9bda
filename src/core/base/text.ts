const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** UTF-8 bytes to text; a bad sequence becomes U+FFFD, a byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

/**
 * A copy that owns its characters. V8's `slice` keeps the whole parent string alive, so a label cut from a 13 MB
 * record would hold 13 MB. Lone surrogates become U+FFFD.
 */
export function detachText(text: string): string {
  return decoder.decode(encoder.encode(text));
}

/** First line with something on it, at most `limit` UTF-16 units, owned. */
export function firstLine(text: string, limit: number): string {
  const start = text.slice(0, limit * 4).trimStart();
  const end = start.indexOf('\n');
  const line = (end < 0 ? start : start.slice(0, end)).trimEnd();
  return detachText(line.length > limit ? `${line.slice(0, limit - 1)}…` : line);
}
