import { growF64, growU32 } from '../base/growable';
import type { LineFacts } from './blocks-types';
import type { BlockCounter } from './blocks-tokens';
import { MessageFlag } from './model';
import type { Message, Thread } from './model';

/**
 * Is the message a model call of this run? One assistant message is one call (an importer joins the records of a call);
 * failed ones count, notices that no model wrote and demonstrations do not (model.md §1).
 */
export function isStep(message: Message): boolean {
  return message.role === 'assistant' && (message.flags & (MessageFlag.synthetic | MessageFlag.demonstration)) === 0;
}

/** Gathers the facts of a line as its messages pass. */
export class LineFactsBuilder {
  private readonly stepMessage = growU32();
  private readonly input = growF64();
  private readonly cached = growF64();
  private readonly output = growF64();

  /** Steps so far. */
  get steps(): number {
    return this.stepMessage.length;
  }

  add(message: Message): void {
    if (!isStep(message)) return;
    this.stepMessage.push(message.index);
    const usage = message.usage;
    const input = (usage?.input ?? 0) + (usage?.cachedInput ?? 0) + (usage?.cacheWrite ?? 0);
    // No call has an empty input: a sum of 0 is an aborted call's blank record.
    this.input.push(input > 0 ? input : NaN);
    this.cached.push(input > 0 ? (usage?.cachedInput ?? NaN) : NaN);
    this.output.push(usage?.output ?? NaN);
  }

  /** `systemTokens`: tokens of the system blocks that stand in the first call's context. */
  finish(thread: Pick<Thread, 'tools' | 'countsReasoning'>, systemTokens: number, counter: BlockCounter): LineFacts {
    const toolSchemaTokens = thread.tools.reduce((sum, tool) => sum + counter.count(tool.json), 0);
    return {
      steps: this.steps,
      stepMessage: this.stepMessage.toArray(),
      measuredInput: this.input.toArray(),
      measuredCached: this.cached.toArray(),
      measuredOutput: this.output.toArray(),
      fixedOverhead: toolSchemaTokens + systemTokens,
      toolSchemaTokens,
      countsReasoning: thread.countsReasoning,
    };
  }
}

/** Facts of messages that are in memory. */
export function lineFacts(messages: readonly Message[], thread: Pick<Thread, 'tools' | 'countsReasoning'>, systemTokens: number, counter: BlockCounter): LineFacts {
  const builder = new LineFactsBuilder();
  for (const message of messages) builder.add(message);
  return builder.finish(thread, systemTokens, counter);
}
