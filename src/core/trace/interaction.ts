import { growU32 } from '../base/growable';
import { isStep } from './blocks-facts';
import { CallQueue } from './blocks-pairing';
import type { Message } from './model';

/** GEM's removable units over one line (model.md §2), in the order of their assistant messages. */
export interface InteractionBlocks {
  /** Message positions, rising: the assistant message, then those that hold its results. */
  blocks: number[][];
  /** Step → number of leading blocks whose every message stands before that call (index 0 = step 1). */
  checkpointOfStep: Uint32Array;
  /** Two calls share an id: a selector returns the request unchanged and says so. */
  idsClash: boolean;
}

interface Candidate { message: number; open: number; results: Set<number> }

/** Pairs calls with results as messages pass. An assistant message with an unanswered call is no block. */
export class InteractionBuilder {
  private readonly candidates: Candidate[] = [];
  private readonly calls = new CallQueue<Candidate>();
  private readonly stepMessage = growU32();

  add(message: Message): void {
    if (isStep(message)) this.stepMessage.push(message.index);
    let candidate: Candidate | undefined;
    for (const part of message.parts) {
      if (part.type === 'tool_call' && message.role === 'assistant') {
        if (!candidate) this.candidates.push((candidate = { message: message.index, open: 0, results: new Set() }));
        candidate.open++;
        this.calls.call(part.id, candidate);
      } else if (part.type === 'tool_result') {
        const asked = this.calls.answer(part.callId);
        if (!asked) continue;
        asked.open--;
        asked.results.add(message.index);
      }
    }
  }

  finish(): InteractionBlocks {
    const blocks = this.candidates
      .filter((candidate) => candidate.open === 0)
      .map(({ message, results }) => [...results.add(message)].sort((a, b) => a - b));
    const stepMessage = this.stepMessage.toArray();
    const checkpointOfStep = new Uint32Array(stepMessage.length);
    let complete = 0;
    stepMessage.forEach((at, step) => {
      while (complete < blocks.length && blocks[complete]!.at(-1)! < at) complete++;
      checkpointOfStep[step] = complete;
    });
    return { blocks, checkpointOfStep, idsClash: this.calls.clash };
  }
}

export function interactionBlocks(messages: readonly Message[]): InteractionBlocks {
  const builder = new InteractionBuilder();
  for (const message of messages) builder.add(message);
  return builder.finish();
}
