/** Is a body a valid OpenAI chat request? Returns what is wrong, one line each; empty = valid. */
import { asRecord } from './render-text';

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function validateOpenAi(body: Record<string, unknown>): string[] {
  const problems: string[] = [];
  const messages = Array.isArray(body['messages']) ? body['messages'].map(asRecord) : [];
  if (messages.length === 0) problems.push('no messages');
  const seen = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, i) => {
    const at = `message ${i}`;
    const role = String(message?.['role']);
    if (!message || !ROLES.has(role)) return void problems.push(`${at}: role ${role}`);
    if (role === 'tool') {
      const id = String(message['tool_call_id']);
      if (!open.delete(id)) problems.push(`${at}: tool message for ${id} does not follow its call`);
      if (typeof message['content'] !== 'string' || message['content'] === '') problems.push(`${at}: tool message without content`);
      return;
    }
    if (open.size > 0) problems.push(`${at}: calls ${[...open].join(', ')} were not answered`);
    open = new Set();
    const calls = Array.isArray(message['tool_calls']) ? message['tool_calls'].map(asRecord) : null;
    if (message['tool_calls'] !== undefined && role !== 'assistant') problems.push(`${at}: only an assistant calls tools`);
    if (calls && calls.length === 0) problems.push(`${at}: empty tool_calls`);
    for (const call of calls ?? []) {
      const id = String(call?.['id'] ?? '');
      const called = asRecord(call?.['function']);
      if (id === '' || seen.has(id)) problems.push(`${at}: call id "${id}" is empty or used twice`);
      if (call?.['type'] !== 'function' || !/^[A-Za-z0-9_-]{1,64}$/.test(String(called?.['name']))) problems.push(`${at}: call ${id} has no valid function name`);
      if (typeof called?.['arguments'] !== 'string') problems.push(`${at}: arguments of ${id} are no string`);
      seen.add(id);
      open.add(id);
    }
    const content = message['content'];
    const hasContent = typeof content === 'string' && content !== '';
    if (!hasContent && !(calls && content === null)) problems.push(`${at}: ${role} message without content`);
  });
  if (open.size > 0) problems.push(`end: calls ${[...open].join(', ')} were not answered`);
  for (const tool of Array.isArray(body['tools']) ? body['tools'].map(asRecord) : []) {
    if (tool?.['type'] !== 'function' || typeof asRecord(tool['function'])?.['name'] !== 'string') problems.push('a tool is no function with a name');
  }
  return problems;
}
