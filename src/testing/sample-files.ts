/** An OpenAI chat of `turns` tool calls, as JSON text: system, task, then call and result by turns, then an answer. */
export function openaiChatText(turns: number, note = ''): string {
  const messages: object[] = [
    { role: 'system', content: 'You are a careful agent.' },
    { role: 'user', content: `Find the bug in src/app.ts${note}` },
  ];
  for (let i = 0; i < turns; i++) {
    messages.push({
      role: 'assistant',
      content: `Looking at file ${i}.`,
      tool_calls: [{ id: `call_${i}`, type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: `src/file_${i}.ts` }) } }],
    });
    messages.push({ role: 'tool', tool_call_id: `call_${i}`, content: `export const value_${i} = ${i * 37};\nfunction handler_${i}() { return lookup_${i * 7}; }` });
  }
  messages.push({ role: 'assistant', content: `The bug is in handler_${Math.max(0, turns - 1)}.` });
  return JSON.stringify({ messages });
}

export function openaiChatBlob(turns: number, note = ''): Blob {
  return new Blob([openaiChatText(turns, note)]);
}
