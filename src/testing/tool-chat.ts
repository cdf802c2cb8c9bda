/** A run in OpenAI format: calls of two tools with their results, varied enough for every selector to differ. */
export function toolChat(blocks: number, name: string): string {
  const messages: object[] = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: `Fix ${name}.ts` }];
  for (let i = 0; i < blocks; i++) {
    const edit = i % 4 === 1;
    const args = JSON.stringify(edit ? { path: `src/${name}${i % 3}.ts`, content: `v${i}` } : { command: `cat src/${name}${(i * 3) % 7}.ts` });
    messages.push({ role: 'assistant', content: `Look at part ${(i * 5) % 7} of ${name}`, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: edit ? 'write_file' : 'bash', arguments: args } }] });
    messages.push({ role: 'tool', tool_call_id: `c${i}`, content: i % 6 === 5 ? `Error: no ${name}${i}` : `content ${i} of ${name} ${'x'.repeat(i % 5)}` });
  }
  messages.push({ role: 'assistant', content: `Done with ${name}.` });
  return JSON.stringify({ messages });
}
