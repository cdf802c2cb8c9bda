import { answerCalls } from './calls.ts';

/** The least an import of JSONL can be: the File's stream as text, split into lines, each through JSON.parse. */
async function bareImport(file: File): Promise<number> {
  const began = performance.now();
  const reader = file.stream().pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let records = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (JSON.parse(line) !== null) records++;
  }
  if (rest !== '' && JSON.parse(rest) !== null) records++;
  if (records === 0) throw new Error('The file holds no records.');
  return performance.now() - began;
}

answerCalls({ bareImport });
