import { asObject, asString } from '../base/json';
import type { Part, Role } from '../trace/model';
import { anthropicParts } from './claude-decode';
import { otherPart, reasoningPart, toolCall } from './content-parts';

/** Messages of Cline's and Roo's `api_conversation_history.json` (formats.md §17): native tool blocks, or calls as XML in the text. */

const TOOLS = 'execute_command|read_file|write_to_file|replace_in_file|apply_diff|insert_content|search_and_replace|search_files|list_files|list_code_definition_names|codebase_search|browser_action|use_mcp_tool|access_mcp_resource|ask_followup_question|attempt_completion|switch_mode|new_task|fetch_instructions|plan_mode_respond|update_todo_list|web_fetch|condense';
const XML_CALL = new RegExp(`<(${TOOLS})>\\n?([^]*?)\\n?</\\1>`);
const XML_RESULT = /^\[(\w+)(?: for [^]*?)?\] Result:/;

export function isXmlResult(parts: readonly Part[]): boolean {
  const first = parts.find((part) => part.type === 'text');
  return first?.type === 'text' && XML_RESULT.test(first.text);
}

/** Parts as they are said, before a call or result is read out of the text. */
export function clineContent(record: unknown): Part[] {
  const message = asObject(record);
  if (!message) return [otherPart('message', record)];
  if (message['type'] === 'reasoning') return [reasoningPart(asString(message['text']) ?? '')];
  const thought = asString(message['reasoning_content']) ?? '';
  const parts = anthropicParts(message['content']);
  const shown = message['role'] === 'user' ? parts.map((part) => (part.type === 'text' && part.text.trimStart().startsWith('<environment_details>') ? otherPart('environment details', part.text) : part)) : parts;
  return thought === '' ? shown : [reasoningPart(thought), ...shown];
}

/** `role` is the row's own: 'tool' for a user turn that answers an XML call. */
export function clineParts(record: unknown, role: Role): Part[] {
  const parts = clineContent(record);
  if (role === 'tool' && !parts.some((part) => part.type === 'tool_result')) {
    const name = XML_RESULT.exec(parts.map((part) => (part.type === 'text' ? part.text : '')).join(''))?.[1];
    const said = parts.flatMap((part) => (part.type === 'text' || part.type === 'image' ? [part] : []));
    const isError = said.some((part) => part.type === 'text' && /^(?:The tool execution failed|\[ERROR\]|<error>)/m.test(part.text));
    return [{ type: 'tool_result', callId: '', ...(name === undefined ? {} : { toolName: name }), content: said, ...(isError ? { isError } : {}) }, ...parts.filter((part) => part.type === 'other')];
  }
  if (role !== 'assistant' || parts.some((part) => part.type === 'tool_call')) return parts;
  const call = XML_CALL.exec(parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'));
  return call ? [...parts, { ...toolCall('', call[1], call[2]), fenced: true }] : parts;
}
