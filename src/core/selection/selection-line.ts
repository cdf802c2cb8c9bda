/**
 * What selection needs of one line of a run, read once: a record a block, and the texts from which any checkpoint's
 * goal, state query and next action follow. Structured-cloneable; messages are not kept.
 */
import type { Message } from '../trace/model';
import { MessageFlag } from '../trace/model';
import { blockRecord, type BlockRecord } from './block-record';
import { wellFormed } from '../embedding/well-formed';
import { codePoints } from './code-points';
import { actionText, callsOf, contentTexts, finalText, limitText, textOnly } from './texts';

export interface PlacedText { position: number; text: string }

export interface SelectionLine {
  /** Messages in the line. */
  messages: number;
  blocks: BlockRecord[];
  /** Real user instructions (goal texts), in order. */
  instructions: PlacedText[];
  /** One entry an assistant message, in order: its text parts (uncut) and its action text. */
  assistants: { position: number; text: string; action: string }[];
  finalText: string;
  /** prefixChars[i] = code points of the messages before position i that are in no block. */
  prefixChars: Float64Array;
  /** A tool call id is used twice: blocks are not certain, and gem returns such a request unchanged. */
  idsClash: boolean;
  /** Tool calls that are in no block. */
  unansweredCalls: number;
}

/** `interactionBlocks`: message positions, assistant first, then its results in the order of the calls. */
export function readSelectionLine(messages: readonly Message[], interactionBlocks: readonly (readonly number[])[], countTokens: (text: string) => number): SelectionLine {
  const inBlock = new Set(interactionBlocks.flat());
  const prefixChars = new Float64Array(messages.length + 1);
  messages.forEach((message, i) => {
    prefixChars[i + 1] = prefixChars[i]! + (inBlock.has(i) ? 0 : messageChars(message));
  });
  const callIds = messages.flatMap((message) => callsOf(message).map((call) => call.id)).filter((id) => id !== '');
  const inBlocks = interactionBlocks.reduce((sum, block) => sum + callsOf(messages[block[0]!]!).length, 0);
  return {
    messages: messages.length,
    blocks: interactionBlocks.map((block, index) => {
      const record = blockRecord(index, block.map((position) => messages[position]!), countTokens);
      return { ...record, messageIndices: [...block] };
    }),
    instructions: messages.flatMap((message, position) =>
      (message.flags & MessageFlag.instruction) === 0 ? [] : [{ position, text: limitText(textOnly(message)) }]),
    assistants: messages.flatMap((message, position) =>
      message.role === 'assistant' ? [{ position, text: textOnly(message), action: actionText(message) }] : []),
    finalText: finalText(messages),
    prefixChars,
    idsClash: new Set(callIds).size !== callIds.length,
    unansweredCalls: messages.reduce((sum, message) => sum + callsOf(message).length, 0) - inBlocks,
  };
}

/** Code points of everything in a message that is in no complete block. */
function messageChars(message: Message): number {
  const count = (text: string): number => codePoints(wellFormed(text));
  let sum = 0;
  for (const part of message.parts) {
    if (part.type === 'text' || part.type === 'reasoning') sum += count(part.text);
    else if (part.type === 'tool_call') sum += count(`${part.name} ${part.args}`);
    else for (const text of contentTexts(part.type === 'tool_result' ? part.content : [part])) sum += count(text);
  }
  return sum;
}

/** A place in the line: `position` is the message of the next model call (or the end), `n` the blocks complete before. */
export interface Checkpoint { n: number; position: number }

/** The first `n` blocks; the next action is the n-th block's assistant message, if there is one. */
export function checkpointOfBlocks(line: SelectionLine, n: number): Checkpoint {
  return { n, position: line.blocks[n]?.messageIndices[0] ?? line.messages };
}

/** The leading blocks whose messages all stand before `position`. */
export function checkpointAtMessage(line: SelectionLine, position: number): Checkpoint {
  const open = line.blocks.findIndex((block) => block.messageIndices.some((index) => index >= position));
  return { n: open < 0 ? line.blocks.length : open, position };
}

/** The texts of a checkpoint (embedding.md §1); '' = there is none. */
export interface CheckpointTexts { goal: string; stateQuery: string; action: string }

export function checkpointTexts(line: SelectionLine, { position }: Checkpoint): CheckpointTexts {
  const goal = lastBefore(line.instructions, position)?.text ?? '';
  const said = lastBefore(line.assistants.filter((entry) => entry.text !== ''), position)?.text ?? '';
  return {
    goal,
    stateQuery: limitText([goal, said].filter((text) => text !== '').join('\n')),
    action: line.assistants.find((entry) => entry.position === position)?.action ?? '',
  };
}

function lastBefore<T extends { position: number }>(entries: readonly T[], position: number): T | undefined {
  return entries.findLast((entry) => entry.position < position);
}
