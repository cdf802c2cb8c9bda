/** The vectors the browser computes and stores, against the reference numbers (tolerances of their README). */
import { expect, test, type Page } from '@playwright/test';
import { oracleJson, oracleMatrix } from '../src/testing/oracles.ts';
import { hasShared, MISSING, openRun, sharedPath, tab, watch } from './support.ts';

const RUN = 'claude-sidechains';

interface Blocks { rows: { sha256: string }[] }

/** Vectors of an encoder as stored in IndexedDB, by text hash. */
function storedVectors(page: Page, encoder: string): Promise<Record<string, number[]>> {
  return page.evaluate((wanted) => new Promise((done, fail) => {
    const open = indexedDB.open('contextscope');
    open.onerror = () => fail(open.error ?? new Error('no database'));
    open.onsuccess = () => {
      const all = open.result.transaction('vectors').objectStore('vectors').getAll();
      all.onsuccess = () => {
        const rows = (all.result as { encoder: string; hash: string; vector: Float32Array }[]).filter((row) => row.encoder === wanted);
        open.result.close();
        done(Object.fromEntries(rows.map(({ hash, vector }) => [hash, [...vector]])));
      };
    };
  }), encoder);
}

const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => Array.from(a).reduce((sum, x, i) => sum + x * b[i]!, 0);

test('static and MiniLM vectors in the browser equal the reference', async ({ page }) => {
  test.skip(!hasShared, MISSING);
  const watched = watch(page);
  const { rows } = oracleJson<Blocks>('runs', RUN, 'blocks.json');
  await openRun(page, sharedPath('trajectories/claude-code/sidechains-in-file-v1.0.108.jsonl'), /sidechains/);
  await page.keyboard.press('End');
  await page.getByRole('combobox', { name: 'Encoder' }).selectOption('minilm-l6-v2-int8@1');
  await tab(page, 'Geometry').click();
  for (const [encoder, file] of [['static-minilm-384@1', 'static-minilm-384'], ['minilm-l6-v2-int8@1', 'minilm-l6-v2-int8']] as const) {
    const expected = oracleMatrix(RUN, `vectors-${file}`);
    const vectorOf = (row: number): Float32Array => expected.data.subarray(row * expected.columns, (row + 1) * expected.columns);
    let stored: Record<string, number[]> = {};
    await expect.poll(async () => {
      stored = await storedVectors(page, encoder);
      return rows.filter((row) => stored[row.sha256]).length;
    }, { timeout: 100_000 }).toBe(rows.length);
    rows.forEach(({ sha256 }, i) => {
      const vector = stored[sha256]!;
      if (encoder.startsWith('static')) vector.forEach((x, k) => expect(Math.abs(x - vectorOf(i)[k]!)).toBeLessThanOrEqual(2e-6));
      else expect(dot(vector, vectorOf(i)) / Math.sqrt(dot(vector, vector) * dot(vectorOf(i), vectorOf(i)))).toBeGreaterThanOrEqual(0.9995);
    });
  }
  watched.check();
});
