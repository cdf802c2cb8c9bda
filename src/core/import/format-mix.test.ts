import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasShared, sharedPath } from '../../testing/shared';
import { bytesSource } from '../base/byte-source';
import type { ByteSource } from '../base/byte-source';
import { traceFaults } from '../trace/integrity';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

const text = (value: string): ByteSource => bytesSource('x', new TextEncoder().encode(value));
const claude = (id: number): string => JSON.stringify({ parentUuid: id === 0 ? null : `n${id - 1}`, isSidechain: false, sessionId: 's', uuid: `n${id}`, type: id % 2 ? 'assistant' : 'user', message: { role: id % 2 ? 'assistant' : 'user', content: `claude ${id}`, ...(id % 2 ? { id: `m${id}`, model: 'x' } : {}) } });
const piHeader = JSON.stringify({ type: 'session', version: 3, id: 'p', timestamp: '2026-01-01T00:00:00Z', cwd: '/' });
const pi = (id: number): string => JSON.stringify({ type: 'message', id: `e${id}`, parentId: id === 0 ? null : `e${id - 1}`, timestamp: '2026-01-01T00:00:00Z', message: { role: id % 2 ? 'assistant' : 'user', content: [{ type: 'text', text: `pi ${id}` }] } });
const list = (count: number, make: (id: number) => string): string[] => Array.from({ length: count }, (_, id) => make(id));

describe('mixed files', () => {
  it.each<[string, string[]]>([
    ['one log after the other', [...list(6, claude), piHeader, ...list(4, pi)]],
    ['by turns', [piHeader, ...list(6, claude).flatMap((line, i) => [line, ...(i < 4 ? [pi(i)] : [])])]],
    ['the header in the middle of its lines', [...list(6, claude).slice(0, 5), pi(0), piHeader, ...list(4, pi).slice(1), claude(5)]],
  ])('%s: each line is read by its format', async (_, lines) => {
    const source = text(lines.join('\n'));
    const { report, trajectories } = await importSource(source);
    expect(report).toMatchObject({ format: 'mixed', formats: { 'claude-code': 6, pi: 5 }, records: 11, messages: 10, badRecordCount: 0 });
    expect(report.warnings.filter((warning) => warning.includes('2 formats'))).toHaveLength(1);
    expect(trajectories.map(({ format, indexInFile, columns }) => [format, indexInFile, columns.n]).sort()).toEqual([['claude-code', expect.any(Number), 6], ['pi', expect.any(Number), 4]]);
    for (const trajectory of trajectories) {
      expect(traceFaults(trajectory, source.size)).toEqual([]);
      const seen: string[] = [];
      await createTraceReader(source, trajectory).readMessages([0, 1], ({ parts }) => { seen.push(parts.map((part) => (part.type === 'text' ? part.text : part.type)).join()); });
      expect(seen).toEqual(trajectory.format === 'pi' ? ['pi 0', 'pi 1'] : ['claude 0', 'claude 1']);
    }
    expect((await importSource(source, { sliceBytes: 50 })).report).toEqual(report);
  });

  it('keeps and counts what nobody knows', async () => {
    const { report } = await importSource(text([...list(4, claude), '{"type":"brand-new-record","payload":{"a":1}}', piHeader, ...list(2, pi), '{"type":"brand-new-record","payload":{"a":2}}', '[1,2]', 'broken {'].join('\n')));
    expect(report).toMatchObject({ format: 'mixed', records: 11, badRecordCount: 1, messages: 6 });
    expect(report.unknownRecords['brand-new-record']).toBe(2);
  });

  it('does not doubt a format that was asked for', async () => {
    const { report } = await importSource(text([...list(4, claude), piHeader, ...list(2, pi)].join('\n')), { format: 'claude-code' });
    expect([report.format, report.formats, report.messages]).toEqual(['claude-code', undefined, 4]);
  });
});

describe('files of one format are never split', () => {
  const fixtures = resolve(import.meta.dirname, 'fixtures');
  const folders = [...readdirSync(fixtures).filter((name) => !name.includes('.') && name !== 'unreadable').map((name) => join(fixtures, name)), ...(hasShared ? [sharedPath('trajectories')] : [])];
  it.each(folders.map((folder) => [folder.split('/').pop()!, folder]))('%s', async (_, folder) => {
    const split: string[] = [];
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (!entry.isFile() || !existsSync(path) || /\.(tsv|md)$/.test(path)) continue;
      const done = await importSource(bytesSource(path, readFileSync(path))).catch(() => null);
      if (done?.report.formats) split.push(`${path} ${JSON.stringify(done.report.formats)}`);
    }
    expect(split).toEqual([]);
  });
});
