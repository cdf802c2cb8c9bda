import { ContextscopeError } from '../base/errors';
import { unitVector } from '../numerics/unit-rows';
import type { BlockRecord } from './block-record';
import type { ForwardRequest } from './forwarding';
import { checkpointTexts, type Checkpoint, type SelectionLine } from './selection-line';
import type { EncoderInfo } from './types';

/** Everything `buildSelectReport` reads: built by the page's worker and by the command line alike. */
export interface SelectionInput {
  file: string;
  encoder: EncoderInfo;
  checkpoint: Checkpoint;
  /** The first n blocks of the line. */
  blocks: readonly (Omit<BlockRecord, 'text'> & { text?: string })[];
  /** n × dim, as the encoder gave them. */
  vectors: Float32Array;
  goal: Float32Array | null;
  stateQuery: Float32Array | null;
  stateQueryText: string;
  /** Measuring only. */
  action: Float32Array | null;
  final: Float32Array | null;
  idsClash: boolean;
  unansweredCalls: number;
  /** Code points of the messages before the checkpoint that are in no block. */
  prefixChars: number;
  /** All requests up to and including this one, for `guarded` and `cumulative`; absent = a first selection here. */
  requests?: readonly ForwardRequest[];
}

/** The encoder's vector of a text, from the cache by its hash; null = not embedded. */
export type VectorOf = (text: string) => Float32Array | null;

/** Texts that must have vectors before `selectionInput` (blocks first); the empty text needs none. */
export function textsNeeded(line: SelectionLine, checkpoint: Checkpoint, online = false): string[] {
  const at = (place: Checkpoint): string[] => {
    const { goal, stateQuery } = checkpointTexts(line, place);
    return [goal, stateQuery];
  };
  const requests = online ? requestPlaces(line, checkpoint).flatMap(at) : [];
  const all = [...line.blocks.slice(0, checkpoint.n).map((block) => block.text), ...at(checkpoint), checkpointTexts(line, checkpoint).action, line.finalText, ...requests];
  return [...new Set(all)].filter((text) => text !== '');
}

/** Gathers the input of a checkpoint. Throws 'not-found' naming the first block that has no vector. */
export function selectionInput(file: string, encoder: EncoderInfo, line: SelectionLine, checkpoint: Checkpoint, vectorOf: VectorOf, online = false): SelectionInput {
  const blocks = line.blocks.slice(0, checkpoint.n);
  const vectors = new Float32Array(blocks.length * encoder.dim);
  blocks.forEach((block, i) => {
    const vector = block.text === '' ? new Float32Array(encoder.dim) : vectorOf(block.text);
    if (!vector) throw new ContextscopeError('not-found', `Block ${i} of ${checkpoint.n} has no vector from ${encoder.id} yet; embed the run first.`);
    if (vector.length !== encoder.dim) throw new ContextscopeError('bad-argument', `Block ${i} has a vector of ${vector.length} numbers; ${encoder.id} has ${encoder.dim}.`);
    vectors.set(vector, i * encoder.dim);
  });
  const texts = checkpointTexts(line, checkpoint);
  const optional = (text: string): Float32Array | null => (text === '' ? null : vectorOf(text));
  return {
    file, encoder, checkpoint, blocks, vectors,
    goal: optional(texts.goal),
    stateQuery: optional(texts.stateQuery),
    stateQueryText: texts.stateQuery,
    action: optional(texts.action),
    final: optional(line.finalText),
    idsClash: line.idsClash,
    unansweredCalls: line.unansweredCalls,
    prefixChars: line.prefixChars[checkpoint.position]!,
    ...(online ? { requests: forwardRequests(line, checkpoint, optional) } : {}),
  };
}

function requestPlaces(line: SelectionLine, checkpoint: Checkpoint): Checkpoint[] {
  let n = 0;
  const places: Checkpoint[] = [];
  for (const { position } of line.actions) {
    if (position >= checkpoint.position) break;
    // Requests are in order, so the count only grows.
    while (n < line.blocks.length && line.blocks[n]!.messageIndices.every((index) => index < position)) n++;
    places.push({ n, position });
  }
  return places;
}

/** One request an assistant message before the checkpoint, then the checkpoint itself. */
export function forwardRequests(line: SelectionLine, checkpoint: Checkpoint, vectorOf: VectorOf): ForwardRequest[] {
  return [...requestPlaces(line, checkpoint), checkpoint].map((place) => {
    const texts = checkpointTexts(line, place);
    const unit = (text: string): Float64Array | null => {
      const vector = text === '' ? null : vectorOf(text);
      return vector && unitVector(vector);
    };
    return {
      position: place.position,
      n: place.n,
      prefixChars: line.prefixChars[place.position]!,
      goalText: texts.goal,
      goal: unit(texts.goal),
      stateQueryText: texts.stateQuery,
      stateQuery: unit(texts.stateQuery),
    };
  });
}
