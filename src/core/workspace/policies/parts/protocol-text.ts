/** What an agent that manages its own context is told, in our own words (facts: systems.md §2.3, §2.4), and its tools. */
import type { ToolSchema } from '../../../trace/model';

const tool = (name: string, description: string, properties: Record<string, unknown>, required: string[]): ToolSchema => ({
  name,
  json: JSON.stringify({ name, description, input_schema: { type: 'object', properties, required } }),
});

const ARCHIVE = tool(
  'context_workspace_archive',
  'Move blocks out of the context without loss. They are replaced by a handle; the exact bytes can be read back.',
  {
    block_id: { type: 'string', description: 'B3, B3,B4 or B10-B20' },
    summary: { type: 'string', description: 'One line on what is in there; empty = the first line is used' },
  },
  ['block_id'],
);
const RECOVER = tool(
  'context_workspace_recover',
  'Read the exact bytes of an archived, offloaded or rejected block, whole or a byte range of it.',
  { block_id: { type: 'string' }, from: { type: 'integer' }, to: { type: 'integer' } },
  ['block_id'],
);

export interface Protocol { text: string; tools: ToolSchema[] }

export function vistaProtocol(budget: number, withDashboard: boolean): Protocol {
  const map = withDashboard
    ? 'Every turn ends with a <context_workspace_status> block: the budget, and one row for each block with its id, tokens, age in turns, type and status. It is a map of your context, not a task list.'
    : 'Blocks of your context have ids B1, B2 and so on; no table of them is shown.';
  const text = [
    `Your context has a budget (token_budget ${budget}). ${map}`,
    'You may archive blocks that you are done with; a handle [ARCHIVED:B3 L1] takes their place and the exact text stays readable. '
      + 'Manage only when the budget is getting tight: age or size alone is no reason, and what you will need verbatim soon should stay.',
    'Prefer to archive a few large finished blocks together. Read a handle back only when its exact text is needed. '
      + 'If the context does not fit, only the context tools are available until it does.',
  ].join('\n');
  return { text, tools: [ARCHIVE, RECOVER] };
}

const DELETE = tool(
  'context_workspace_delete',
  'Delete blocks for good; what they held cannot be read again.',
  { block_id: { type: 'string' }, reason: { type: 'string' } },
  ['block_id', 'reason'],
);

/** The same protocol with one tool fewer, or another (VISTA's ablations). */
export function ablatedProtocol(budget: number, without: 'archive' | 'recover' | 'agent-archive'): Protocol {
  const { text } = vistaProtocol(budget, true);
  const tools = { archive: [DELETE], recover: [ARCHIVE], 'agent-archive': [RECOVER] }[without];
  const note = {
    archive: 'Nothing can be archived. When the context does not fit, delete what you no longer need.',
    recover: 'Archived text cannot be read back.',
    'agent-archive': 'The oldest blocks are archived for you when the budget is reached.',
  }[without];
  return { text: `${text}\n${note}`, tools };
}

const SUMMARY = { type: 'string', description: 'What must be remembered: findings, names, numbers, open questions' };

export const FOCUS_PROTOCOL: Protocol = {
  text: 'Work in focused stretches. Start one with a question, explore, and complete it with what you learned after 10 to 15 calls at most: your summary is added to the knowledge at the top, and the raw messages of the stretch are removed for good.',
  tools: [
    tool('start_focus', 'Begin a stretch of work with one question.', { scope: { type: 'string' } }, ['scope']),
    tool('complete_focus', 'End it: the summary becomes knowledge, the raw history is pruned.', { summary: SUMMARY }, ['summary']),
  ],
};

export const FOLD_PROTOCOL: Protocol = {
  text: 'A sub-task can be done in a branch: it sees the whole context so far, and only what it returns stays. A branch cannot open another.',
  tools: [
    tool('branch', 'Open a branch for one sub-task.', { description: { type: 'string' }, prompt: { type: 'string' } }, ['description', 'prompt']),
    tool('return', 'End the branch; the message is all that stays of it.', { message: SUMMARY }, ['message']),
  ],
};

export const CAT_PROTOCOL: Protocol = {
  text: 'At milestones compress the older turns into your long-term memory: goal, plan, files touched, results, errors, open questions. The task and your latest turns stay as they are.',
  tools: [tool('compress_context', 'Replace the older turns by a structured memory.', { memory: SUMMARY }, ['memory'])],
};

export const SELF_COMPACT_PROTOCOL: Protocol = {
  text: 'You may compact your context. Do so when a sub-task is resolved or your search has converged; not in the middle of a derivation, and not while you are stuck.',
  tools: [tool('compact', 'Replace the history by your summary.', { summary: SUMMARY }, ['summary'])],
};

const FRAGMENT_IDS = { type: 'array', items: { type: 'string' } };

export const SCULPTOR_PROTOCOL: Protocol = {
  text: 'Your context is cut into fragments with ids. Hide or summarise what distracts you; everything can be restored exactly, and you can search in what is hidden.',
  tools: [
    tool('fold_fragment', 'Hide fragments behind a line, or behind a summary.', { ids: FRAGMENT_IDS, summary: { type: 'string' } }, ['ids']),
    tool('restore_fragment', 'Show fragments exactly as they were.', { ids: FRAGMENT_IDS }, ['ids']),
    tool('search_context', 'Find a text in all fragments, hidden ones too.', { query: { type: 'string' } }, ['query']),
  ],
};

export const MEMGPT_PROTOCOL: Protocol = {
  text: 'Old messages are moved to recall storage when the context is full; a summary of them stays. You are warned before. Keep what matters in your core memory, and search the storage for what was moved.',
  tools: [
    tool('core_memory_append', 'Add a line to core memory.', { content: { type: 'string' } }, ['content']),
    tool('conversation_search', 'Find and read messages that were moved to recall storage.', { query: { type: 'string' }, page: { type: 'integer' } }, ['query']),
  ],
};

export const acmProtocol = (budget: number): Protocol => ({
  text: [
    `Every message begins with its id, such as [B3]. You manage this context yourself; its budget is ${budget} tokens, and the numbers are at the end of the last message.`,
    'From about 30 % on, at natural breaks, remove what is finished with a summary and a label; what you removed can be retrieved by its label or by ids. '
      + 'Pin the task, the user\'s constraints and decisions: pins win over removal. Removing a call removes its results, and the other way round.',
  ].join('\n'),
  tools: [
    tool(
      'manage_context', 'Remove, pin, unpin or retrieve messages.',
      {
        op: { type: 'string', enum: ['remove_context', 'pin', 'unpin', 'retrieve_context'] },
        ids: FRAGMENT_IDS, label: { type: 'string' }, summary: { type: 'string' },
      },
      ['op'],
    ),
  ],
});

export const LCM_PROTOCOL: Protocol = {
  text: 'Older parts of this conversation are shown as summary nodes; the full text is kept. Expand a node, or search, when you need what a summary leaves out.',
  tools: [
    tool('lcm_expand', 'Read the sources of a summary node.', { id: { type: 'string' } }, ['id']),
    tool('lcm_grep', 'Find a text in the whole history.', { pattern: { type: 'string' }, limit: { type: 'integer' } }, ['pattern']),
    tool('lcm_describe', 'What a node covers.', { id: { type: 'string' } }, ['id']),
  ],
};

export const RLM_PROTOCOL: Protocol = {
  text: 'The history is a variable `context` in your environment, a list of messages; it is not shown. Write code in ```repl blocks to look at it: len(context), context[i][:2000], a search over all of it, or llm_query(text) over a slice. Of each output you see the beginning.',
  tools: [],
};
