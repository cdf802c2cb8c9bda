/**
 * A step's stream as protocol-neutral entries, in order: what each visible block says, in which role, at what cost.
 * Calls that are answered in the stream keep their results right behind them; whatever lost its partner becomes
 * ordinary context under a marker (model.md §3, invariant 4).
 */
import { blockParts, partText } from '../trace/block-text';
import { BLOCK_KINDS, TOKENS_PER_MESSAGE, type BlockKind, type BlockTable } from '../trace/blocks-types';
import type { Message, ToolCallPart, ToolResultPart } from '../trace/model';
import { decodeUtf8 } from '../base/text';
import { isStripped } from './block-graph';
import { KIND, STATUS } from './kinds';
import { readPayload } from './payload';
import type { PieceCounter } from './pieces';
import { idTokens, markTokens } from './protocol-marks';
import { rememberedSlots, type StepState } from './state-at';
import type { Replay } from './types';
import { callMark, idMark, recoveredMark, visibleMark } from './wording';

/** Text access: messages of the line by position; every message of `neededMessages` must be there. */
export type MessageAt = (messageIndex: number) => Message;

export interface RenderSource {
  blocks: BlockTable;
  message: MessageAt;
  countsReasoning: boolean;
  /** Does every message begin with its block's id? */
  showsIds?: boolean;
}

export interface Entry {
  item: number;
  kind: BlockKind;
  /** `call`: an assistant message with calls whose results follow; `result`: answers call `callIndex` of entry before. */
  form: 'system' | 'user' | 'assistant' | 'call' | 'result';
  text: string;
  reasoning: string;
  calls: { id: string; name: string; args: string }[];
  /** Results only: id of the call they answer. */
  callId: string;
  isError: boolean;
  tokens: number;
}

/** Entries of C_t in sending order, each with the tokens that the replay counted for it. */
export function entriesOf(replay: Replay, state: StepState, source: RenderSource, pieces: PieceCounter): Entry[] {
  const view = new StreamView(replay, state, source, pieces);
  const entries: Entry[] = [];
  for (const item of state.visible) if (!view.isAnswer(item)) entries.push(...view.render(item));
  return entries;
}

class StreamView {
  private readonly shown: Int32Array;
  /** Base result items by call item. */
  private readonly resultsOf = new Map<number, number[]>();
  /** Stream item → call item it answers in protocol form. */
  private readonly answers = new Map<number, number>();
  private readonly usedIds = new Set<string>();

  constructor(private readonly replay: Replay, private readonly state: StepState, private readonly source: RenderSource, private readonly pieces: PieceCounter) {
    const { blocks } = replay;
    const slots = rememberedSlots(blocks);
    this.shown = new Int32Array(blocks.n).fill(-1);
    for (const item of state.visible) this.shown[slots[item] ?? item] = item;
    for (let item = 0; item < blocks.n; item++) {
      const parent = blocks.parent[item] ?? -1;
      if (blocks.kind[item] !== KIND.tool_result || parent < 0 || state.status[item] === STATUS.unborn) continue;
      const list = this.resultsOf.get(parent);
      if (list) list.push(item);
      else this.resultsOf.set(parent, [item]);
    }
    for (const [call, results] of this.resultsOf) {
      if (!this.isPaired(call, results)) continue;
      for (const result of results) this.answers.set(this.shown[result] ?? -1, call);
    }
  }

  isAnswer(item: number): boolean {
    return this.answers.has(item);
  }

  render(item: number): Entry[] {
    const kind = BLOCK_KINDS[this.replay.blocks.kind[item] ?? 0] ?? 'user';
    if (kind === 'assistant') return this.renderAssistant(item, kind);
    const text = this.isMarked(item) ? visibleMark(item) + this.textOf(item) : this.textOf(item);
    return [this.entry(item, kind === 'system' ? 'system' : this.roleOf(item), text)];
  }

  private renderAssistant(item: number, kind: BlockKind): Entry[] {
    const call = this.sourceOf(item);
    const results = this.resultsOf.get(call) ?? [];
    const calls = this.callsOf(item);
    const paired = calls.length > 0 && results.length > 0 && this.answers.get(this.shown[results[0] ?? 0] ?? -1) === call;
    if (!paired) {
      return [this.entry(item, 'assistant', (this.isMarked(item) ? callMark(item) : '') + this.wordsOf(item, true), kind)];
    }
    const named = calls.map((call, k) => ({ id: this.freshId(call.id, item, k), name: call.name, args: call.args }));
    const head = { ...this.entry(item, 'call', this.wordsOf(item, false), kind), calls: named };
    return [head, ...results.map((result, k) => {
      const shown = this.shown[result] ?? result;
      const at = this.callIndexOf(result, calls, k);
      return { ...this.entry(shown, 'result', this.textOf(shown)), callId: named[at]?.id ?? '' };
    })];
  }

  /** Every call has exactly one result, and the stream shows it or what stands for it alone. */
  private isPaired(call: number, results: readonly number[]): boolean {
    if (!this.isCallShown(call)) return false;
    const calls = this.callsOf(call);
    if (calls.length !== results.length) return false;
    const taken = new Set<number>();
    return results.every((result, k) => {
      const item = this.shown[result] ?? -1;
      const at = this.callIndexOf(result, calls, k);
      if (item < 0 || taken.has(at)) return false;
      taken.add(at);
      return item === result || this.memberCount(item) === 1;
    });
  }

  /** A block whose message is read: its own, or that of the one it shows without reasoning. */
  private sourceOf(item: number): number {
    const { blocks } = this.replay;
    return isStripped(blocks.kind[item] ?? 0, blocks.base[item] ?? 0) ? (blocks.members[blocks.memberStart[item] ?? 0] ?? item) : item;
  }

  /** With its reasoning or without. */
  private isCallShown(call: number): boolean {
    const item = this.shown[call] ?? -1;
    return this.state.status[call] === STATUS.visible || (item >= 0 && this.sourceOf(item) === call);
  }

  private callIndexOf(result: number, calls: readonly ToolCallPart[], order: number): number {
    const part = this.partsOf(result)[0];
    const id = part?.type === 'tool_result' ? part.callId : '';
    const byId = id === '' ? -1 : calls.findIndex((call) => call.id === id);
    return byId >= 0 ? byId : order;
  }

  private memberCount(item: number): number {
    const { memberStart } = this.replay.blocks;
    return (memberStart[item + 1] ?? 0) - (memberStart[item] ?? 0);
  }

  private partsOf(item: number): ReturnType<typeof blockParts> {
    const { blocks } = this.source;
    const base = this.replay.blocks.base[this.sourceOf(item)] ?? -1;
    if (base < 0) return [];
    return blockParts(this.source.message(blocks.messageIndex[base] ?? 0), blocks.partFrom[base] ?? 0, blocks.partTo[base] ?? 0);
  }

  private callsOf(item: number): ToolCallPart[] {
    return this.partsOf(item).filter((part): part is ToolCallPart => part.type === 'tool_call' && !part.fenced);
  }

  /** Text of a block; reasoning is kept apart. Calls are written out where they do not go as calls. */
  private wordsOf(item: number, withCalls: boolean): string {
    const texts = this.partsOf(item)
      .filter((part) => part.type !== 'reasoning' && part.type !== 'tool_result' && (withCalls || part.type !== 'tool_call'))
      .map(partText);
    return texts.filter((text) => text !== '').join('\n');
  }

  private textOf(item: number): string {
    const { blocks } = this.replay;
    if ((blocks.base[item] ?? -1) >= 0) {
      return this.partsOf(item).map((part) => (part.type === 'reasoning' ? '' : partText(part))).filter((text) => text !== '').join('\n');
    }
    if (blocks.kind[item] !== KIND.recovered) return blocks.text[item] ?? '';
    const payload = readPayload(this.replay, NOTHING_DELETED, item, (base) => baseText(this.source, base));
    return recoveredMark(blocks.parent[item] ?? item) + decodeUtf8(payload.bytes);
  }

  /** Did an op take away the call or a result of its exchange? What the record itself lacks is not marked. */
  private isMarked(item: number): boolean {
    const { blocks } = this.replay;
    const isResult = blocks.kind[item] === KIND.tool_result;
    const call = isResult ? (blocks.parent[item] ?? -1) : this.sourceOf(item);
    if (call < 0 || (blocks.base[this.sourceOf(item)] ?? -1) < 0 || !this.resultsOf.has(call)) return false;
    return !this.isCallShown(call) || !this.isComplete(call);
  }

  private isComplete(call: number): boolean {
    return (this.resultsOf.get(call) ?? []).every((result) => {
      const item = this.shown[result] ?? -1;
      return item === result || (item >= 0 && this.memberCount(item) === 1);
    });
  }

  private roleOf(item: number): 'user' | 'assistant' {
    const { blocks } = this.replay;
    if (blocks.kind[item] !== KIND.summary || (blocks.base[item] ?? -1) < 0) return 'user';
    const base = blocks.base[item] ?? 0;
    return this.source.message(this.source.blocks.messageIndex[base] ?? 0).role === 'assistant' ? 'assistant' : 'user';
  }

  private freshId(recorded: string, item: number, k: number): string {
    let id = /^[A-Za-z0-9_-]{1,40}$/.test(recorded) && !this.usedIds.has(recorded) ? recorded : `call_B${item + 1}_${k}`;
    while (this.usedIds.has(id)) id += '_';
    this.usedIds.add(id);
    return id;
  }

  private entry(item: number, form: Entry['form'], text: string, kind?: BlockKind): Entry {
    const { blocks } = this.replay;
    const hasReasoning = this.source.countsReasoning && blocks.kind[item] === KIND.assistant && (blocks.base[item] ?? -1) >= 0;
    const parts = hasReasoning ? this.partsOf(item) : [];
    const reasoning = parts.map((part) => (part.type === 'reasoning' ? part.text : '')).filter((words) => words !== '').join('\n');
    const part = this.partsOf(item)[0] as ToolResultPart | undefined;
    return {
      item, kind: kind ?? BLOCK_KINDS[blocks.kind[item] ?? 0] ?? 'user', form, text: this.source.showsIds ? idMark(item) + text : text, reasoning, calls: [], callId: '',
      isError: part?.type === 'tool_result' && part.isError === true, tokens: this.tokensOf(item),
    };
  }

  private tokensOf(item: number): number {
    const { blocks } = this.replay;
    const tokens = (blocks.tokens[item] ?? 0) + TOKENS_PER_MESSAGE + (this.source.showsIds ? idTokens(this.pieces, item) : 0);
    return this.isMarked(item) ? tokens + markTokens(this.pieces, blocks.kind[item] ?? 0, item) : tokens;
  }
}

const NOTHING_DELETED = new Uint8Array(0);

/** Text of a base block: what is archived and read back. */
function baseText(source: RenderSource, base: number): string {
  const { blocks } = source;
  const parts = blockParts(source.message(blocks.messageIndex[base] ?? 0), blocks.partFrom[base] ?? 0, blocks.partTo[base] ?? 0);
  return parts.map(partText).filter((text) => text !== '').join('\n');
}
