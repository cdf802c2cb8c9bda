import { analyseRecordedLine } from '../core/workspace/analyse';
import type { ReplayInput } from '../core/workspace/types';
import { parseTrace } from './trace';
import { messagesReader, trajectoryOf } from './trace-reader';
import { countQuarters } from './workspace';

/** A run of `blocks` calls in which later calls use what earlier results said, analysed for replays. Tokens = a quarter of the characters. */
export function replayInput(blocks: number, name: string): Promise<ReplayInput> {
  const turns = Array.from({ length: blocks }, (_, i) =>
    `assistant: looking at ${name} ${i}\ncall t${i} bash {"command":"cat src/${name}_module_${Math.max(0, i - 9)}.ts"}\nresult t${i}: see src/${name}_module_${i + 1}.ts and ${'words of the file '.repeat(6)}\n`);
  const messages = parseTrace(`system: Be brief.\nuser: Fix ${name}\n\n${turns.join('\n')}\nassistant: All done in ${name}.`);
  return analyseRecordedLine(messagesReader(messages), trajectoryOf(messages), { thread: 'main' }, { encoding: 'o200k_base', count: countQuarters });
}
