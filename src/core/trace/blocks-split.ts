import type { BlockKind } from './blocks-types';
import { MessageFlag } from './model';
import type { Message } from './model';

/** One block of a message: parts [from, to). */
export interface BlockSpan { kind: BlockKind; from: number; to: number }

/** Not what a person asked for, so never the task. */
const NOT_A_TASK = MessageFlag.meta | MessageFlag.compactSummary | MessageFlag.synthetic | MessageFlag.demonstration | MessageFlag.harness;

/**
 * The blocks of one message (model.md §2), in admission order; every message has at least one. An answer is one block, its
 * own results (hosted tools) follow it; elsewhere each result is a block and so is each run of other parts between them.
 */
export function splitMessage(message: Message, taskSeen: boolean): BlockSpan[] {
  const { parts } = message;
  const results = parts.flatMap((part, i) => (part.type === 'tool_result' ? [i] : []));
  const spans: BlockSpan[] = [];
  if (message.role === 'assistant') {
    const summary = (message.flags & MessageFlag.compactSummary) !== 0;
    if (results.length < parts.length || parts.length === 0) spans.push({ kind: summary ? 'summary' : 'assistant', from: 0, to: parts.length });
    for (const at of results) spans.push({ kind: 'tool_result', from: at, to: at + 1 });
    return spans;
  }
  const kind = kindOfRun(message, taskSeen);
  let from = 0;
  for (const at of [...results, parts.length]) {
    if (at > from || parts.length === 0) spans.push({ kind, from, to: at });
    if (at < parts.length) spans.push({ kind: 'tool_result', from: at, to: at + 1 });
    from = at + 1;
  }
  return spans;
}

function kindOfRun(message: Message, taskSeen: boolean): BlockKind {
  if (message.flags & MessageFlag.compactSummary) return 'summary';
  if (message.role === 'system') return 'system';
  // A tool message whose content is no result part: what the tool said, with no call to hang it on.
  if (message.role === 'tool') return message.parts.some((part) => part.type === 'tool_result') ? 'user' : 'tool_result';
  const asks = !taskSeen && (message.flags & NOT_A_TASK) === 0 && message.parts.some((part) => part.type === 'text' || part.type === 'image');
  return asks ? 'task' : 'user';
}
