import { describe, expect, it } from 'vitest';
import { tar, zip, zipMember } from '../../../testing/archives';
import { gooseDatabase, opencodeDatabase, writeAheadLog } from '../../../testing/databases';
import { bytesSource } from '../../base/byte-source';
import { importFiles } from '../import-files';
import { applyWal } from './sqlite-wal';

const PART = ['prt_7', 'msg_6', 'ses_3', 1, '{"type":"text","text":"only in the log"}'] as const;
const older = async (): Promise<Uint8Array> => inWalMode(await opencodeDatabase());
const newer = async (): Promise<Uint8Array> => inWalMode(await opencodeDatabase({ parts: [PART] }));

function inWalMode(bytes: Uint8Array): Uint8Array {
  const out = bytes.slice();
  out[18] = out[19] = 2;
  return out;
}

async function open(files: Record<string, Uint8Array>) {
  const { groups, failures } = await importFiles(Object.entries(files).map(([name, bytes]) => bytesSource(name, bytes)));
  const parts = groups.map(({ reports, members }) => ({ members, calls: Object.values(reports[0]!.recordKinds).reduce((a, b) => a + b, 0), warnings: reports[0]!.warnings.join(' ') }));
  return { parts, failures: failures.map(({ file, error }) => `${file}: ${error.code}: ${error.message}`), ids: groups.map(({ trajectories }) => trajectories[0]!.id) };
}

describe('write-ahead logs', () => {
  it.each([[true, Infinity], [false, Infinity], [true, 1]])('committed pages are laid over the file (little-endian sums %s, a commit every %d pages)', async (little, commitEvery) => {
    const [before, after] = [await older(), await newer()];
    const wal = writeAheadLog(before, after, { little, commitEvery });
    const applied = await applyWal(before.slice(), bytesSource('x-wal', wal));
    expect([Buffer.compare(applied.bytes, after), applied.leftBytes]).toEqual([0, 0]);
    expect(applied.pages).toBeGreaterThan(0);
  });

  it('what was not committed, is damaged, or is of an older round is not read', async () => {
    const [before, after] = [await older(), await newer()];
    const wal = writeAheadLog(before, after);
    const cut = await applyWal(before.slice(), bytesSource('x-wal', wal.subarray(0, wal.length - 1)));
    expect([Buffer.compare(cut.bytes, before), cut.pages]).toEqual([0, 0]);
    const flipped = wal.slice();
    flipped[32 + 24 + 100]! ^= 1;
    expect((await applyWal(before.slice(), bytesSource('x-wal', flipped))).pages).toBe(0);
    const doubled = new Uint8Array(wal.length * 2 - 32);
    doubled.set(wal);
    doubled.set(wal.subarray(32), wal.length);
    expect(Buffer.compare((await applyWal(before.slice(), bytesSource('x-wal', doubled))).bytes, after)).toBe(0);
  });

  it('a log of another database is refused', async () => {
    const wal = writeAheadLog(await older(), await newer());
    wal[11] = 1;
    await expect(applyWal(await older(), bytesSource('x-wal', wal))).rejects.toMatchObject({ code: 'corrupt' });
  });

  it('is found by its name beside its database, in any order, and by itself where there is one of each', async () => {
    const [before, after] = [await older(), await newer()];
    const wal = writeAheadLog(before, after);
    const alone = await open({ 'opencode.db': before });
    expect(alone.parts[0]!.warnings).toContain('opencode.db-wal');
    const together = await open({ 'opencode.db-wal': wal, 'opencode.db': before, 'opencode.db-shm': Uint8Array.of(0x18, 0xe2, 0x2d, 0, 1, 2, 3) });
    expect([together.parts[0]!.members, together.parts[0]!.calls, together.failures]).toEqual([[1], alone.parts[0]!.calls + 1, []]);
    expect(together.parts[0]!.warnings).toMatch(/write-ahead log opencode\.db-wal was read with the database: \d+ newer pages/);
    expect(together.ids[0]).not.toBe(alone.ids[0]);
    expect((await open({ a: before, b: wal })).parts[0]!.calls).toBe(together.parts[0]!.calls);
    expect((await open({ 'opencode.db': before, 'opencode.db-wal': new Uint8Array(0) })).failures).toEqual([]);
  });

  it('is found inside of archives too', async () => {
    const [before, after] = [await older(), await newer()];
    const members = { 'share/opencode.db-wal': writeAheadLog(before, after), 'share/opencode.db': before, 'share/opencode.db-shm': Uint8Array.of(1), 'share/other-wal': new TextEncoder().encode('{"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"y"}]}') };
    const alone = (await open({ 'opencode.db': before })).parts[0]!.calls;
    for (const packed of [zip(Object.entries(members).map(([name, bytes]) => zipMember(name, bytes, 8))), tar(Object.entries(members).map(([name, content]) => ({ name, content })))]) {
      const { groups, failures } = await importFiles([bytesSource('all', packed)]);
      expect(failures).toEqual([]);
      expect(groups.map(({ reports: [report] }) => [report!.file, report!.format])).toEqual([['all!share/opencode.db', 'opencode-store'], ['all!share/other-wal', 'openai-chat']]);
      expect(Object.values(groups[0]!.reports[0]!.recordKinds).reduce((a, b) => a + b, 0)).toBe(alone + 1);
    }
  });

  it('a log alone, or beside several databases that it does not name, says what it needs', async () => {
    const before = await older();
    const wal = writeAheadLog(before, await newer());
    expect((await open({ 'opencode.db-wal': wal })).failures).toEqual([expect.stringMatching(/^opencode\.db-wal: unsupported: .*give it together with its database \(opencode\.db\)/)]);
    const two = await open({ a: before, b: await gooseDatabase(), c: wal });
    expect([two.parts.length, two.failures.length]).toEqual([2, 1]);
  });
});
