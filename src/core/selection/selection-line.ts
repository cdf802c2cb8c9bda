/**
 * What selection needs of one line of a run, read once: a record a block, and the texts from which any checkpoint's
 * goal, state query and next action follow. Structured-cloneable; messages are not kept.
 */
import type { Message } from '../trace/model';
import { MessageFlag } from '../trace/model';
import { blockRecord, type BlockRecord } from './block-record';
import { wellFormed } from '../embedding/well-formed';
import { codePoints } from './code-points';
import { actionText, callsOf, contentTexts, limitText, textOnly } from './texts';

export interface PlacedText { position: number; text: string }

export interface SelectionLine {
  /** Messages in the line. */
  messages: number;
  blocks: BlockRecord[];
  /** Real user instructions (goal texts), in order. */
  instructions: PlacedText[];
  /** Texts of the assistant messages that have any, uncut, in order. */
  said: PlacedText[];
  /** Action text of every assistant message, in order. */
  actions: PlacedText[];
  finalText: string;
  /** prefixChars[i] = code points of the messages before position i that are in no block. */
  prefixChars: Float64Array;
  /** A tool call id is used twice: blocks are not certain, and gem returns such a request unchanged. */
  idsClash: boolean;
  /** Message position of the first call whose id was used before; Infinity = there is none. */
  clashPosition: number;
  /** Tool calls that are in no block. */
  unansweredCalls: number;
  /** Message positions of their messages, one a call, in order. */
  openCallPositions: number[];
}

/** Takes the messages of a line one by one, in order; holds only those of blocks that are not complete yet. */
export class SelectionLineReader {
  private readonly blockOf = new Map<number, number[]>();
  private readonly waiting = new Map<number, Message[]>();
  private readonly blocks: BlockRecord[] = [];
  private readonly instructions: PlacedText[] = [];
  private readonly said: PlacedText[] = [];
  private readonly actions: PlacedText[] = [];
  private readonly prefix: number[] = [0];
  private readonly callIds = new Set<string>();
  private clashPosition = Infinity;
  private readonly openCalls: number[] = [];
  private finalText = '';

  /** `interactionBlocks`: message positions of each block, assistant first. */
  constructor(private readonly interactionBlocks: readonly (readonly number[])[], private readonly countTokens: (text: string) => number) {
    interactionBlocks.forEach((block, index) => {
      for (const position of block) this.blockOf.set(position, [...(this.blockOf.get(position) ?? []), index]);
    });
  }

  add(message: Message): void {
    const position = this.prefix.length - 1;
    const blocks = this.blockOf.get(position) ?? [];
    this.prefix.push(this.prefix[position]! + (blocks.length > 0 ? 0 : messageChars(message)));
    this.noteCalls(message, position, blocks.some((index) => this.interactionBlocks[index]![0] === position));
    if ((message.flags & MessageFlag.instruction) !== 0) this.instructions.push({ position, text: limitText(textOnly(message)) });
    if (message.role === 'assistant') this.noteAssistant(message, position);
    for (const index of blocks) {
      const messages = [...(this.waiting.get(index) ?? []), message];
      if (messages.length < this.interactionBlocks[index]!.length) {
        this.waiting.set(index, messages);
      } else {
        this.waiting.delete(index);
        this.blocks[index] = { ...blockRecord(index, messages, this.countTokens), messageIndices: [...this.interactionBlocks[index]!] };
      }
    }
  }

  finish(): SelectionLine {
    const { blocks, instructions, said, actions, finalText, clashPosition, openCalls } = this;
    return {
      messages: this.prefix.length - 1, blocks, instructions, said, actions, finalText, prefixChars: Float64Array.from(this.prefix),
      idsClash: clashPosition < Infinity, clashPosition, unansweredCalls: openCalls.length, openCallPositions: openCalls,
    };
  }

  private noteCalls(message: Message, position: number, answered: boolean): void {
    for (const { id } of callsOf(message)) {
      if (!answered) this.openCalls.push(position);
      if (id === '') continue;
      if (this.callIds.has(id)) this.clashPosition = Math.min(this.clashPosition, position);
      this.callIds.add(id);
    }
  }

  private noteAssistant(message: Message, position: number): void {
    const text = textOnly(message);
    const action = actionText(message);
    this.actions.push({ position, text: action });
    if (text !== '') this.said.push({ position, text });
    if (text !== '' || callsOf(message).length > 0) this.finalText = text !== '' ? limitText(text) : action;
  }
}

/** The same from messages that are all at hand. */
export function readSelectionLine(messages: readonly Message[], interactionBlocks: readonly (readonly number[])[], countTokens: (text: string) => number): SelectionLine {
  const reader = new SelectionLineReader(interactionBlocks, countTokens);
  for (const message of messages) reader.add(message);
  return reader.finish();
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
  let n = 0;
  while (n < line.blocks.length && line.blocks[n]!.messageIndices.every((index) => index < position)) n++;
  return { n, position };
}

/** The texts of a checkpoint (embedding.md §1); '' = there is none. */
export interface CheckpointTexts { goal: string; stateQuery: string; action: string }

export function checkpointTexts(line: SelectionLine, { position }: Checkpoint): CheckpointTexts {
  const goal = lastBefore(line.instructions, position)?.text ?? '';
  const said = lastBefore(line.said, position)?.text ?? '';
  const action = lastBefore(line.actions, position + 1);
  return {
    goal,
    stateQuery: limitText([goal, said].filter((text) => text !== '').join('\n')),
    action: action?.position === position ? action.text : '',
  };
}

/** By bisection: entries are in order of position. */
function lastBefore(entries: readonly PlacedText[], position: number): PlacedText | undefined {
  let from = 0;
  let to = entries.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (entries[middle]!.position < position) from = middle + 1;
    else to = middle;
  }
  return entries[from - 1];
}
