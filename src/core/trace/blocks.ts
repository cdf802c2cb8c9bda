import { growF64, growI32, growU16, growU32, growU8 } from '../base/growable';
import { sha256Hex } from '../base/sha256';
import { detachText, firstLine } from '../base/text';
import { blockParts, blockText, measureText } from './block-text';
import { isStep } from './blocks-facts';
import { saysIncomplete } from './blocks-incomplete';
import { CallQueue } from './blocks-pairing';
import { splitMessage } from './blocks-split';
import { estimatingCounter, partTokens, soleText } from './blocks-tokens';
import type { BlockCounter } from './blocks-tokens';
import { BLOCK_KINDS } from './blocks-types';
import type { BlockKind, BlockTable, EncodingName } from './blocks-types';
import { gistOf } from './gist';
import type { Message, Part, ToolResultPart } from './model';

/** A block as it is made, with the text that the table does not keep. */
export interface BuiltBlock { index: number; kind: BlockKind; bornStep: number; text: string; parts: Part[]; message: Message }

export interface BlockOptions {
  /** Does reasoning count as context (Thread.countsReasoning)? */
  countsReasoning: boolean;
  encoding: EncodingName;
  /** Absent = estimate from bytes (`tokensAre: 'estimated'`). */
  counter?: BlockCounter;
}

const PREVIEW_CHARACTERS = 160;
const HEAD_CHARACTERS = 240;

/** Builds the block table of a line while its messages stream through; holds numbers, hashes and short texts only. */
export class BlockTableBuilder {
  private readonly kind = growU8();
  private readonly messageIndex = growU32();
  private readonly partFrom = growU16();
  private readonly partTo = growU16();
  private readonly bornStep = growU32();
  private readonly parent = growI32();
  private readonly tokens = growU32();
  private readonly reasoningTokens = growU32();
  private readonly chars = growU32();
  private readonly bytes = growF64();
  private readonly isError = growU8();
  private readonly incomplete = growU8();
  private readonly toolName = growU32();
  private readonly contentHash: string[] = [];
  private readonly preview: string[] = [];
  private readonly gist: string[] = [];
  private readonly head: string[] = [];
  private readonly strings = [''];
  private readonly stringIndex = new Map([['', 0]]);
  private readonly calls = new CallQueue<{ block: number; name: string }>();
  private readonly counter: BlockCounter;
  private steps = 0;
  private taskSeen = false;
  /** Tokens of the system blocks in the first call's context. */
  systemTokens = 0;

  constructor(private readonly options: BlockOptions) {
    this.counter = options.counter ?? estimatingCounter;
  }

  get n(): number {
    return this.kind.length;
  }

  /** Adds the next message of the line; `onBlock` sees each of its blocks with its text. */
  add(message: Message, onBlock?: (block: BuiltBlock) => void): void {
    if (isStep(message)) this.steps++;
    for (const span of splitMessage(message, this.taskSeen)) {
      const parts = blockParts(message, span.from, span.to);
      const text = blockText(message, span.from, span.to);
      const index = this.kind.push(BLOCK_KINDS.indexOf(span.kind));
      if (span.kind === 'task') this.taskSeen = true;
      this.messageIndex.push(message.index);
      this.partFrom.push(span.from);
      this.partTo.push(span.to);
      this.bornStep.push(this.steps + 1);
      this.describe(text, parts, span.kind);
      this.relate(index, parts, text);
      onBlock?.({ index, kind: span.kind, bornStep: this.steps + 1, text, parts, message });
    }
  }

  private describe(text: string, parts: readonly Part[], kind: BlockKind): void {
    const { codePoints, bytes } = measureText(text);
    const hash = sha256Hex(text);
    const sole = soleText(parts);
    let tokens = 0;
    let reasoning = 0;
    if (sole !== undefined && this.counter.countHashed) tokens = this.counter.countHashed(hash, sole);
    else {
      for (const part of parts) {
        if (part.type !== 'reasoning') tokens += partTokens(part, this.counter);
        else if (this.options.countsReasoning) reasoning += partTokens(part, this.counter);
      }
    }
    this.tokens.push(tokens + reasoning);
    this.reasoningTokens.push(reasoning);
    this.chars.push(codePoints);
    this.bytes.push(bytes);
    this.contentHash.push(hash);
    this.preview.push(firstLine(text, PREVIEW_CHARACTERS));
    this.gist.push(detachText(gistOf(text)));
    this.head.push(kind === 'tool_result' ? headOf(text) : '');
    if (kind === 'system' && this.steps === 0) this.systemTokens += tokens;
  }

  private relate(index: number, parts: readonly Part[], text: string): void {
    for (const part of parts) if (part.type === 'tool_call') this.calls.call(part.id, { block: index, name: part.name });
    const result = parts.find((part): part is ToolResultPart => part.type === 'tool_result');
    const call = result && this.calls.answer(result.callId);
    this.parent.push(call?.block ?? -1);
    this.toolName.push(result ? this.intern(result.toolName ?? call?.name ?? '') : 0);
    // gem.md §7: the recorded mark, or an exit code other than 0.
    this.isError.push(result && (result.isError === true || (result.exitCode ?? 0) !== 0) ? 1 : 0);
    this.incomplete.push(result && saysIncomplete(text) ? 1 : 0);
  }

  private intern(text: string): number {
    let index = this.stringIndex.get(text);
    if (index === undefined) {
      index = this.strings.push(detachText(text)) - 1;
      this.stringIndex.set(text, index);
    }
    return index;
  }

  /** A copy of the table so far; the builder can go on. */
  finish(): BlockTable {
    return {
      n: this.n,
      kind: this.kind.toArray(),
      messageIndex: this.messageIndex.toArray(),
      partFrom: this.partFrom.toArray(),
      partTo: this.partTo.toArray(),
      bornStep: this.bornStep.toArray(),
      parent: this.parent.toArray(),
      tokens: this.tokens.toArray(),
      reasoningTokens: this.reasoningTokens.toArray(),
      chars: this.chars.toArray(),
      bytes: this.bytes.toArray(),
      isError: this.isError.toArray(),
      incomplete: this.incomplete.toArray(),
      toolName: this.toolName.toArray(),
      contentHash: this.contentHash.slice(),
      preview: this.preview.slice(),
      gist: this.gist.slice(),
      head: this.head.slice(),
      strings: this.strings.slice(),
      tokensAre: this.options.counter ? 'exact' : 'estimated',
      encoding: this.options.encoding,
    };
  }
}

/** Whole characters: a surrogate pair counts once and is never cut. */
function headOf(text: string): string {
  return detachText([...text.slice(0, 2 * HEAD_CHARACTERS)].slice(0, HEAD_CHARACTERS).join(''));
}

/** The table of messages that are in memory. */
export function buildBlocks(messages: readonly Message[], options: BlockOptions): BlockTable {
  const builder = new BlockTableBuilder(options);
  for (const message of messages) builder.add(message);
  return builder.finish();
}
