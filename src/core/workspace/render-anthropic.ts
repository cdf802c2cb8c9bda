/** Anthropic messages: `{system, messages, tools}`. User and assistant alternate; results open the user message after their calls. */
import type { ToolSchema } from '../trace/model';
import type { PromptParts } from './render';
import type { Entry } from './render-rows';
import { asRecord, filled, schemaFacts, toolName } from './render-text';

type Content = Record<string, unknown>;
interface Turn { role: 'user' | 'assistant'; content: Content[] }

/** Stands before an answer that nothing precedes: the protocol begins with a user message. */
const OPENING = '(The conversation begins with an answer.)';

export function anthropicBody(parts: PromptParts): Record<string, unknown> {
  const turns: Turn[] = [];
  const add = (role: Turn['role'], content: Content[]): void => {
    const last = turns.at(-1);
    if (last?.role === role) last.content.push(...content);
    else turns.push({ role, content: [...content] });
  };
  const system = parts.entries.filter((entry) => entry.form === 'system').map((entry) => entry.text);
  if (parts.protocol !== '') system.push(parts.protocol);
  for (const entry of parts.entries) {
    if (entry.form === 'system') continue;
    const role = entry.form === 'assistant' || entry.form === 'call' ? 'assistant' : 'user';
    if (turns.length === 0 && role === 'assistant') add('user', [{ type: 'text', text: OPENING }]);
    add(role, contentOf(entry));
  }
  if (parts.dashboard !== '' || turns.length === 0) add('user', [{ type: 'text', text: filled(parts.dashboard) }]);
  return { system: system.filter((text) => text.trim() !== '').join('\n\n'), messages: turns, tools: parts.tools.map(toolOf) };
}

function contentOf(entry: Entry): Content[] {
  if (entry.form === 'result') {
    return [{ type: 'tool_result', tool_use_id: entry.callId, content: filled(entry.text), ...(entry.isError ? { is_error: true } : {}) }];
  }
  const content: Content[] = [];
  // As text: a thinking block is only accepted with its signature, which the trace model does not keep.
  if (entry.reasoning.trim() !== '') content.push({ type: 'text', text: `<thinking>\n${entry.reasoning}\n</thinking>` });
  if (entry.text.trim() !== '') content.push({ type: 'text', text: entry.text });
  for (const call of entry.calls) content.push({ type: 'tool_use', id: call.id, name: toolName(call.name), input: inputOf(call.args) });
  return content.length > 0 ? content : [{ type: 'text', text: filled('') }];
}

function inputOf(args: string): Record<string, unknown> {
  try {
    return asRecord(JSON.parse(args)) ?? { input: args };
  } catch {
    return { input: args };
  }
}

function toolOf(tool: ToolSchema): Record<string, unknown> {
  const { raw, description, schema } = schemaFacts(tool);
  // Server tools have a type of their own and no schema.
  if (raw['input_schema'] !== undefined || (typeof raw['type'] === 'string' && raw['type'] !== 'function')) return raw;
  return { name: toolName(tool.name), ...(description === '' ? {} : { description }), input_schema: schema };
}
