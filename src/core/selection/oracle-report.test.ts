import { beforeAll, describe, expect, it } from 'vitest';
import { oracleJson, oracleMatrix, oracleMessages, readableRuns } from '../../testing/oracles';
import { sha256Hex } from '../base/sha256';
import { interactionBlocks } from '../trace/interaction';
import { buildSelectReport } from './select';
import { selectionInput } from './selection-input';
import { checkpointOfBlocks, readSelectionLine, type SelectionLine } from './selection-line';
import { COMPARED_SELECTORS } from './selectors';
import type { SelectionMetrics, SelectReport, SelectSettings } from './types';

interface TextRow { sha256: string; o200k_base: number }
interface Blocks {
  blocks: number; checkpoints: number[]; idsClash: boolean; finalText: TextRow; rows: TextRow[];
  atCheckpoint: Record<string, { action: TextRow; goal: TextRow; stateQuery: TextRow }>;
}
interface Row { gem: { kept: number[]; protected: number[]; stop: string; picks: { index: number }[] }; top3: number[]; selectors: Record<string, { kept: number[]; metrics: SelectionMetrics }> }

const ENCODER = 'static-minilm-384';
const settings = (checkpoint: number): SelectSettings => ({ checkpoint, k: 'auto', tau: 0.9, selectors: ['all'], mode: 'core', seed: 0 });

/** Reference vectors by the hash of their text. */
function vectorsByHash(run: string, blocks: Blocks): Map<string, Float32Array> {
  const out = new Map<string, Float32Array>();
  const put = (file: string, hashes: (string | undefined)[]): void => {
    const { data, columns } = oracleMatrix(run, `${file}-${ENCODER}`);
    hashes.forEach((hash, i) => { if (hash) out.set(hash, data.slice(i * columns, (i + 1) * columns)); });
  };
  const at = blocks.checkpoints.map((n) => blocks.atCheckpoint[n]!);
  put('vectors', blocks.rows.map((row) => row.sha256));
  put('actions', at.map((texts) => texts.action.sha256));
  put('queries', at.map((texts) => texts.stateQuery.sha256));
  put('goal-final', [...at.map((texts) => texts.goal.sha256), undefined, blocks.finalText.sha256]);
  return out;
}

describe.each(readableRuns)('the whole report of %s', (run) => {
  const blocks = oracleJson<Blocks>('runs', run, 'blocks.json');
  const vectors = vectorsByHash(run, blocks);
  const tokens = new Map(blocks.rows.map((row) => [row.sha256, row.o200k_base]));
  let line: SelectionLine;

  beforeAll(async () => {
    const messages = await oracleMessages(run);
    line = readSelectionLine(messages, interactionBlocks(messages).blocks, (text) => tokens.get(sha256Hex(text)) ?? NaN);
  });

  const reportAt = (n: number): SelectReport => {
    const input = selectionInput('run', { id: `${ENCODER}@1`, dim: 384, sha256: null }, line, checkpointOfBlocks(line, n), (text) => vectors.get(sha256Hex(text)) ?? null);
    return buildSelectReport(input, settings(n), { controlDraws: 1 });
  };

  it.each(blocks.checkpoints)('%i blocks: kept sets, picks and metrics of nine selectors', (n) => {
    const expected = oracleJson<{ checkpoints: Record<string, Row> }>('runs', run, `geometry-${ENCODER}.json`).checkpoints[n]!;
    const report = reportAt(n);
    expect([...new Set(Object.values(report.protected).flat())].sort((a, b) => a - b)).toEqual(expected.gem.protected);
    expect(report.k).toBe(expected.gem.kept.length);
    expect(report.nextActionTop3).toEqual(expected.top3);
    expect(report.selectors.map((s) => s.selector)).toEqual(COMPARED_SELECTORS);
    expect(report.selectors[0]!.stop).toBe(expected.gem.stop);
    expect(report.selectors[0]!.picks.map((p) => p.index)).toEqual(expected.gem.picks.map((p) => p.index));
    for (const { selector, kept, metrics, picks } of report.selectors) {
      const reference = expected.selectors[selector]!;
      expect(kept, selector).toEqual(reference.kept);
      for (const key of Object.keys(reference.metrics) as (keyof SelectionMetrics)[]) {
        expect(Math.abs(metrics[key]! - reference.metrics[key]!), `${selector} ${key}`).toBeLessThanOrEqual(1e-9);
      }
      if (picks.length > 0) expect(Math.abs(picks.at(-1)!.coverage - metrics.coverage)).toBeLessThan(1e-9);
    }
  });

  it.runIf(blocks.checkpoints.length === 0)('is returned unchanged with its reasons', () => {
    const gem = reportAt(line.blocks.length).selectors[0]!;
    expect(gem.stop).toBe('unchanged');
    expect(gem.kept.length).toBe(blocks.blocks);
    expect(/used twice/.test(gem.reason!)).toBe(blocks.idsClash);
  });
});
