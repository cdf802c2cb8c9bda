import 'fake-indexeddb/auto';
import { afterEach, describe, expect, it } from 'vitest';
import type { OwnEncoderInfo } from '../core/embedding/own-encoder';
import { writeNpy } from '../core/numerics/npy';
import { DexieRepository } from '../storage/dexie-repository';
import { MemoryRepository } from '../storage/memory-repository';
import { openDatabase } from '../storage/open';
import { localLocks } from '../storage/owner-locks';
import { localWorkbench, type LocalWorkbench } from '../testing/local-workbench';
import { openaiChatBlob } from '../testing/sample-files';
import type { OpenLine } from './api';

const open: LocalWorkbench[] = [];
afterEach(() => open.splice(0).forEach((local) => local.close()));
let databases = 0;

const BLOCKS = 20;
/** Seven axes, so that blocks repeat directions. */
const npy = (rows: number): Blob => new Blob([new Uint8Array(writeNpy(Float32Array.from({ length: rows * 7 }, (_, at) => (at % 7 === Math.floor(at / 7) % 7 ? 2 : 0.1)), rows, 7))]);
const settings = { checkpoint: 18, k: 'auto' as const, tau: 0.9, selectors: ['gem', 'recency'], mode: 'core' as const, seed: 0 };

async function opened(here: LocalWorkbench): Promise<OpenLine> {
  const { runs } = await here.workbench.importFiles([{ name: 'chat.json', blob: openaiChatBlob(BLOCKS) }]);
  return here.workbench.openLine(runs[0]!, null, 'o200k_base');
}

describe.each([
  ['IndexedDB', async () => new DexieRepository(await openDatabase({ name: `own-${++databases}` }), localLocks())],
  ['memory', async () => new MemoryRepository()],
] as const)('vectors of one’s own in %s', (_, make) => {
  it('are read, checked, used without being embedded, told of what they lack, and removed', async () => {
    const here = localWorkbench(await make());
    open.push(here);
    const { encoders } = here.workbench;
    const line = await opened(here);
    let listed: OwnEncoderInfo[] = [];
    encoders.observe((all) => { listed = all; });

    const added = await encoders.addVectors('mine', npy(BLOCKS));
    expect(added).toMatchObject({ dim: 7, rows: BLOCKS, scaled: BLOCKS, byHash: 0, byPlace: { block: BLOCKS, action: 0 }, info: { kind: 'vectors', name: 'mine' } });
    const { id } = added.info;
    expect(listed.map((info) => info.id)).toEqual([id]);
    expect(await encoders.coverage(line, id)).toMatchObject({ blocks: BLOCKS, missingBlocks: [], final: false, actions: { missing: expect.any(Number) as number } });

    const state = await here.workbench.embed(line, id, []);
    expect(state).toMatchObject({ done: BLOCKS, total: BLOCKS, note: expect.stringContaining('No vectors for') as string });
    expect(here.embedded).toEqual([]);
    const report = await here.workbench.select(line, id, settings);
    expect(report.encoder).toMatchObject({ id, dim: 7, sha256: added.info.sha256 });
    expect(report.selectors[0]!.metrics).toMatchObject({ top3: null, actionProjection: null, goalProjection: null });
    expect(report.selectors[0]!.metrics.coverage).toBeGreaterThan(0.9);
    expect((await here.workbench.geometry(line, id, 18, 0)).rankBands).toBeNull();

    await encoders.remove(id);
    expect(listed).toEqual([]);
    await expect(here.workbench.select(line, id, settings)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('not in this browser') as string });
  });

  it('are refused with the place of what is wrong, and for a run that they do not fit', async () => {
    const here = localWorkbench(await make());
    open.push(here);
    const { encoders } = here.workbench;
    const line = await opened(here);
    await expect(encoders.addVectors('x.jsonl', new Blob(['{"hash": "abc", "vector": [1]}']))).rejects.toMatchObject({ code: 'bad-argument', message: expect.stringContaining('line 1: expected "hash" to be the SHA-256') as string });
    await expect(encoders.addVectors('x.npy', new Blob([Uint8Array.of(0x93, 1, 2)]))).rejects.toThrow();
    await expect(encoders.addVectors('x.parquet', new Blob(['PAR1 is all there is']))).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('could not be read as Parquet') as string });
    const { info } = await encoders.addVectors('short', npy(5));
    await expect(here.workbench.embed(line, info.id, [])).rejects.toMatchObject({ message: expect.stringContaining(`5 vectors in block order; the run has ${BLOCKS} interaction blocks`) as string });
    await expect(here.workbench.embed(line, 'onnx:0123456789ab', [])).rejects.toMatchObject({ code: 'not-found' });
  });
});
