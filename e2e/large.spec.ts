/**
 * A session of a size that people have after a week: 40 MB, or 200 MB with CONTEXTSCOPE_LARGE=1, made here by repeating
 * a bundled example with fresh ids. Import, open, go to the end. With CONTEXTSCOPE_QUIET (a machine that does nothing
 * else) the main thread may have no task over 50 ms; on a shared one its tasks are only told.
 */
import { expect, test, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSession } from './bench/trace-files.ts';
import { tab, watch } from './support.ts';

const MEGABYTES = process.env['CONTEXTSCOPE_LARGE'] === '1' ? 200 : 40;
const isQuiet = Boolean(process.env['CONTEXTSCOPE_QUIET']);
/** A generous bound of what a loaded machine needs; nothing here is a measurement. */
const PATIENCE_MS = MEGABYTES * 6_000;

const folder = mkdtempSync(join(tmpdir(), 'contextscope-large-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Watched { longestMs: number; frames: number }

/** Longest task of the page so far, and frames drawn since the last call. */
async function watched(page: Page): Promise<Watched> {
  return page.evaluate(() => {
    const own = window as unknown as { seen: Watched };
    const { longestMs, frames } = own.seen;
    own.seen.frames = 0;
    return { longestMs, frames };
  });
}

test(`a session of ${MEGABYTES} MB is imported, opened, and shows its last step`, async ({ page }) => {
  test.setTimeout(PATIENCE_MS);
  page.setDefaultTimeout(PATIENCE_MS);
  await page.addInitScript(() => {
    const own = window as unknown as { seen: Watched };
    own.seen = { longestMs: 0, frames: 0 };
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) own.seen.longestMs = Math.max(own.seen.longestMs, duration);
    }).observe({ type: 'longtask' });
    const tick = (): void => {
      own.seen.frames++;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  });
  const problems = watch(page);
  const path = join(folder, 'large.jsonl');
  const bytes = await writeSession(path, MEGABYTES * 1_000_000);

  const slider = page.getByRole('slider', { name: 'Step', exact: true });
  await test.step('import and open; the page draws meanwhile', async () => {
    await page.goto('/');
    await page.getByTestId('file-input').setInputFiles(path);
    await page.getByRole('region', { name: 'Import report' }).getByRole('button', { name: /^Open / }).click();
    await expect(slider).toBeVisible({ timeout: PATIENCE_MS });
    await expect(page.locator('section[aria-label="Timeline"] canvas').first()).toBeVisible({ timeout: PATIENCE_MS });
    expect((await watched(page)).frames).toBeGreaterThan(10);
  });

  await test.step('End goes to the last step, whose blocks are in the ledger', async () => {
    const last = Number(await slider.getAttribute('max'));
    // One example has 24 calls in 30 KB; a run that lost its tail would end far below.
    expect(last).toBeGreaterThan(bytes / 10_000);
    await page.keyboard.press('End');
    await expect(slider).toHaveValue(String(last));
    await tab(page, 'Ledger').click();
    const ledger = page.getByRole('table', { name: 'Ledger' });
    await ledger.getByRole('button', { name: /^Born/ }).click();
    const newest = ledger.getByRole('row').nth(1);
    const column = (await ledger.getByRole('columnheader').allInnerTexts()).findIndex((title) => title.startsWith('Born'));
    // Digits alone: thousands are set apart.
    await expect.poll(async () => (await newest.getByRole('cell').nth(column).innerText()).replace(/\D/g, '')).toBe(String(last));
    await newest.click();
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('visible');
  });

  const opening = (await watched(page)).longestMs;
  await test.step('a reload comes back to the same step', async () => {
    await expect(page).toHaveURL(/step=\d+.*block=|block=.*step=\d+/);
    await page.reload();
    await expect(slider).not.toHaveValue('1', { timeout: PATIENCE_MS });
  });

  const reopening = (await watched(page)).longestMs;
  test.info().annotations.push({ type: 'longest task', description: `${opening} ms until the end was shown, ${reopening} ms after the reload` });
  if (isQuiet) expect(Math.max(opening, reopening)).toBeLessThanOrEqual(50);
  problems.check();
});
