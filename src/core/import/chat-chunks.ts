import { asArray, asNumber, asObject, asString } from '../base/json';
import type { Part } from '../trace/model';
import { idText, reasoningPart, textPart, toolCall } from './content-parts';

interface OpenCall { id: string; name: string; args: string }

/**
 * The answer that `chat.completion.chunk` objects spell out (OpenAI API reference, "Streaming"): texts and argument
 * pieces joined, calls told apart by their index. Of several choices the first counts.
 */
export class ChatFold {
  private reasoning = '';
  private text = '';
  private refusal = '';
  private readonly calls = new Map<number, OpenCall>();

  /** Takes one chunk; returns what it adds, so that sizes and calls can be noted while the stream is read. */
  push(chunk: unknown): Part[] {
    const added: Part[] = [];
    for (const value of asArray(asObject(chunk)?.['choices']) ?? []) {
      const choice = asObject(value);
      if ((asNumber(choice?.['index']) ?? 0) !== 0) continue;
      const delta = asObject(choice?.['delta']) ?? {};
      const reasoning = asString(delta['reasoning_content']) ?? asString(delta['reasoning']) ?? '';
      const text = deltaText(delta['content']);
      const refusal = asString(delta['refusal']) ?? '';
      this.reasoning += reasoning;
      this.text += text;
      this.refusal += refusal;
      for (const piece of [reasoning, text, refusal]) if (piece !== '') added.push(textPart(piece));
      for (const call of asArray(delta['tool_calls']) ?? []) added.push(...this.pushCall(call));
      if (asObject(delta['function_call'])) added.push(...this.pushCall({ index: 0, function: delta['function_call'] }));
    }
    return added;
  }

  private pushCall(value: unknown): Part[] {
    const piece = asObject(value);
    const body = asObject(piece?.['function']) ?? asObject(piece?.['custom']);
    const args = asString(body?.['arguments']) ?? asString(body?.['input']) ?? '';
    const index = asNumber(piece?.['index']) ?? this.calls.size;
    const open = this.calls.get(index);
    if (open) {
      open.args += args;
      // Some servers repeat the name with every piece, others cut it in pieces.
      const name = asString(body?.['name']) ?? '';
      if (open.name === '') open.name = name;
      if (open.id === '') open.id = idText(piece?.['id']);
      return args === '' ? [] : [textPart(args)];
    }
    const call = { id: idText(piece?.['id']), name: asString(body?.['name']) ?? '', args };
    this.calls.set(index, call);
    return [toolCall(call.id, call.name, args)];
  }

  parts(): Part[] {
    return [
      ...(this.reasoning === '' ? [] : [reasoningPart(this.reasoning)]),
      ...(this.text === '' ? [] : [textPart(this.text)]),
      ...[...this.calls.values()].map((call) => toolCall(call.id, call.name, call.args)),
      ...(this.refusal === '' ? [] : [textPart(this.refusal)]),
    ];
  }
}

/** Text, or the blocks of servers that stream those. */
function deltaText(content: unknown): string {
  return asString(content) ?? (asArray(content) ?? []).map((block) => asString(asObject(block)?.['text']) ?? '').join('');
}
