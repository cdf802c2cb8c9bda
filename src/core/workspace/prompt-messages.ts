import { ContextscopeError } from '../base/errors';
import type { LineReader } from '../evidence/analyse';
import type { Message } from '../trace/model';
import { neededMessages } from './render';
import type { Replay } from './types';

/** Reads what `renderPrompt` will ask for at a step, by position in the line; nothing else is held. */
export function readPromptMessages(
  reader: LineReader, rows: ArrayLike<number>, replay: Replay, step: number, messageIndex: ArrayLike<number>,
): Promise<(position: number) => Message> {
  return readMessagesAt(reader, rows, neededMessages(replay, step, messageIndex));
}

/** Reads the messages at some positions of the line; asking for another one throws `internal`. */
export async function readMessagesAt(reader: LineReader, rows: ArrayLike<number>, positions: readonly number[]): Promise<(position: number) => Message> {
  const messages = new Map<number, Message>();
  await reader.readMessages(positions.map((position) => rows[position]!), (message) => {
    const index = positions[message.index]!;
    messages.set(index, { ...message, index });
  });
  return (position) => {
    const found = messages.get(position);
    if (!found) throw new ContextscopeError('internal', `Message ${position} was not read.`);
    return found;
  };
}
