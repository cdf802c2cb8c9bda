/** Selection columns of test runs: read from their messages, with a vector of each text. */
import { hashedVector } from '../core/embedding/hashed';
import { lineSelection, type LineSelection } from '../core/selection/line-selection';
import { readSelectionLine } from '../core/selection/selection-line';
import { isStep } from '../core/trace/blocks-facts';
import { interactionBlocks } from '../core/trace/interaction';
import { MessageFlag, type Message } from '../core/trace/model';
import { messagesOf, type TestBlock } from './workspace';

const HASHED = { id: 'hashed-1024@1', dim: 1024, sha256: null } as const;

/** `vectorOf` gives `dim` numbers a text; `calls`: message positions of the model calls, all there are unless given. */
export function selectionOfMessages(
  messages: readonly Message[], vectorOf: (text: string) => Float32Array = hashedVector, dim: number = HASHED.dim, calls: ArrayLike<number> = messages.filter(isStep).map(({ index }) => index),
): LineSelection {
  const line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 0);
  return lineSelection(line, { ...HASHED, dim }, calls, vectorOf);
}

/** Task and later user messages are instructions. */
export function selectionOfBlocks(blocks: readonly TestBlock[], vectorOf?: (text: string) => Float32Array, dim?: number): LineSelection {
  const messages = messagesOf(blocks).map((message, i) => {
    const kind = blocks[i]?.kind;
    return kind === 'task' || kind === 'user' ? { ...message, flags: MessageFlag.instruction } : message;
  });
  return selectionOfMessages(messages, vectorOf, dim);
}

/** The same as it stood at call `step`: nothing of later blocks or calls. */
export function cutSelection(selection: LineSelection, step: number): LineSelection {
  const n = selection.complete[step - 1] ?? 0;
  const { dim } = selection.encoder;
  return {
    ...selection, n, steps: step,
    vectors: selection.vectors.slice(0, n * dim), assistant: selection.assistant.slice(0, n), sizes: selection.sizes.slice(0, n), detections: selection.detections.slice(0, n),
    position: selection.position.slice(0, step), complete: selection.complete.slice(0, step), prefixChars: selection.prefixChars.slice(0, step),
    clash: selection.clash.slice(0, step), unanswered: selection.unanswered.slice(0, step), goal: selection.goal.slice(0, step), stateQuery: selection.stateQuery.slice(0, step),
  };
}
