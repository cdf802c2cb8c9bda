import { bytesSource } from '../../../src/core/base/byte-source.ts';
import { EvidenceBuilder } from '../../../src/core/evidence/evidence-builder.ts';
import { analyseLine } from '../../../src/core/evidence/analyse.ts';
import { LEXEME_PATTERN } from '../../../src/core/evidence/lexeme-pattern.ts';
import { importSource } from '../../../src/core/import/import-source.ts';
import { createTraceReader } from '../../../src/core/import/reader.ts';
import { unitRows } from '../../../src/core/numerics/unit-rows.ts';
import { centreGram } from '../../../src/core/numerics/centre-gram.ts';
import { centredRows } from '../../../src/core/numerics/column-means.ts';
import { gramMatrix } from '../../../src/core/numerics/gram-matrix.ts';
import { symmetricEigenvalues } from '../../../src/core/numerics/symmetric-eigenvalues.ts';
import { transpose } from '../../../src/core/numerics/transpose.ts';
import { complete } from '../../../src/core/selection/completion.ts';
import { centredEnergies } from '../../../src/core/selection/spectrum.ts';
import { BlockTableBuilder, type BuiltBlock } from '../../../src/core/trace/blocks.ts';
import { loadTokenCounter } from '../../../src/core/tokens/counter.ts';
import { defaultLine, rowsOfLine } from '../../../src/core/trace/line.ts';
import type { Message } from '../../../src/core/trace/model.ts';
import { listPolicies } from '../../../src/core/workspace/policies/index.ts';
import { replay } from '../../../src/core/workspace/replay.ts';
import type { ReplayInput } from '../../../src/core/workspace/types.ts';
import { answerCalls } from './calls.ts';
import { plainPass } from './plain-pass.ts';

interface Line { input: ReplayInput; blocks: BuiltBlock[]; totalTokens: number }
let line: Line | null = null;
let rows: Float32Array<ArrayBuffer> = new Float32Array();

/** A result that is looked at, so that no loop can be optimised away. */
let seen = 0;
function timed(work: () => number): number {
  const began = performance.now();
  seen = (seen + work()) % 1e9;
  return performance.now() - began;
}

/** Imports and analyses a file in this worker, and keeps its blocks with their texts. */
async function openLine(file: File): Promise<{ steps: number; blocks: number; demands: number; characters: number; tokens: number }> {
  const source = bytesSource(file.name, new Uint8Array(await file.arrayBuffer()));
  const { trajectories: [trajectory] } = await importSource(source);
  if (!trajectory) throw new Error('The file holds no run.');
  const reader = createTraceReader(source, trajectory);
  const ref = defaultLine(trajectory);
  const counter = await loadTokenCounter('o200k_base');
  const analysis = await analyseLine(reader, trajectory, ref, { encoding: 'o200k_base', count: (text) => counter.count(text), countHashed: (_hash, text) => counter.count(text) });
  const blocks: BuiltBlock[] = [];
  const builder = new BlockTableBuilder({ countsReasoning: false, encoding: 'o200k_base' });
  await reader.readMessages(rowsOfLine(trajectory, ref), (message: Message) => builder.add(message, (block) => void blocks.push(block)));
  const { blocks: table, facts, evidence } = analysis;
  const totalTokens = table.tokens.reduce((sum, tokens) => sum + tokens, 0);
  line = { input: { blocks: table, facts, evidence, recorded: [] }, blocks, totalTokens };
  return { steps: facts.steps, blocks: table.n, demands: evidence.demandLexeme.length, characters: blocks.reduce((sum, block) => sum + block.text.length, 0), tokens: totalTokens };
}

function ensureLine(): Line {
  if (!line) throw new Error('openLine comes first.');
  return line;
}

/** Without those that read vectors: their arithmetic is measured by `completion`. */
const policies = (): string[] => listPolicies().filter((policy) => !policy.needsVectors).map((policy) => policy.id);

/** Small beside the run at every size that is compared, so that each policy has work to do all along. */
const BUDGET = 32_000;


async function replayPolicy(policy: string): Promise<{ ms: number; plainMs: number; ops: number }> {
  const { input } = ensureLine();
  const counter = await loadTokenCounter('o200k_base');
  let ops = 0;
  const plainMs = timed(() => plainPass(input));
  const ms = timed(() => {
    const { totals, ops: log } = replay(input, { policy, budget: BUDGET }, (text) => counter.count(text));
    ops = log.length;
    return totals.peakContext;
  });
  return { ms, plainMs, ops };
}

/** The index over the first `share` of the blocks, against one pass of the pattern over the same texts. */
function evidence(share: number): { ms: number; patternMs: number; characters: number } {
  const blocks = ensureLine().blocks.slice(0, Math.ceil(ensureLine().blocks.length * share));
  const patternMs = timed(() => {
    let matches = 0;
    for (const { text } of blocks) {
      LEXEME_PATTERN.lastIndex = 0;
      while (LEXEME_PATTERN.exec(text) !== null) matches++;
    }
    return matches;
  });
  const ms = timed(() => {
    const builder = new EvidenceBuilder();
    for (const block of blocks) builder.add(block);
    return builder.finish(blocks.at(-1)!.bornStep).demandLexeme.length;
  });
  return { ms, patternMs, characters: blocks.reduce((sum, block) => sum + block.text.length, 0) };
}

const NOTHING_SPECIAL = { allowedSpecial: new Set<string>(), disallowedSpecial: new Set<string>() };

/** Exact counts of the open line's texts by the product and by the library alone. */
async function tokens(): Promise<{ ms: number; libraryMs: number; characters: number; tokens: number }> {
  const texts = ensureLine().blocks.map((block) => block.text);
  const [counter, { countTokens }] = await Promise.all([loadTokenCounter('o200k_base'), import('gpt-tokenizer/encoding/o200k_base')]);
  let ours = 0;
  let theirs = 0;
  const libraryMs = timed(() => texts.reduce((sum, text) => (theirs = sum + countTokens(text, NOTHING_SPECIAL)), 0));
  const ms = timed(() => texts.reduce((sum, text) => (ours = sum + counter.count(text)), 0));
  if (ours !== theirs) throw new Error(`Counted ${ours} tokens where the library counts ${theirs}.`);
  return { ms, libraryMs, characters: texts.reduce((sum, text) => sum + text.length, 0), tokens: ours };
}

/** A run on which the library is quadratic. */
async function hostileTokens(kind: 'one character' | 'base64', length: number): Promise<number> {
  const counter = await loadTokenCounter('o200k_base');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let state = 1;
  const text = kind === 'one character' ? 'a'.repeat(length) : Array.from({ length }, () => letters[(state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 26]).join('');
  return timed(() => counter.count(text));
}

async function openRows(file: File): Promise<void> {
  rows = new Float32Array(await file.arrayBuffer());
}

/** GEM completion from nothing over rows that have just been made, so that nothing of an earlier call is reused. */
function completion(n: number, d: number, k: number): { ms: number; picks: number[] } {
  const unit = unitRows(rows.subarray(0, n * d), n, d);
  let picks: number[] = [];
  const ms = timed(() => {
    const result = complete(unit, [], { capacity: k, tau: 2 });
    picks = result.kept;
    return result.coverage;
  });
  return { ms, picks };
}

/** `ms`: eigenvalues of the centred matrix at hand; `wholeMs`: from the rows. */
function spectrum(n: number, d: number): { ms: number; wholeMs: number; values: number[] } {
  const unit = unitRows(rows.subarray(0, n * d), n, d);
  const side = Math.min(n, d);
  const matrix = n <= d ? centreGram(gramMatrix(unit), n) : gramMatrix(transpose(centredRows(unit)));
  let values: number[] = [];
  const ms = timed(() => {
    values = [...symmetricEigenvalues(matrix, side)];
    return values[0] ?? 0;
  });
  const wholeMs = timed(() => centredEnergies(unit)[0] ?? 0);
  return { ms, wholeMs, values };
}

const calls = { openLine, policies, replayPolicy, evidence, tokens, hostileTokens, openRows, completion, spectrum };
export type ComputeCalls = typeof calls;
answerCalls(calls);
