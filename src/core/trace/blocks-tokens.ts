import { measureText } from './block-text';
import type { ContentPart, ImagePart, Part } from './model';

/** Counts tokens; `countHashed` may remember a count under the SHA-256 of the same text. */
export interface BlockCounter {
  count(text: string): number;
  countHashed?(hash: string, text: string): number;
}

/** Stands in until a run has been counted: bytes / 4, rounded up. */
export const estimatingCounter: BlockCounter = { count: (text) => Math.ceil(measureText(text).bytes / 4) };

/** Anthropic's published rule: width × height / 750 after the long edge is brought down to 1 568 pixels. */
const IMAGE_LONG_EDGE_PX = 1568;
const IMAGE_PX_PER_TOKEN = 750;
/** What that rule gives for the largest usual image: an image of unknown size is not taken for a small one. */
export const UNKNOWN_IMAGE_TOKENS = 1600;

export function imageTokens(image: ImagePart): number {
  if (!image.width || !image.height) return UNKNOWN_IMAGE_TOKENS;
  const scale = Math.min(1, IMAGE_LONG_EDGE_PX / Math.max(image.width, image.height));
  return Math.ceil((image.width * scale * image.height * scale) / IMAGE_PX_PER_TOKEN);
}

/**
 * Tokens of one part, counted apart from its neighbours: a text as it is, a call as name + arguments (0 where it is fenced:
 * its text holds it), a result as the sum of its pieces, an image by its size, what was not understood as its raw source.
 * Reasoning is counted here too; whether it counts as context is the caller's question. Redacted reasoning has no text and
 * counts 0: a lower bound.
 */
export function partTokens(part: Part, counter: BlockCounter): number {
  switch (part.type) {
    case 'tool_call':
      return part.fenced ? 0 : counter.count(part.name) + counter.count(part.args);
    case 'tool_result':
      return part.content.reduce((sum, piece) => sum + contentTokens(piece, counter), 0);
    case 'reasoning':
      return counter.count(part.text);
    default:
      return contentTokens(part, counter);
  }
}

function contentTokens(part: ContentPart, counter: BlockCounter): number {
  switch (part.type) {
    case 'text':
      return counter.count(part.text);
    case 'image':
      return imageTokens(part);
    case 'other':
      return counter.count(part.raw);
  }
}

/** The one text that a block consists of, if its tokens are that text's: then its hash can stand for the count. */
export function soleText(parts: readonly Part[]): string | undefined {
  if (parts.length !== 1) return undefined;
  const part = parts[0]!;
  if (part.type === 'text') return part.text;
  if (part.type !== 'tool_result' || part.content.length !== 1) return undefined;
  const piece = part.content[0]!;
  return piece.type === 'text' ? piece.text : undefined;
}
