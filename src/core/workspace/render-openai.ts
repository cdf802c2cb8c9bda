/** OpenAI chat: `{messages, tools}`. Every call is answered by tool messages right behind it. */
import type { ToolSchema } from '../trace/model';
import type { PromptParts } from './render';
import type { Entry } from './render-rows';
import { asRecord, filled, schemaFacts, toolName } from './render-text';

export function openAiBody(parts: PromptParts): Record<string, unknown> {
  const messages: Record<string, unknown>[] = [];
  let protocol = parts.protocol;
  if (protocol !== '' && !parts.entries.some((entry) => entry.form === 'system')) messages.push({ role: 'system', content: protocol });
  for (const entry of parts.entries) {
    const message = messageOf(entry);
    if (entry.form === 'system' && protocol !== '') {
      message['content'] = `${entry.text}\n\n${protocol}`;
      protocol = '';
    }
    messages.push(message);
  }
  if (parts.dashboard !== '' || messages.length === 0) messages.push({ role: 'user', content: filled(parts.dashboard) });
  return { messages, tools: parts.tools.map(toolOf) };
}

function messageOf(entry: Entry): Record<string, unknown> {
  switch (entry.form) {
    case 'result':
      return { role: 'tool', tool_call_id: entry.callId, content: filled(entry.text) };
    case 'call':
      return {
        role: 'assistant', content: entry.text === '' ? null : entry.text, ...reasoningOf(entry),
        tool_calls: entry.calls.map((call) => ({ id: call.id, type: 'function', function: { name: toolName(call.name), arguments: call.args } })),
      };
    case 'assistant':
      return { role: 'assistant', content: filled(entry.text), ...reasoningOf(entry) };
    case 'system':
    case 'user':
      return { role: entry.form, content: filled(entry.text) };
  }
}

const reasoningOf = (entry: Entry): Record<string, string> => (entry.reasoning === '' ? {} : { reasoning_content: entry.reasoning });

function toolOf(tool: ToolSchema): Record<string, unknown> {
  const { raw, description, schema } = schemaFacts(tool);
  if (raw['type'] === 'function' && asRecord(raw['function'])) return raw;
  return { type: 'function', function: { name: toolName(tool.name), ...(description === '' ? {} : { description }), parameters: schema } };
}
