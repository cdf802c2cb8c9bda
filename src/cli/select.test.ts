import { describe, expect, it } from 'vitest';
import { RandomStream } from '../core/numerics/random-stream';
import { sha256Word } from '../core/base/sha256';
import { COMPARED_SELECTORS } from '../core/selection/selectors';
import type { SelectReport } from '../core/selection/types';
import { interactionBlocks } from '../core/trace/interaction';
import { parseTrace } from '../testing/trace';
import { selectJson, selectReport, selectTable, type SelectRequest } from './select';

const DIM = 24;

/** A vector that follows from the text alone. */
function vectorOf(text: string): Float32Array {
  const stream = new RandomStream(sha256Word(text));
  return Float32Array.from({ length: DIM }, (_, k) => stream.normal() + (k === 0 ? 2 : 0));
}

function notation(blocks: number, extra = ''): string {
  const turns = Array.from({ length: blocks }, (_, i) => {
    const call = i % 5 === 2 ? `write {"path":"src/f${i}.ts"}` : `bash {"command":"cat src/f${i - 1}.ts"}`;
    return `assistant: Step ${i}.\ncall t${i} ${call}\nresult${i === blocks - 2 ? '!' : ''} t${i}: output ${i}\n`;
  });
  return `system: Be brief.\nuser: Fix src/f2.ts\n\n${turns.join('\n')}${extra}\nassistant: All done.`;
}

function request(text: string, settings: Partial<SelectRequest['settings']> = {}, place?: SelectRequest['place']): SelectRequest {
  const messages = parseTrace(text);
  const { blocks } = interactionBlocks(messages);
  return {
    file: 'run.jsonl', messages, interactionBlocks: blocks,
    countTokens: (t) => t.split(/\s+/).length, place: place ?? { checkpoint: blocks.length },
    settings: { k: 'auto', tau: 0.9, selectors: ['all'], mode: 'core', seed: 0, ...settings },
    vectorsOf: () => Promise.resolve({ encoder: { id: 'test@1', dim: DIM, sha256: null }, vectorOf }),
  };
}

describe('select', () => {
  it('prints one line of JSON with the documented fields in order, the same bytes each time', async () => {
    const json = await selectJson(request(notation(20), { texts: true }, { checkpoint: 18 }));
    expect(json).not.toContain('\n');
    const report = JSON.parse(json) as SelectReport;
    expect(Object.keys(report).filter((key) => ['file', 'encoder', 'checkpoint', 'blocks', 'spectrum', 'protected', 'selectors'].includes(key)))
      .toEqual(['file', 'encoder', 'checkpoint', 'blocks', 'spectrum', 'protected', 'selectors']);
    expect(Object.keys(report.blocks[0]!)).toEqual(['index', 'messageIndices', 'chars', 'tokens', 'hash', 'selectionText']);
    expect(Object.keys(report.selectors[0]!)).toEqual(['selector', 'kept', 'picks', 'stop', 'reason', 'metrics']);
    expect(Object.keys(report.selectors[0]!.metrics)).toEqual(['top3', 'top3Older', 'actionProjection', 'finalProjection', 'goalProjection', 'centroid', 'coverage', 'tokens', 'chars']);
    expect(report.selectors.map((s) => s.selector)).toEqual(COMPARED_SELECTORS);
    expect(report.spectrum!.featureShift.erank.length).toBe(20);
    expect(await selectJson(request(notation(20), { texts: true }, { checkpoint: 18 }))).toBe(json);
  });

  it('gives every selector as many blocks as gem keeps, and protects writes, errors, the newest', async () => {
    const report = await selectReport(request(notation(20), {}, { checkpoint: 20 }));
    expect(report.protected.recent).toEqual([16, 17, 18, 19]);
    expect(report.protected.error).toEqual([18]);
    expect(report.protected.state).toContain(17);
    expect(report.protectedWhy[17]!.some((why) => why.includes('src/f17.ts'))).toBe(true);
    for (const { kept, selector } of report.selectors) expect(kept.length, selector).toBe(report.k);
    expect(report.nextActionTop3).toEqual([]);
    expect(report.selectors[0]!.metrics.top3).toBeNull();
    expect(report.selectors[0]!.metrics.finalProjection).not.toBeNull();
  });

  it('takes the next action from the block after the checkpoint, or from the message of a step', async () => {
    const blocks = await selectReport(request(notation(20), { selectors: ['gem'] }, { checkpoint: 17 }));
    const step = await selectReport(request(notation(20), { selectors: ['gem'] }, { message: 2 + 2 * 17 }));
    expect(blocks.nextActionTop3.length).toBe(3);
    expect(step).toEqual(blocks);
  });

  it('returns a short run and clashing ids unchanged, with the reason; a given k still compares the others', async () => {
    const short = await selectReport(request(notation(5)));
    for (const result of short.selectors) expect(result).toMatchObject({ kept: [0, 1, 2, 3, 4], stop: 'unchanged', picks: [] });
    expect(short.selectors[0]!.reason).toMatch(/5 complete blocks; selection starts at 16/);
    const clash = await selectReport(request(notation(20, 'assistant: again\ncall t0 bash {"command":"ls"}\nresult t0: x\n')));
    expect(clash.selectors[0]!.reason).toMatch(/used twice/);
    const fixed = await selectReport(request(notation(5), { k: 2, selectors: ['gem', 'gem-error', 'recency', 'geometry'] }));
    expect(fixed.selectors.map((s) => [s.stop, s.kept.length])).toEqual([['unchanged', 5], ['unchanged', 5], ['fixed', 2], ['fixed', 2]]);
  });

  it('has nothing to say about no block, and no spectrum of one', async () => {
    for (const checkpoint of [0, 1]) {
      const report = await selectReport(request(notation(3), {}, { checkpoint }));
      expect(report.spectrum).toBeNull();
      expect(report.selectors.every((s) => s.kept.length === checkpoint)).toBe(true);
      expect(JSON.stringify(report)).not.toMatch(/NaN|Infinity/);
    }
  });

  it('an unanswered call matters only with strict', async () => {
    const open = notation(20, 'assistant: waiting\ncall open bash {"command":"ls"}\n');
    expect((await selectReport(request(open, { selectors: ['gem'] }))).selectors[0]!.stop).not.toBe('unchanged');
    expect((await selectReport(request(open, { selectors: ['gem'], strict: true }))).selectors[0]!.reason).toMatch(/1 tool call has no result/);
  });

  it('guarded keeps at least 95 % of the characters, cumulative at most as much, core the least', async () => {
    const chars: number[] = [];
    for (const mode of ['guarded', 'cumulative', 'core'] as const) {
      const report = await selectReport(request(notation(30), { mode, selectors: ['gem', 'recency', 'gem-state'] }));
      chars.push(report.selectors[0]!.metrics.chars);
      for (const i of Object.values(report.protected).flat()) expect(report.selectors[0]!.kept).toContain(i);
    }
    expect(chars[0]!).toBeGreaterThanOrEqual(chars[1]!);
    expect(chars[1]!).toBeGreaterThan(chars[2]!);
  });

  it('refuses unknown selectors and checkpoints beyond the run', async () => {
    await expect(selectReport(request(notation(3), { selectors: ['best'] }))).rejects.toThrow(/“best”; known: all, gem, /);
    await expect(selectReport(request(notation(3), {}, { checkpoint: 9 }))).rejects.toThrow(/between 0 and 3/);
  });

  it('prints a table with one row a selector and each reason once', async () => {
    const table = selectTable(await selectReport(request(notation(20), {}, { checkpoint: 18 })));
    expect(table).toMatch(/^run\.jsonl: 18 interaction blocks, encoder test@1, k = \d+\neffective rank \d/);
    expect(table.split('\n').filter((line) => /^(gem|geometry|random|recency|uniform|max-gain|k-center|relevance|random-all) /.test(line)).length).toBe(9);
    expect(selectTable(await selectReport(request(notation(5)))).match(/Returned unchanged/g)!.length).toBe(1);
  });
});
