import { sha256Hex } from '../base/sha256';
import type { Message, ToolCallPart, ToolResultPart } from '../trace/model';
import { codePoints } from './code-points';
import { detectBlock, type BlockDetection } from './detect-block';
import { callsOf, limitText, uncutSelectionText } from './texts';

/** Everything selection needs to know of one interaction block, without its messages. Structured-cloneable. */
export interface BlockRecord {
  index: number;
  /** Positions in the line: assistant first, then its results. */
  messageIndices: number[];
  /** Selection text, at most 12 000 code points. */
  text: string;
  /** SHA-256 of `text`. */
  hash: string;
  /** Code points of `text`. */
  chars: number;
  /** Code points before the limit: the serialised length L of the forwarding guard. */
  uncutChars: number;
  /** Tokens of `text`. */
  tokens: number;
  detection: BlockDetection;
}

/**
 * Builds the record of one block from its messages (assistant first). `countTokens` is exact o200k counting in the
 * page and the command line.
 */
export function blockRecord(index: number, messages: readonly Message[], countTokens: (text: string) => number): BlockRecord {
  const assistant = messages[0]!;
  const calls = callsOf(assistant);
  const results = resultsInCallOrder(calls, messages);
  const uncut = uncutSelectionText(assistant, results);
  const text = limitText(uncut);
  return {
    index,
    messageIndices: messages.map((message) => message.index),
    text,
    hash: sha256Hex(text),
    chars: codePoints(text),
    uncutChars: codePoints(uncut),
    tokens: countTokens(text),
    detection: detectBlock(calls, results),
  };
}

/**
 * The results that answer `calls`, found in the block's messages: by id, a queue per id where an id is used twice, and
 * in order where the format has no ids.
 */
function resultsInCallOrder(calls: readonly ToolCallPart[], messages: readonly Message[]): ToolResultPart[] {
  const left = [...new Set(messages)].flatMap((message) => message.parts.filter((part) => part.type === 'tool_result'));
  const out: ToolResultPart[] = [];
  for (const call of calls) {
    let at = left.findIndex((result) => result.callId === call.id);
    if (at < 0) at = left.findIndex((result) => result.callId === '');
    if (at >= 0) out.push(...left.splice(at, 1));
  }
  return out;
}
