import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import type { Part, Usage } from '../trace/model';
import { hasShared, sharedPath } from '../../testing/shared';
import { ColumnsBuilder } from './columns-builder';
import { importSource } from './import-source';
import { createTraceReader } from './reader';
import { FORMATS } from './registry';

/** Formats of the manifest that are read under another id. */
const ALIASES: Readonly<Record<string, string>> = { openclaw: 'pi', 'otlp-openinference': 'otlp', 'opencode-storage-concat': 'opencode-store' };
const READ = new Set(FORMATS.map((format) => format.id));
const formatOf = (name: string): string => ALIASES[name] ?? name;

/** The order in which USAGE.tsv names a format's numbers; the default is in/out/cache_write/cache_read. */
const USAGE_ORDER: Readonly<Record<string, (usage: Usage) => (number | null)[]>> = {
  pi: ({ input, output, cachedInput, cacheWrite }) => [input, output, cachedInput, cacheWrite],
  // Never recorded = 0 there.
  atif: ({ input, output, cachedInput }) => [(input ?? 0) + (cachedInput ?? 0), output, cachedInput ?? 0],
  codex: ({ input, cachedInput, output, reasoning }) => [(input ?? 0) + (cachedInput ?? 0), cachedInput ?? 0, output ?? 0, reasoning ?? 0, (input ?? 0) + (cachedInput ?? 0) + (output ?? 0)],
  // The fifth number is what tools' own prompts took: part of the input here, 0 in the samples.
  'gemini-cli': ({ input, cachedInput, output, reasoning }) => [(input ?? 0) + (cachedInput ?? 0), output, cachedInput, reasoning, 0, (input ?? 0) + (cachedInput ?? 0) + (output ?? 0) + (reasoning ?? 0)],
  opencode: ({ input, output, reasoning, cachedInput, cacheWrite }) => [input, output, reasoning, cachedInput, cacheWrite],
};
const usageInOrder = (format: string, usage: Usage): (number | null)[] => USAGE_ORDER[format]?.(usage) ?? [usage.input, usage.output, usage.cacheWrite, usage.cachedInput];

interface Sample { path: string; format: string; counts: number[] }

function table(name: string): string[][] {
  return hasShared ? readFileSync(sharedPath('trajectories', name), 'utf8').trim().split('\n').slice(1).map((line) => line.split('\t')) : [];
}

const samples: Sample[] = table('MANIFEST.tsv').map((cells) => ({ path: cells[0]!, format: cells[1]!, counts: cells.slice(7, 12).map((cell) => (cell === '' ? NaN : Number(cell))) }));
const usage = new Map(table('USAGE.tsv').map((cells) => [cells[0]!, cells[1]!.split('/').map(Number)]));
const ours = samples.filter(({ format }) => READ.has(formatOf(format)));
const others = samples.filter(({ format, path }) => !READ.has(formatOf(format)) && hasShared && existsSync(sharedPath('trajectories', path)));
const read = (path: string): Uint8Array => readFileSync(sharedPath('trajectories', path));

describe.skipIf(!hasShared)('sample files', () => {
  it.each(ours)('$path has the counts of the manifest', async ({ path, format, counts }) => {
    // A meaningless name: the content decides.
    const { report, trajectories, content } = await importSource(bytesSource('x', read(path)));
    expect(report.format).toBe(formatOf(format));
    const found = [report.records, report.messages, report.toolCalls, report.toolResults, report.matchedPairs];
    // An empty cell expects nothing.
    expect(found).toEqual(counts.map((count, i) => (Number.isNaN(count) ? found[i] : count)));
    for (const trajectory of trajectories) expect(traceFaults(trajectory, content?.size ?? report.bytes)).toEqual([]);
    const expected = usage.get(path);
    if (!expected) return;
    expect(usageInOrder(report.format, report.usage!)).toEqual(expected);
  });

  it.each(ours)('$path reads back exactly what was imported', async ({ path }) => {
    const imported = new Map<ColumnsBuilder, Part[][]>();
    const add = ColumnsBuilder.prototype.addParts;
    const spy = vi.spyOn(ColumnsBuilder.prototype, 'addParts').mockImplementation(function (this: ColumnsBuilder, row, parts) {
      const rows = imported.get(this) ?? [];
      imported.set(this, rows);
      (rows[row] ??= []).push(...parts);
      add.call(this, row, parts);
    });
    const source = bytesSource(basename(path), read(path));
    const { trajectories } = await importSource(source);
    spy.mockRestore();
    const perRun = [...imported.values()];
    expect(perRun.length).toBe(trajectories.length);
    for (const [i, trajectory] of trajectories.entries()) {
      const reader = createTraceReader(source, trajectory);
      const rows = Array.from({ length: trajectory.columns.n }, (_, row) => row);
      const parts: Part[][] = [];
      await reader.readMessages(rows, (message) => { parts.push(message.parts); });
      expect(parts).toEqual(rows.map((row) => perRun[i]![row] ?? []));
    }
  });

  it.each(ours.filter(({ path }) => existsSync(sharedPath('trajectories', path)) && read(path).length < 200_000))('$path is the same through slices of 997 bytes', async ({ path }) => {
    const source = bytesSource(basename(path), read(path));
    const [sliced, whole] = [await importSource(source, { sliceBytes: 997 }), await importSource(source)];
    expect([sliced.report, sliced.trajectories]).toEqual([whole.report, whole.trajectories]);
  });

  it.each(others)('$path is called unknown, with help', async ({ path }) => {
    const attempt = importSource(bytesSource(path, read(path)));
    await expect(attempt).rejects.toMatchObject({ name: 'ContextscopeError', code: 'unknown-format' });
    await expect(attempt).rejects.toThrow(/found .*; tried .*--format/);
  });
});
