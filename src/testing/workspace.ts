/** Builders for workspace tests: small block tables in a line-a-block notation, evidence by hand, a counter of words. */
import { sha256Hex } from '../core/base/sha256';
import type { EvidenceIndex } from '../core/evidence/types';
import { BLOCK_KINDS, type BlockKind, type BlockTable, type LineFacts } from '../core/trace/blocks-types';
import type { Message, Part, Role } from '../core/trace/model';
import { makeSteps } from '../core/workspace/step-columns';
import type { LineSelection } from '../core/selection/line-selection';
import { selectionOfBlocks } from './selection';
import type { Replay, ReplayInput } from '../core/workspace/types';
import type { Workspace } from '../core/workspace/workspace';

export interface TestBlock {
  kind: BlockKind;
  tokens: number;
  born: number;
  /** Index of the calling assistant block. */
  parent?: number;
  tool?: string;
  error?: boolean;
  reasoning?: number;
  text?: string;
  /** For an assistant: how many calls it makes. */
  calls?: number;
}

/** Tokens = words; enough to see every sum by hand. */
export const countWords = (text: string): number => text.split(/\s+/).filter(Boolean).length;
/** Tokens = a quarter of the characters, as a rough tokenizer would say. */
export const countQuarters = (text: string): number => Math.ceil(text.length / 4);

/**
 * Blocks from lines `kind tokens [tool] [!] [r=N]`: `S` system, `T` task, `U` user, `A` assistant, `O` tool result (of
 * the assistant block before). A line `> ` starts nothing: each A ends a step, as in a real run: what follows is born
 * one step later.
 */
export function blocksOf(notation: string): TestBlock[] {
  const kinds: Record<string, BlockKind> = { S: 'system', T: 'task', U: 'user', A: 'assistant', O: 'tool_result' };
  const blocks: TestBlock[] = [];
  let step = 1;
  let call = -1;
  for (const line of notation.split(/[\n,]/).map((raw) => raw.trim()).filter(Boolean)) {
    const [letter = '', tokens = '0', ...rest] = line.split(/\s+/);
    const kind = kinds[letter];
    if (!kind) throw new Error(`Block notation: unknown kind in "${line}".`);
    if (kind === 'assistant') step++;
    const block: TestBlock = { kind, tokens: Number(tokens), born: step };
    for (const word of rest) {
      if (word === '!') block.error = true;
      else if (word.startsWith('r=')) block.reasoning = Number(word.slice(2));
      else block.tool = word;
    }
    if (kind === 'assistant') call = blocks.length;
    if (kind === 'tool_result' && call >= 0) {
      block.parent = call;
      const caller = blocks[call];
      if (caller) caller.calls = (caller.calls ?? 0) + 1;
    }
    blocks.push(block);
  }
  return blocks;
}

export const textOfBlock = (block: TestBlock, index: number): string => block.text ?? `text of block ${index} é`;

export function tableOf(blocks: readonly TestBlock[]): BlockTable {
  const strings = [''];
  const intern = (text: string | undefined): number => {
    if (!text) return 0;
    const known = strings.indexOf(text);
    return known >= 0 ? known : strings.push(text) - 1;
  };
  const texts = blocks.map(textOfBlock);
  return {
    n: blocks.length,
    kind: Uint8Array.from(blocks, (block) => BLOCK_KINDS.indexOf(block.kind)),
    messageIndex: Uint32Array.from(blocks, (_, i) => i),
    partFrom: new Uint16Array(blocks.length),
    partTo: Uint16Array.from(blocks, (block) => 1 + (block.calls ?? 0)),
    bornStep: Uint32Array.from(blocks, (block) => block.born),
    parent: Int32Array.from(blocks, (block) => block.parent ?? -1),
    tokens: Uint32Array.from(blocks, (block) => block.tokens),
    reasoningTokens: Uint32Array.from(blocks, (block) => block.reasoning ?? 0),
    chars: Uint32Array.from(texts, (text) => text.length),
    bytes: Float64Array.from(texts, (text) => new TextEncoder().encode(text).length),
    isError: Uint8Array.from(blocks, (block) => (block.error ? 1 : 0)),
    incomplete: new Uint8Array(blocks.length),
    toolName: Uint32Array.from(blocks, (block) => intern(block.tool)),
    contentHash: texts.map(sha256Hex),
    preview: texts.map((text) => text.slice(0, 160)),
    gist: texts.map((text) => text.slice(0, 400)),
    head: texts.map((text, i) => (blocks[i]?.kind === 'tool_result' ? text.slice(0, 240) : '')),
    strings,
    tokensAre: 'exact',
    encoding: 'o200k_base',
  };
}

/** Demand of a step: weight, base blocks that hold it, satisfied by system prompt or task. */
export interface TestDemand { step: number; sources: number[]; weight?: number; prompt?: boolean; lexeme?: string }

export function evidenceOf(steps: number, blocks: number, demands: readonly TestDemand[]): EvidenceIndex {
  const ordered = [...demands].sort((a, b) => a.step - b.step);
  const demandStart = new Uint32Array(steps + 1);
  for (const demand of ordered) demandStart[demand.step]! += 1;
  for (let t = 1; t <= steps; t++) demandStart[t]! += demandStart[t - 1]!;
  const sourceStart = new Uint32Array(ordered.length + 1);
  ordered.forEach((demand, d) => { sourceStart[d + 1] = (sourceStart[d] ?? 0) + demand.sources.length; });
  const lastUse = new Uint32Array(blocks);
  const uses = new Uint32Array(blocks);
  for (const demand of ordered) {
    for (const source of demand.sources) {
      lastUse[source] = Math.max(lastUse[source] ?? 0, demand.step);
      uses[source]! += 1;
    }
  }
  return {
    steps, blocks, demandStart,
    demandLexeme: Uint32Array.from(ordered, (_, d) => d),
    demandWeight: Float64Array.from(ordered, (demand) => demand.weight ?? 1),
    demandDf: Uint32Array.from(ordered, (demand) => demand.sources.length),
    demandInPrompt: Uint8Array.from(ordered, (demand) => (demand.prompt ? 1 : 0)),
    sourceStart,
    sources: Uint32Array.from(ordered.flatMap((demand) => [...demand.sources].sort((a, b) => a - b))),
    sourceIsEcho: new Uint8Array(sourceStart[ordered.length] ?? 0),
    lexemes: ordered.map((demand, d) => demand.lexeme ?? `lexeme-${d}`),
    isPrompt: new Uint8Array(blocks),
    lastUse, uses,
  };
}

export function factsOf(blocks: readonly TestBlock[], toolSchemaTokens = 0): LineFacts {
  const calls = blocks.flatMap((block, i) => (block.kind === 'assistant' ? [i] : []));
  const steps = calls.length;
  const system = blocks.reduce((sum, block) => sum + (block.kind === 'system' ? block.tokens : 0), 0);
  return {
    steps, stepMessage: Uint32Array.from(calls),
    measuredInput: new Float64Array(steps).fill(NaN), measuredCached: new Float64Array(steps).fill(NaN), measuredOutput: new Float64Array(steps).fill(NaN),
    fixedOverhead: toolSchemaTokens + system, toolSchemaTokens, countsReasoning: true,
  };
}

/** Everything a replay needs from a notation and demands. Call t is the t-th assistant block. */
export function inputOf(blocks: readonly TestBlock[], demands: readonly TestDemand[] = [], toolSchemaTokens = 0): ReplayInput {
  const facts = factsOf(blocks, toolSchemaTokens);
  let selection: LineSelection | undefined;
  return {
    blocks: tableOf(blocks), facts, evidence: evidenceOf(facts.steps, blocks.length, demands), recorded: [],
    // Vectors of every block: made only where a policy reads them.
    get selection() {
      return (selection ??= selectionOfBlocks(blocks));
    },
  };
}

/** One message a block: text, calls `c<assistant>-<k>`, results answering them in order. */
export function messagesOf(blocks: readonly TestBlock[]): Message[] {
  const answered = new Map<number, number>();
  return blocks.map((block, index): Message => {
    const text: Part = { type: 'text', text: textOfBlock(block, index) };
    const roles: Partial<Record<BlockKind, Role>> = { system: 'system', assistant: 'assistant', tool_result: 'tool' };
    let parts: Part[] = [text];
    if (block.kind === 'assistant') {
      for (let k = 0; k < (block.calls ?? 0); k++) parts.push({ type: 'tool_call', id: `c${index}-${k}`, name: 'tool', args: `{"k":${k}}` });
    } else if (block.kind === 'tool_result') {
      const call = block.parent ?? -1;
      const k = answered.get(call) ?? 0;
      answered.set(call, k + 1);
      parts = [{ type: 'tool_result', callId: `c${call}-${k}`, content: [{ type: 'text', text: textOfBlock(block, index) }] }];
    }
    return { index, row: index, role: roles[block.kind] ?? 'user', parts, flags: 0, spans: [] };
  });
}

/** A replay around a workspace that a test drove by hand; `opStart` has one entry a step ended so far, plus the first 0. */
export function replayOfWorkspace(ws: Workspace, opStart: readonly number[], contextTokens: readonly number[], exactRecovery = true): Replay {
  const steps = makeSteps(opStart.length - 1);
  steps.opStart.set(opStart);
  steps.contextTokens.set(contextTokens);
  return {
    policy: 'keep-everything', params: {}, replayClass: 'exact', causal: true, budget: ws.budget, encoding: 'o200k_base',
    fixedOverhead: ws.setup.facts.fixedOverhead, protocolTokens: ws.setup.protocolTokens, exactRecovery,
    blocks: ws.columns.toReplayBlocks(), ops: ws.ops, steps, history: ws.history.finish(ws.columns.n),
    totals: {
      peakContext: 0, meanContext: 0, trajectoryTokens: 0, opsByKind: {}, overflowSteps: 0, overSteps: 0, infeasibleSteps: 0, firstLoss: null, evidenceVisible: 0,
      evidenceRecoverable: 0, evidenceLost: 0, obligations: 0, reads: 0, cacheRate: null, usd: null, managementCalls: 0, managementTokens: 0, totalBudgetStep: null,
      paging: { faults: 0, faultsPerStep: null, evictions: 0, faultRate: null, tokensRead: 0, tokensNeeded: 0, readAmplification: null, amplification: null },
    },
  };
}
