/**
 * Context management that an agent did through tools of its own, read from its calls (systems.md §2.3, §3.1): VISTA's
 * context_workspace_archive / _delete / _recover, and the essay's manage_context directives.
 */
import type { BlockTable } from '../trace/blocks-types';
import type { Message, ToolCallPart } from '../trace/model';
import type { RecordedOp } from './types';

interface ManagementCall { messageIndex: number; call: ToolCallPart }

const TOOL = /(^|__)(context_workspace_(archive|delete|recover)|manage_context|remove_context|retrieve_context|pin|unpin)$/;

/** Sees the messages of a line as they pass; `finish` gives the ops in the order of their calls. */
export class RecordedCallReader {
  private readonly calls: ManagementCall[] = [];
  /** Message position of the result of a call id. */
  private readonly results = new Map<string, { messageIndex: number; isError: boolean }>();

  add(message: Message): void {
    for (const part of message.parts) {
      if (part.type === 'tool_call' && TOOL.test(part.name)) this.calls.push({ messageIndex: message.index, call: part });
      else if (part.type === 'tool_result') this.results.set(part.callId, { messageIndex: message.index, isError: part.isError === true });
    }
  }

  finish(blocks: BlockTable): RecordedOp[] {
    const targets = new Targets();
    return this.calls.flatMap(({ messageIndex, call }) => {
      const result = this.results.get(call.id);
      const args = argumentsOf(call);
      // A call that failed changed nothing.
      if (!args || result?.isError) return [];
      const at = result ? blockAt(blocks, result.messageIndex) : undefined;
      // In force from the call that saw the tool's answer.
      const step = at === undefined ? stepAfter(blocks, messageIndex) : (blocks.bornStep[at] ?? 1);
      return opOf(call.name.replace(/^.*__/, ''), args, targets, blocks.n, step, at);
    });
  }
}

/** Names of blocks as the agent used them: `B7`, `msg-007` (both count from 1 in order of messages), `G2`, labels. */
class Targets {
  private readonly groups = new Map<string, number[]>();
  private groupCount = 0;

  /** `B3`, `B3,B4`, `B10-B20`, `B10:B20`, `B10 to B20`, `G2`; unknown names are left out. */
  resolve(text: string, blockCount: number): number[] {
    const found = text.split(/[,\s]+(?!to\b)(?<!to\s)/).flatMap((part) => this.one(part.trim(), blockCount));
    return [...new Set(found)].sort((a, b) => a - b);
  }

  private one(part: string, blockCount: number): number[] {
    const group = this.groups.get(part);
    if (group) return group;
    const range = /^(?:B|msg-)0*(\d+)(?:\s*(?:-|:|to)\s*(?:B|msg-)0*(\d+))?$/i.exec(part);
    if (!range) return [];
    const from = Number(range[1]);
    const to = Math.min(range[2] === undefined ? from : Number(range[2]), blockCount);
    return from < 1 ? [] : Array.from({ length: Math.max(0, to - from + 1) }, (_, i) => from - 1 + i);
  }

  remember(label: string | undefined, blocks: number[]): void {
    this.groups.set(`G${++this.groupCount}`, blocks);
    if (label !== undefined) this.groups.set(label, blocks);
  }
}

function opOf(tool: string, args: Record<string, unknown>, targets: Targets, count: number, step: number, resultBlock: number | undefined): RecordedOp[] {
  const text = (key: string): string | undefined => (typeof args[key] === 'string' && args[key] !== '' ? args[key] : undefined);
  const ids = args['block_id'] ?? args['ids'] ?? args['messageIds'];
  const named = typeof ids === 'string' ? ids : Array.isArray(ids) ? ids.join(',') : isRange(ids) ? `${ids.from}-${ids.to}` : (text('label') ?? '');
  const blocks = targets.resolve(named, count);
  const verb = tool === 'manage_context' ? (text('op') ?? '') : tool;
  const base = { step, blocks, tokensBefore: null, tokensAfter: null };
  if (/archive|remove_context/.test(verb)) {
    targets.remember(text('label'), blocks);
    const words = text('replacement') ?? text('summary');
    return [{ ...base, op: 'archive', label: `archived ${named}`, ...(words === undefined ? {} : { text: words }) }];
  }
  if (/recover|retrieve_context/.test(verb)) return [{ ...base, op: 'recover', label: `recovered ${named}`, ...(resultBlock === undefined ? {} : { resultBlock }) }];
  if (/delete/.test(verb)) return [{ ...base, op: 'delete', label: `deleted ${named}: ${text('reason') ?? 'no reason given'}` }];
  if (verb === 'pin' || verb === 'unpin') return [{ ...base, op: verb, label: `${verb}ned ${named}` }];
  return [];
}

const isRange = (value: unknown): value is { from: string; to: string } =>
  typeof value === 'object' && value !== null && typeof (value as { from?: unknown }).from === 'string' && typeof (value as { to?: unknown }).to === 'string';

function argumentsOf(call: ToolCallPart): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(call.args);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function blockAt(blocks: BlockTable, messageIndex: number): number | undefined {
  const found = blocks.messageIndex.indexOf(messageIndex);
  return found < 0 ? undefined : found;
}

function stepAfter(blocks: BlockTable, messageIndex: number): number {
  for (let b = 0; b < blocks.n; b++) if ((blocks.messageIndex[b] ?? 0) > messageIndex) return blocks.bornStep[b] ?? 1;
  return (blocks.bornStep[blocks.n - 1] ?? 0) + 1;
}
