import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../core/base/byte-source';
import { analyseLine } from '../core/evidence';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { loadTokenCounter } from '../core/tokens/counter';
import { BLOCK_KINDS } from '../core/trace/blocks-types';
import { defaultLine } from '../core/trace/line';
import { hasShared, sharedPath } from './shared';

interface Oracle { file: string; trajectory: number; idsClash: boolean; messages: number; blocks: number; toolCalls: number; rows: { messages: number[] }[] }

/** One run of each of the first seven formats, and two that are odd. */
const RUNS = ['claude-opus-envoy', 'claude-sidechains', 'pi-large', 'mini-astroid', 'mini-v0-fenced', 'opencode-panda', 'swe-marshmallow', 'openai-reason-line0', 'openai-reason-line11'];

async function analyseSample(run: string) {
  const oracle = JSON.parse(readFileSync(sharedPath('oracles/runs', run, 'blocks.json'), 'utf8')) as Oracle;
  const source = bytesSource(oracle.file, readFileSync(sharedPath('trajectories', oracle.file)));
  const trajectory = (await importSource(source)).trajectories[oracle.trajectory]!;
  const counter = await loadTokenCounter('o200k_base');
  return { oracle, trajectory, line: await analyseLine(createTraceReader(source, trajectory), trajectory, defaultLine(trajectory), counter) };
}

describe.skipIf(!hasShared)('a sample analysed through the importer', () => {
  it.each(RUNS)('%s: interaction blocks equal the reference, and every table agrees with the others', async (run) => {
    const { oracle, line } = await analyseSample(run);
    expect(line.interactionBlocks).toEqual(oracle.rows.map((row) => row.messages));
    expect(line.idsClash).toBe(oracle.idsClash);

    const { blocks, facts, evidence } = line;
    expect(blocks.tokensAre).toBe('exact');
    expect(evidence.steps).toBe(facts.steps);
    expect(evidence.blocks).toBe(blocks.n);
    expect(facts.stepMessage.length).toBe(facts.steps);
    const kinds = [...blocks.kind].map((code) => BLOCK_KINDS[code]);
    expect(kinds.filter((kind) => kind === 'task').length).toBe(1);
    // A call's own block is in view from the next call on.
    const born = new Map([...blocks.messageIndex].map((message, b) => [message, blocks.bornStep[b]!]));
    facts.stepMessage.forEach((message, i) => expect(born.get(message)).toBe(i + 2));
    for (let b = 1; b < blocks.n; b++) expect(blocks.bornStep[b]).toBeGreaterThanOrEqual(blocks.bornStep[b - 1]!);
    const answered = kinds.filter((kind, b) => kind === 'tool_result' && blocks.parent[b]! >= 0).length;
    expect(answered).toBeGreaterThanOrEqual(line.interactionBlocks.flat().length - 2 * line.interactionBlocks.length);
    for (let b = 0; b < blocks.n; b++) if (blocks.parent[b]! >= 0) expect(kinds[blocks.parent[b]!]).toBe('assistant');
  });

  it('counts come near to what the provider measured', async () => {
    const { line } = await analyseSample('claude-opus-envoy');
    const { blocks, facts } = line;
    // Counted content grows with the measured input: the difference of two steps far apart, so that fixed overhead falls out.
    const counted = (step: number): number => [...blocks.tokens].reduce((sum, tokens, b) => sum + (blocks.bornStep[b]! <= step ? tokens : 0), 0);
    const [early, late] = [10, 60];
    const measured = facts.measuredInput[late - 1]! - facts.measuredInput[early - 1]!;
    expect((counted(late) - counted(early)) / measured).toBeGreaterThan(0.5);
    expect((counted(late) - counted(early)) / measured).toBeLessThan(1.5);
  });

  it('finds evidence in a real run', async () => {
    const { line: { evidence } } = await analyseSample('pi-large');
    const steps = Array.from({ length: evidence.steps }, (_, s) => evidence.demandStart[s + 1]! - evidence.demandStart[s]!);
    expect(steps.filter((demands) => demands > 0).length / steps.length).toBeGreaterThan(0.5);
    expect(Math.max(...evidence.uses)).toBeGreaterThan(1);
  });
});
