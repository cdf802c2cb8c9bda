import { describe, expect, it } from 'vitest';
import { oracleJson, oracleMatrix, oracleMessages } from '../../testing/oracles';
import { hasShared } from '../../testing/shared';
import { staticVectors } from '../../testing/static-vectors';
import { unitRows } from '../numerics/unit-rows';
import { interactionBlocks } from '../trace/interaction';
import { replayForwarding } from './forwarding';
import { forwardRequests, textsNeeded } from './selection-input';
import { checkpointAtMessage, readSelectionLine } from './selection-line';
import type { SelectMode } from './types';

type Row = [request: number, message: number, n: number, event: string, P: number | null, B: number | null, S: number, full: number, L: number, ratio: number];
interface Mode { saving: number; minRatio: number; selections: number; rows: Row[]; selected: { request: number; stop: string; removed?: number[]; kept?: number[] }[] }
interface Guard { runs: Record<string, Record<SelectMode, Mode>> }

describe.skipIf(!hasShared).each(['claude-opus-envoy', 'pi-large'])('online forwarding of %s', (run) => {
  it('gives the reference sizes, cores and lengths at every request in all three modes', async () => {
    const guard = oracleJson<Guard>('guard.json').runs[run]!;
    const messages = await oracleMessages(run);
    const line = readSelectionLine(messages, interactionBlocks(messages).blocks, () => 0);
    const last = checkpointAtMessage(line, line.actions.at(-1)!.position);
    const vectors = await staticVectors(textsNeeded(line, last, true));
    const requests = forwardRequests(line, last, (text) => vectors.get(text) ?? null);
    const { data, rows, columns } = oracleMatrix(run, 'vectors-static-minilm-384');
    const sizes = line.blocks.map((block) => block.uncutChars);
    const detections = line.blocks.map((block) => block.detection);

    for (const mode of ['guarded', 'cumulative', 'core'] as const) {
      const expected = guard[mode];
      const steps = replayForwarding({ rows: unitRows(data, rows, columns), detections, sizes, requests }, { mode });
      expect(steps.map((s) => [s.position, s.n, s.event, s.event === 'short' ? null : s.protected.length, s.core?.length ?? null, s.forwarded.length, s.fullChars, s.forwardedChars]), mode)
        .toEqual(expected.rows.map((row) => row.slice(1, 9)));
      for (const selected of expected.selected) {
        const step = steps[selected.request]!;
        expect(step.completion!.stop).toBe(selected.stop);
        if (selected.kept) expect(step.forwarded).toEqual(selected.kept);
        else expect(Array.from({ length: step.n }, (_, i) => i).filter((i) => !step.forwarded.includes(i))).toEqual(selected.removed);
        for (const i of step.protected) expect(step.core).toContain(i);
      }
      const full = steps.reduce((sum, s) => sum + s.fullChars, 0);
      const sent = steps.reduce((sum, s) => sum + s.forwardedChars, 0);
      expect(1 - sent / full).toBeCloseTo(expected.saving, 12);
      if (mode === 'guarded') for (const s of steps) expect(s.forwardedChars).toBeGreaterThanOrEqual(0.95 * s.fullChars - 1e-6);
    }
  });
});
