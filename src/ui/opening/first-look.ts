/** What the first steps of a file look like before the rest has arrived. */
import type { BlockKind } from '../../core/trace/blocks-types';
import { MessageFlag, type ContentPart, type Message, type Part } from '../../core/trace/model';

/** Messages shown: about one screen of the card. */
export const SHOWN_MESSAGES = 6;
/** Characters of a message: three lines of the card at its widest. */
const EXCERPT = 420;

export interface FirstMessage { kind: BlockKind; text: string; calls: string[]; isError: boolean }

/** Kinds as the blocks will have them: the first thing a person typed is the task. */
export function firstMessages(messages: readonly Message[]): FirstMessage[] {
  let task = false;
  return messages.slice(0, SHOWN_MESSAGES).map((message) => {
    const kind = kindOfMessage(message, task);
    task ||= kind === 'task';
    return {
      kind,
      text: excerpt(message.parts),
      calls: message.parts.flatMap((part) => (part.type === 'tool_call' ? [part.name || 'call'] : [])),
      isError: message.parts.some((part) => part.type === 'tool_result' && part.isError === true),
    };
  });
}

function kindOfMessage({ role, flags }: Message, hasTask: boolean): BlockKind {
  if (role === 'system' || role === 'assistant') return role;
  if (role === 'tool' || (flags & MessageFlag.harness) !== 0) return 'tool_result';
  if ((flags & MessageFlag.compactSummary) !== 0) return 'summary';
  return hasTask || (flags & MessageFlag.meta) !== 0 ? 'user' : 'task';
}

function excerpt(parts: readonly Part[]): string {
  const text = parts.map(words).filter((one) => one !== '').join(' ').replace(/\s+/g, ' ').trim();
  return text.length <= EXCERPT ? text : `${text.slice(0, EXCERPT - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

function words(part: Part): string {
  switch (part.type) {
    // A megabyte of text is cut before its white space is looked at.
    case 'text': case 'reasoning': return part.text.slice(0, EXCERPT * 4);
    case 'tool_call': return '';
    case 'tool_result': return part.content.map(contentWords).join(' ');
    default: return contentWords(part);
  }
}

const contentWords = (part: ContentPart): string => (part.type === 'text' ? part.text.slice(0, EXCERPT * 4) : part.type === 'image' ? '[image]' : `[${part.kind}]`);
