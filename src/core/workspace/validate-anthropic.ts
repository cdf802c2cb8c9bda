/** Is a body a valid Anthropic messages request? Returns what is wrong, one line each; empty = valid. */
import { asRecord } from './render-text';

export function validateAnthropic(body: Record<string, unknown>): string[] {
  const problems: string[] = [];
  if (typeof body['system'] !== 'string') problems.push('system is no text');
  const messages = Array.isArray(body['messages']) ? body['messages'].map(asRecord) : [];
  if (messages.length === 0) problems.push('no messages');
  if (messages[0]?.['role'] !== 'user') problems.push('the first message is not the user\'s');
  const seen = new Set<string>();
  let open = new Set<string>();
  messages.forEach((message, i) => {
    const at = `message ${i}`;
    const role = message?.['role'];
    if (role !== 'user' && role !== 'assistant') problems.push(`${at}: role ${String(role)}`);
    if (i > 0 && role === messages[i - 1]?.['role']) problems.push(`${at}: two ${String(role)} messages in a row`);
    const content = Array.isArray(message?.['content']) ? message['content'].map(asRecord) : [];
    if (content.length === 0) problems.push(`${at}: no content`);
    if (open.size > 0 && role !== 'user') problems.push(`${at}: calls ${[...open].join(', ')} were not answered`);
    let afterResults = false;
    const calls = new Set<string>();
    for (const block of content) {
      const type = block?.['type'];
      if (type === 'text') {
        if (typeof block?.['text'] !== 'string' || block['text'].trim() === '') problems.push(`${at}: empty text`);
        afterResults = true;
      } else if (type === 'tool_result') {
        const id = String(block?.['tool_use_id']);
        if (role !== 'user') problems.push(`${at}: result in an assistant message`);
        if (!open.delete(id)) problems.push(`${at}: result for ${id} does not follow its call`);
        if (afterResults) problems.push(`${at}: result for ${id} stands behind text`);
        if (typeof block?.['content'] !== 'string' || block['content'] === '') problems.push(`${at}: empty result`);
      } else if (type === 'tool_use') {
        const id = String(block?.['id'] ?? '');
        if (role !== 'assistant') problems.push(`${at}: call in a user message`);
        if (!/^[A-Za-z0-9_-]+$/.test(id) || seen.has(id)) problems.push(`${at}: call id "${id}" is not valid or used twice`);
        if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(block?.['name']))) problems.push(`${at}: call ${id} has no valid name`);
        if (!asRecord(block?.['input'])) problems.push(`${at}: input of ${id} is no object`);
        seen.add(id);
        calls.add(id);
      } else problems.push(`${at}: block of type ${String(type)}`);
    }
    if (open.size > 0) problems.push(`${at}: calls ${[...open].join(', ')} were not answered`);
    open = calls;
  });
  if (open.size > 0) problems.push(`end: calls ${[...open].join(', ')} were not answered`);
  return problems;
}
