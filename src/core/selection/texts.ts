/**
 * The exact texts of embedding.md §1: what the encoder sees of a block, a goal, an action, a final answer and a state
 * query. Characters are Unicode code points; a lone surrogate becomes U+FFFD before anything is counted.
 */
import type { ContentPart, Message, Part, ToolCallPart, ToolResultPart } from '../trace/model';
import { MessageFlag } from '../trace/model';
import { wellFormed } from '../embedding/well-formed';
import { codePoints, headOf, tailOf } from './code-points';

/** Longest text an encoder is given, in code points (gem.md §1). */
export const TEXT_LIMIT = 12_000;
const HEAD = 6_000;
const JOINER = '\n…\n';

/** At most `TEXT_LIMIT` code points: head, joiner, tail. */
export function limitText(text: string): string {
  const clean = wellFormed(text);
  if (clean.length <= TEXT_LIMIT || codePoints(clean) <= TEXT_LIMIT) return clean;
  return headOf(clean, HEAD) + JOINER + tailOf(clean, TEXT_LIMIT - HEAD - JOINER.length);
}

const nonEmpty = (text: string): boolean => text !== '';

/** Text parts as they are, other content as `[image]` or `[type]`; empty parts dropped. */
export function contentTexts(parts: readonly (Part | ContentPart)[]): string[] {
  const out: string[] = [];
  for (const part of parts) {
    if (part.type === 'text') out.push(part.text);
    else if (part.type === 'image') out.push('[image]');
    else if (part.type === 'other') out.push(`[${part.kind}]`);
  }
  return out.filter(nonEmpty);
}

/** Text parts alone, joined by line feeds. */
export function textOnly(message: Message): string {
  return message.parts.flatMap((part) => (part.type === 'text' && part.text !== '' ? [part.text] : [])).join('\n');
}

export function callsOf(message: Message): ToolCallPart[] {
  return message.parts.filter((part) => part.type === 'tool_call');
}

/** One entry a call: name, one space, arguments. */
function actionSection(calls: readonly ToolCallPart[]): string {
  return calls.map((call) => `${call.name} ${call.args}`).join('\n');
}

/** One observation a result, in the given order; an empty result keeps its place. */
export function observations(results: readonly ToolResultPart[]): string[] {
  return results.map((result) => contentTexts(result.content).join('\n'));
}

function assemble(assistant: Message, results: readonly string[]): string {
  const reasoning = assistant.parts.flatMap((part) => (part.type === 'reasoning' && part.text !== '' ? [part.text] : [])).join('\n');
  const sections = [
    ['ASSISTANT_REASONING', reasoning],
    ['ASSISTANT_TEXT', contentTexts(assistant.parts).join('\n')],
    ['ACTION', actionSection(callsOf(assistant))],
  ].filter((section) => section[1] !== '').map((section) => section.join('\n'));
  if (results.some(nonEmpty)) sections.push(`OBSERVATION\n${results.join('\n')}`);
  return sections.join('\n');
}

/** Selection text before the limit. `results` in the order of the calls. */
export function uncutSelectionText(assistant: Message, results: readonly ToolResultPart[]): string {
  return wellFormed(assemble(assistant, observations(results)));
}

/** Selection text of an interaction block. */
export function selectionText(assistant: Message, results: readonly ToolResultPart[]): string {
  return limitText(assemble(assistant, observations(results)));
}

/** Selection text without its observation: the next action must not leak the future (gem.md §5). */
export function actionText(assistant: Message): string {
  return limitText(assemble(assistant, []));
}

/** Text of the last real user instruction before position `before`; '' when there is none. */
export function goalText(messages: readonly Message[], before: number): string {
  for (let i = before - 1; i >= 0; i--) {
    const message = messages[i]!;
    if ((message.flags & MessageFlag.instruction) !== 0) return limitText(textOnly(message));
  }
  return '';
}

/** Goal text, line feed, text of the last assistant message before `before` that has any; cut as one text. */
export function stateQueryText(messages: readonly Message[], before: number): string {
  let said = '';
  for (let i = before - 1; i >= 0 && said === ''; i--) {
    if (messages[i]!.role === 'assistant') said = textOnly(messages[i]!);
  }
  return limitText([goalText(messages, before), said].filter(nonEmpty).join('\n'));
}

/** Text of the last assistant message that has text or a call; where it has no text, its action text. */
export function finalText(messages: readonly Message[]): string {
  for (let i = messages.length - 1; i >= 0; i--) {
    const message = messages[i]!;
    if (message.role !== 'assistant') continue;
    const text = textOnly(message);
    if (text !== '') return limitText(text);
    if (callsOf(message).length > 0) return actionText(message);
  }
  return '';
}
