/**
 * What forwarding policies need of a whole line (gem.md §8, §10): the vectors of its interaction blocks, and for each
 * model call what stands before it. Columns and few texts only: it crosses from worker to worker.
 */
import { ContextscopeError } from '../base/errors';
import type { BlockDetection } from './detect-block';
import type { VectorOf } from './selection-input';
import { checkpointTexts, type SelectionLine } from './selection-line';
import type { EncoderInfo } from './types';

export interface LineSelection {
  encoder: EncoderInfo;
  /** Interaction blocks, in the order of their assistant messages. */
  n: number;
  /** n × dim, as the encoder gave them. */
  vectors: Float32Array;
  /** Message position of each block's assistant message. */
  assistant: Uint32Array;
  /** Code points of each block's text before the limit. */
  sizes: number[];
  detections: BlockDetection[];
  /** Model calls; index 0 = step 1. */
  steps: number;
  /** Message position of the call. */
  position: Uint32Array;
  /** Leading blocks that are complete before it. */
  complete: Uint32Array;
  /** Code points of the messages before it that are in no block. */
  prefixChars: Float64Array;
  /** 1 = a tool call id stands twice before it. */
  clash: Uint8Array;
  /** Calls before it that have no result yet. */
  unanswered: Uint32Array;
  /** Index into `texts`; the goal and the state query (embedding.md §1) at the call. */
  goal: Uint32Array;
  stateQuery: Uint32Array;
  /** Each text once; index 0 = ''. */
  texts: string[];
  /** texts × dim; zero where a text has no vector. */
  textVectors: Float32Array;
}

/** Texts that must have vectors before `lineSelection` is given everything, blocks first; none empty, each once. */
export function textsOfForwarding(line: SelectionLine, calls: ArrayLike<number>): string[] {
  const texts = new Set(line.blocks.map((block) => block.text));
  for (let i = 0; i < calls.length; i++) {
    const { goal, stateQuery } = checkpointTexts(line, { n: 0, position: calls[i]! });
    texts.add(goal).add(stateQuery);
  }
  texts.delete('');
  return [...texts];
}

/**
 * Gathers the columns. `calls`: message position of each model call. A block without a vector throws `not-found`; a goal
 * or state query without one counts as absent.
 */
export function lineSelection(line: SelectionLine, encoder: EncoderInfo, calls: ArrayLike<number>, vectorOf: VectorOf): LineSelection {
  const { blocks } = line;
  const { dim } = encoder;
  const n = blocks.length;
  const steps = calls.length;
  const vectors = new Float32Array(n * dim);
  blocks.forEach((block, i) => {
    const vector = block.text === '' ? new Float32Array(dim) : vectorOf(block.text);
    if (!vector) throw new ContextscopeError('not-found', `Block ${i} of ${n} has no vector from ${encoder.id} yet; embed the run first.`);
    if (vector.length !== dim) throw new ContextscopeError('bad-argument', `Block ${i} has a vector of ${vector.length} numbers; ${encoder.id} has ${dim}.`);
    vectors.set(vector, i * dim);
  });
  const texts = new TextList();
  const out: LineSelection = {
    encoder, n, vectors, steps,
    assistant: Uint32Array.from(blocks, (block) => block.messageIndices[0]!),
    sizes: blocks.map((block) => block.uncutChars),
    detections: blocks.map((block) => block.detection),
    position: Uint32Array.from(calls),
    complete: new Uint32Array(steps), prefixChars: new Float64Array(steps), clash: new Uint8Array(steps), unanswered: new Uint32Array(steps),
    goal: new Uint32Array(steps), stateQuery: new Uint32Array(steps), texts: texts.all, textVectors: new Float32Array(0),
  };
  let complete = 0;
  for (let i = 0; i < steps; i++) {
    const position = calls[i]!;
    while (complete < n && blocks[complete]!.messageIndices.at(-1)! < position) complete++;
    out.complete[i] = complete;
    out.prefixChars[i] = line.prefixChars[position] ?? 0;
    out.clash[i] = line.clashPosition < position ? 1 : 0;
    out.unanswered[i] = unansweredBefore(line, complete, position);
    const at = checkpointTexts(line, { n: complete, position });
    out.goal[i] = texts.index(at.goal);
    out.stateQuery[i] = texts.index(at.stateQuery);
  }
  out.textVectors = new Float32Array(texts.all.length * dim);
  texts.all.forEach((text, i) => {
    const vector = text === '' ? null : vectorOf(text);
    if (vector) out.textVectors.set(vector, i * dim);
  });
  return out;
}

/** Calls that never get a result, and those of blocks that are open at the position. */
function unansweredBefore(line: SelectionLine, complete: number, position: number): number {
  let open = 0;
  while (open < line.openCallPositions.length && line.openCallPositions[open]! < position) open++;
  for (let b = complete; b < line.blocks.length && line.blocks[b]!.messageIndices[0]! < position; b++) {
    if (line.blocks[b]!.messageIndices.at(-1)! >= position) open++;
  }
  return open;
}

class TextList {
  readonly all: string[] = [''];
  private readonly known = new Map<string, number>([['', 0]]);

  index(text: string): number {
    let index = this.known.get(text);
    if (index === undefined) this.known.set(text, (index = this.all.push(text) - 1));
    return index;
  }
}
