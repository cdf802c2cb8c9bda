import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { bytesSource } from '../base/byte-source';
import type { TraceEvent, Trajectory } from '../trace/model';
import { exportNormalised } from '../trace/normalised';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

const source = (lines: readonly object[]) => bytesSource('x', new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n')));
const inferred = ({ events }: Trajectory): TraceEvent[] => events.filter(({ data }) => data?.['inferred'] === true);
/** [tokens before, tokens after, row after which] of each inferred compaction. */
const drops = (trajectory: Trajectory) => inferred(trajectory).map(({ kind, afterRow, data }) => [kind, data?.['tokensBefore'], data?.['tokensAfter'], afterRow]);

interface Call { input: number; cached?: number; write?: number; model?: string; arrived?: number; failed?: boolean }

/** A session of Claude Code with one user line and one answer a call: rows 2i and 2i + 1. */
function session(calls: readonly Call[], more: readonly object[] = []): object[] {
  const lines = calls.flatMap(({ input, cached = 0, write = 0, model = 'm', arrived = 10, failed = false }, i) => [
    { parentUuid: i === 0 ? null : `a${i - 1}`, sessionId: 's', uuid: `u${i}`, isSidechain: false, type: 'user', timestamp: '2026-01-01T00:00:00Z', message: { role: 'user', content: 'x'.repeat(arrived) } },
    { parentUuid: `u${i}`, sessionId: 's', uuid: `a${i}`, isSidechain: false, type: 'assistant', ...(failed ? { isApiErrorMessage: true } : {}), message: { id: `m${i}`, role: 'assistant', model, content: [{ type: 'text', text: 'ok' }], usage: { input_tokens: input, cache_read_input_tokens: cached, cache_creation_input_tokens: write, output_tokens: 1 } } },
  ]);
  return [...lines, ...more];
}
async function dropsOf(calls: readonly Call[]) {
  return drops((await importSource(source(session(calls)))).trajectories[0]!);
}
const levels = (...inputs: number[]): Call[] => inputs.map((input) => ({ input }));

describe('inferred compactions', () => {
  it('a fall of the measured input that stays', async () => {
    expect(await dropsOf(levels(50_000, 60_000, 70_000, 20_000, 25_000, 30_000))).toEqual([['compaction', 70_000, 20_000, 6]]);
  });

  it('needs a quarter and 8 000 tokens', async () => {
    expect(await dropsOf(levels(39_000, 40_000, 30_100, 30_200, 30_300))).toEqual([]);
    expect(await dropsOf(levels(39_000, 40_000, 30_000, 30_000, 30_000))).toEqual([['compaction', 40_000, 30_000, 4]]);
    expect(await dropsOf(levels(9_900, 10_000, 2_001, 2_001, 2_001))).toEqual([]);
    expect(await dropsOf(levels(9_990, 10_000, 2_000, 2_000, 2_000))).toEqual([['compaction', 10_000, 2_000, 4]]);
  });

  it('a cache miss or hit is none: cached tokens and those written to the cache belong to the input', async () => {
    expect(await dropsOf([{ input: 10, cached: 90_000 }, { input: 95_000 }, { input: 20, cached: 95_000 }, { input: 5, write: 96_000 }, { input: 5, cached: 97_000 }, { input: 5, cached: 98_000 }])).toEqual([]);
  });

  it('nor is a miss where only uncached tokens were recorded: one call high among low ones', async () => {
    expect(await dropsOf(levels(2_000, 2_100, 150_000, 2_200, 2_300, 2_400))).toEqual([]);
    expect(await dropsOf(levels(150_000, 2_000, 2_100, 2_200))).toEqual([]);
  });

  it('one call low among high ones is none, nor is the last call of a run', async () => {
    expect(await dropsOf(levels(60_000, 61_000, 3_000, 62_000, 63_000))).toEqual([]);
    expect(await dropsOf(levels(60_000, 61_000, 3_000, 4_000, 62_000, 63_000))).toEqual([]);
    expect(await dropsOf(levels(60_000, 61_000, 3_000))).toEqual([]);
  });

  it('a rise that what arrived accounts for is a level, though the call before was low', async () => {
    expect(await dropsOf([{ input: 20_000 }, { input: 90_000, arrived: 300_000 }, { input: 22_000 }, { input: 23_000 }])).toEqual([['compaction', 90_000, 22_000, 4]]);
  });

  it('calls of two models are not compared, failed ones not counted', async () => {
    expect(await dropsOf([{ input: 60_000 }, { input: 61_000 }, { input: 30_000, model: 'other' }, { input: 31_000, model: 'other' }, { input: 32_000, model: 'other' }])).toEqual([]);
    expect(await dropsOf([{ input: 60_000 }, { input: 61_000 }, { input: 900, failed: true }, { input: 62_000 }, { input: 63_000 }])).toEqual([]);
  });

  it('says nothing beside a recorded compaction, a call early or late', async () => {
    const boundary = (parent: string): object => ({ parentUuid: null, logicalParentUuid: parent, sessionId: 's', uuid: 'b', isSidechain: false, type: 'system', subtype: 'compact_boundary', content: 'compacted', compactMetadata: { trigger: 'auto', preTokens: 70_000 } });
    const calls = levels(50_000, 60_000, 70_000, 20_000, 25_000);
    for (const after of [4, 6, 7, 8]) {
      const lines = session(calls);
      lines.splice(after, 0, boundary('a2'));
      const [trajectory] = (await importSource(source(lines))).trajectories;
      expect([after, trajectory!.events.filter(({ kind }) => kind === 'compaction').length, drops(trajectory!)]).toEqual([after, 1, []]);
    }
  });

  it('survives export and import without a second one', async () => {
    const bytes = source(session(levels(50_000, 60_000, 70_000, 20_000, 25_000, 30_000)));
    const [trajectory] = (await importSource(bytes)).trajectories;
    const exported: string[] = [];
    await exportNormalised(trajectory!, createTraceReader(bytes, trajectory!).readMessages, (line) => void exported.push(line));
    const again = (await importSource(bytesSource('y', new TextEncoder().encode(exported.join('\n'))))).trajectories[0]!;
    expect(drops(again)).toEqual(drops(trajectory!));
  });

  it.skipIf(!hasShared)('finds what /clear and /drop did to real sessions of Aider, and nothing else in them', async () => {
    const { trajectories } = await importSource(bytesSource('x', new Uint8Array(await readFile(sharedPath('trajectories/aider/chat-history.md')))));
    const found = trajectories.filter((trajectory) => inferred(trajectory).length > 0);
    expect(found.map((trajectory) => drops(trajectory).map((drop) => drop.slice(1, 3)))).toEqual([[[25_126, 7_182]], [[15_652, 5_004]], [[95_726, 4_822]]]);
  });
});
