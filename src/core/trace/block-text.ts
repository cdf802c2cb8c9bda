import type { ContentPart, Message, Part } from './model';

/**
 * The parts a block stands for. In an assistant message the block of the answer is the whole range without its tool
 * results (hosted tools and OpenCode keep them in the same message): each result is a block of exactly one part.
 */
export function blockParts(message: Message, partFrom: number, partTo: number): Part[] {
  const parts = message.parts.slice(partFrom, partTo);
  const resultAlone = parts.length === 1;
  return message.role === 'assistant' && !resultAlone ? parts.filter((part) => part.type !== 'tool_result') : parts;
}

/**
 * The text a block stands for, byte for byte: what is hashed, archived and read back. Parts joined by `\n`, those without
 * text left out: text and reasoning as they are, a call as name, space, arguments (a fenced call is in its text already),
 * a result as its content, an image as `[image <mime> <w>x<h>]`, what was not understood as its raw source.
 */
export function blockText(message: Message, partFrom: number, partTo: number): string {
  return joinTexts(blockParts(message, partFrom, partTo).map(partText));
}

export function partText(part: Part): string {
  switch (part.type) {
    case 'tool_call':
      return part.fenced ? '' : `${part.name} ${part.args}`;
    case 'tool_result':
      return joinTexts(part.content.map(contentText));
    case 'reasoning':
      return part.text;
    default:
      return contentText(part);
  }
}

function contentText(part: ContentPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return `[image ${part.mime}${part.width && part.height ? ` ${part.width}x${part.height}` : ''}]`;
    case 'other':
      return part.raw;
  }
}

/** One text needs no copy. */
function joinTexts(texts: string[]): string {
  const full = texts.filter((text) => text !== '');
  return full.length === 1 ? full[0]! : full.join('\n');
}

/** Code points and UTF-8 bytes of a text; a lone surrogate is one code point and three bytes (U+FFFD). */
export function measureText(text: string): { codePoints: number; bytes: number } {
  let codePoints = 0;
  let bytes = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    codePoints++;
    if (unit < 0x80) bytes++;
    else if (unit < 0x800) bytes += 2;
    else if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
      bytes += 4;
      i++;
    } else bytes += 3;
  }
  return { codePoints, bytes };
}
