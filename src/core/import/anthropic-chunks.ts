import { asNumber, asObject, asString, stringifyJson } from '../base/json';
import type { JsonObject } from '../base/json';
import type { Part } from '../trace/model';
import { anthropicParts } from './claude-decode';
import { otherPart, reasoningPart, textPart, toolCall } from './content-parts';

interface OpenBlock { block: JsonObject; text: string; args: string; redacted: boolean }

/** Block types whose content arrives in deltas; others are whole in `content_block_start`. */
const CALL_TYPES = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use']);

/**
 * The message that the events of an Anthropic stream spell out (Anthropic API reference, "Streaming messages";
 * anthropics/anthropic-sdk-python src/anthropic/types/raw_message_stream_event.py).
 */
export class AnthropicFold {
  private readonly blocks = new Map<number, OpenBlock>();
  private readonly strange: Part[] = [];

  /** Takes one event; returns what it adds, so that sizes, calls and results can be noted while the stream is read. */
  push(value: unknown): Part[] {
    const event = asObject(value);
    const index = asNumber(event?.['index']) ?? this.blocks.size;
    switch (event?.['type']) {
      case 'content_block_start': return this.start(index, asObject(event['content_block']) ?? {});
      case 'content_block_stop': return this.stop(index);
      case 'content_block_delta': return this.delta(index, asObject(event['delta']) ?? {});
      default: return [];
    }
  }

  private start(index: number, block: JsonObject): Part[] {
    // A second block of one index would overwrite the first.
    let at = index;
    while (this.blocks.has(at)) at++;
    const open: OpenBlock = { block, text: asString(block['text']) ?? asString(block['thinking']) ?? '', args: '', redacted: block['type'] === 'redacted_thinking' };
    this.blocks.set(at, open);
    return [blockPart(open)];
  }

  /** Arguments that did not arrive in pieces are those of the block's start. */
  private stop(index: number): Part[] {
    const open = this.blocks.get(index);
    if (!open || open.args !== '' || !CALL_TYPES.has(asString(open.block['type']) ?? '')) return [];
    open.args = stringifyJson(open.block['input'] ?? {});
    return [textPart(open.args)];
  }

  private delta(index: number, delta: JsonObject): Part[] {
    let open = this.blocks.get(index);
    if (!open) this.blocks.set(index, (open = { block: { type: 'text' }, text: '', args: '', redacted: false }));
    switch (delta['type']) {
      case 'text_delta': case 'thinking_delta': {
        const piece = asString(delta['text']) ?? asString(delta['thinking']) ?? '';
        open.text += piece;
        return piece === '' ? [] : [textPart(piece)];
      }
      case 'input_json_delta': {
        const piece = asString(delta['partial_json']) ?? '';
        open.args += piece;
        return piece === '' ? [] : [textPart(piece)];
      }
      case 'signature_delta': case 'citations_delta': return [];
      default: {
        const part = otherPart(asString(delta['type']) ?? 'delta', delta);
        this.strange.push(part);
        return [part];
      }
    }
  }

  parts(): Part[] {
    return [...[...this.blocks.values()].map(blockPart), ...this.strange];
  }
}

function blockPart({ block, text, args, redacted }: OpenBlock): Part {
  const type = asString(block['type']) ?? 'text';
  if (CALL_TYPES.has(type)) return toolCall(block['id'], block['name'], args);
  if (type === 'thinking' || redacted) return reasoningPart(text, redacted);
  return type === 'text' ? textPart(text) : anthropicParts([block])[0]!;
}
