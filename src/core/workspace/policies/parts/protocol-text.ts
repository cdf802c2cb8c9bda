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

export function vistaProtocol(budget: number, withDashboard: boolean): { text: string; tools: ToolSchema[] } {
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
