import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Part, Role } from '../trace/model';
import { hasOwnText, otherPart, timestampMs } from './content-parts';
import type { DraftWriter } from './draft';
import type { FormatContext } from './format';
import type { JsonNode } from './json-node';
import { chatParts, chatRole, openaiUsage } from './openai-decode';
import { OrderPairing } from './order-pairing';
import { valueOf } from './run-list';

/** Parts of a chat message as other tools embed it; `decode` of formats whose rows are such messages. */
export function chatRecordParts(record: unknown): Part[] {
  const message = asObject(record);
  return message && chatRole(message['role']) !== null ? chatParts(message) : [otherPart('message', record)];
}

/**
 * Role of a message of formats that know system, assistant, tool and user alone. Another one is taken for the user's and
 * reported, unless it is one of `others`, which the format knows under that name.
 */
export function plainRole(source: string, context: Pick<FormatContext, 'unknown'>, others: readonly string[] = []): Role {
  if (source === 'system' || source === 'assistant' || source === 'tool') return source;
  if (source !== 'user' && !others.includes(source)) context.unknown(`role ${source || 'missing'}`);
  return 'user';
}

/** Writes OpenAI chat messages that stand inside another format into a draft. Calls without an id pair in order. */
export class ChatRows {
  private readonly pairing = new OrderPairing();

  constructor(private readonly context: FormatContext, private readonly draft: DraftWriter, private readonly line: number) {}

  /** `flags` replaces the usual "a user turn is an instruction". −1 = the message is no valid JSON and was left out. */
  add(node: JsonNode, flags?: number, decode: (record: unknown) => Part[] = chatRecordParts): number {
    const value = valueOf(node);
    if (value === undefined) {
      this.context.unknown('unreadable message');
      return -1;
    }
    const message: JsonObject = asObject(value) ?? {};
    const known = chatRole(message['role']);
    if (known === null) this.context.unknown(`role ${asString(message['role']) ?? 'missing'}`);
    const role: Role = known ?? 'user';
    const parts = this.pairing.assign(decode(value));
    const own = flags ?? (known === 'user' && hasOwnText(parts) ? MessageFlag.instruction : 0);
    const row = this.draft.addMessage({ role, flags: own, timestampMs: timestampMs(message['timestamp']), model: asString(message['model']) }, parts, node, this.line);
    if (role === 'assistant') this.draft.columns.mergeUsage(row, openaiUsage(message['usage']));
    return row;
  }
}
