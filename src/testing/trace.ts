/**
 * A tiny notation for messages, so that a test shows its whole trace in a few lines:
 *
 *     system: You are an agent.
 *     user: Fix the bug in src/a.ts
 *     think: look first                     reasoning part
 *     assistant: Reading.                   text part of the same assistant message
 *     call t1 read {"path":"src/a.ts"}      tool call of the same assistant message
 *     result t1: line one\nline two         a message of its own (role tool); `result! t1:` = error
 *     + result t2: more                     `+` puts the part into the message before (Anthropic style)
 *     + user: and do hurry
 *     ---                                   ends an assistant message (so does a blank line)
 *     user [meta]: reminder                 flags and usage in brackets: [synthetic], [failed input=10 cached=90 output=5]
 *
 * `\n`, `\t` and `\\` are escapes in texts. `-` as a call id stands for '' (a format without ids). `image 640x480` adds an image part.
 * A user message counts as an instruction unless it carries a flag.
 */
import { MessageFlag } from '../core/trace/model';
import type { Message, Part, Role, Usage } from '../core/trace/model';

type Start = { role: Role; parts: Part[]; attributes: string };

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', '\\': '\\' };
const unescape = (text: string): string => text.replace(/\\([nt\\])/g, (_, code: string) => ESCAPES[code] ?? code);
const callId = (id: string): string => (id === '-' ? '' : id);

function parsePart(line: string): Start {
  const call = /^call (\S+) (\S+)(?: (.*))?$/s.exec(line);
  if (call) {
    const [, id = '', name = '', args = '{}'] = call;
    return { role: 'assistant', parts: [{ type: 'tool_call', id: callId(id), name, args: unescape(args) }], attributes: '' };
  }
  const result = /^result(!?) (\S+?):(?: (.*))?$/s.exec(line);
  if (result) {
    const [, bang, id = '', text = ''] = result;
    return {
      role: 'tool',
      parts: [{ type: 'tool_result', callId: callId(id), content: text ? [{ type: 'text', text: unescape(text) }] : [], ...(bang ? { isError: true } : {}) }],
      attributes: '',
    };
  }
  const image = /^image (\d+)x(\d+)$/.exec(line);
  if (image) return { role: 'user', parts: [{ type: 'image', mime: 'image/png', width: Number(image[1]), height: Number(image[2]) }], attributes: '' };
  const said = /^(system|user|assistant|think)(?: \[([^\]]*)\])?:(?: (.*))?$/s.exec(line);
  if (!said) throw new Error(`Trace notation: cannot read the line "${line}".`);
  const [, who = '', attributes = '', text = ''] = said;
  if (who === 'think') return { role: 'assistant', parts: [{ type: 'reasoning', text: unescape(text) }], attributes };
  return { role: who as Role, parts: text === '' ? [] : [{ type: 'text', text: unescape(text) }], attributes };
}

function applyAttributes(message: Message, attributes: string): void {
  const usage: Usage = { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null };
  const fields: Record<string, keyof Usage> = { input: 'input', cached: 'cachedInput', cacheWrite: 'cacheWrite', output: 'output', reasoning: 'reasoning' };
  for (const word of attributes.split(/\s+/).filter(Boolean)) {
    const [key = '', value] = word.split('=');
    const field = fields[key];
    if (value !== undefined && field) {
      usage[field] = Number(value);
      message.usage = usage;
    } else if (key in MessageFlag) message.flags |= MessageFlag[key as keyof typeof MessageFlag];
    else throw new Error(`Trace notation: unknown attribute "${word}".`);
  }
}

/** Messages of the notation above; row = index = position, spans empty. */
export function parseTrace(notation: string): Message[] {
  const messages: Message[] = [];
  let openAssistant = false;
  for (const raw of notation.split('\n')) {
    const line = raw.trim();
    if (line === '' || line === '---') {
      openAssistant = false;
      continue;
    }
    const joins = line.startsWith('+ ');
    const { role, parts, attributes } = parsePart(joins ? line.slice(2) : line);
    const last = messages.at(-1);
    if (last && (joins || (role === 'assistant' && last.role === 'assistant' && openAssistant))) {
      last.parts.push(...parts);
      applyAttributes(last, attributes);
      continue;
    }
    const message: Message = { index: messages.length, row: messages.length, role, parts, flags: 0, spans: [] };
    applyAttributes(message, attributes);
    if (role === 'user' && message.flags === 0) message.flags = MessageFlag.instruction;
    messages.push(message);
    openAssistant = role === 'assistant';
  }
  return messages;
}
