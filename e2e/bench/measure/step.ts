import type { CDPSession, Page } from '@playwright/test';
import { median, ms, percentile } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { writeLongRun } from '../trace-files.ts';
import { importAndOpen, stepSlider, waitUntilQuiet } from './product-page.ts';

const FRAME_MS = 16.7;
/** Every pane of the lower half, beside the timeline and the inspector, which stay open. */
const PANES = ['Transcript', 'Ledger', 'Prompt', 'Evidence', 'Geometry', 'Selectors'] as const;
const KEYS = 40;
/** Late steps may cost so much more than early ones, noise included. */
const GROWTH = 1.5;
const EMBEDDING_LIMIT_MS = 120_000;

export const longRun = (stage: Stage, steps: number): Promise<string> => stage.file(`run-${steps}.json`, (path) => writeLongRun(path, steps));

/** Script of the main thread for one key press of the playhead, in the middle of a long run, with each pane in turn. */
export async function measureStep(stage: Stage): Promise<Row> {
  const steps = stage.options.quick ? 1000 : 10_000;
  const path = await longRun(stage, steps);
  const panes = await stage.withPage('product', async (page, url) => {
    await importAndOpen(page, url, path);
    const link = page.url();
    await page.goto('about:blank');
    // The instant encoder, so that the geometry and selector panes have something to show.
    await page.goto(`${link}&encoder=static-minilm-384%401`);
    await stepSlider(page).waitFor();
    await waitUntilQuiet(page, EMBEDDING_LIMIT_MS);
    const cdp = await page.context().newCDPSession(page);
    // Processor time of the thread: other programs on the machine are not counted.
    await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.locator('.timeline-host').click({ position: { x: 400, y: 150 } });
    const results: { pane: string; early: number[]; late: number[] }[] = [];
    for (const pane of PANES) {
      await page.getByRole('tab', { name: pane, exact: true }).click();
      const early = await keysAt(page, cdp, Math.round(steps * 0.05));
      const late = await keysAt(page, cdp, Math.round(steps * 0.95));
      results.push({ pane, early, late });
    }
    return results;
  });
  const p95 = (values: number[]): number => percentile(values, 0.95);
  const worst = panes.map((pane) => ({ ...pane, p95: Math.max(p95(pane.early), p95(pane.late)) })).sort((a, b) => b.p95 - a.p95)[0]!;
  const growth = median(panes.map(({ early, late }) => median(late) / median(early)));
  return makeRow('step', {
    what: `p95 script per key, early / late in the run: ${panes.map(({ pane, early, late }) => `${pane} ${ms(p95(early))} / ${ms(p95(late))}`).join(', ')}; late costs ${growth.toFixed(2)} × early; the ratio is that of ${worst.pane}`,
    ratio: worst.p95 / FRAME_MS,
    baseline: `one frame, ${FRAME_MS} ms`,
    size: `${steps} steps, ${3 * steps} blocks`,
    also: growth <= GROWTH,
  });
}

/** Script milliseconds of each of the key presses from `step` on. */
async function keysAt(page: Page, cdp: CDPSession, step: number): Promise<number[]> {
  await stepSlider(page).fill(String(step));
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.waitForTimeout(500);
  const spent: number[] = [];
  for (let i = 0; i < KEYS; i++) {
    const before = await scriptMs(cdp);
    await page.keyboard.press('k');
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    // Deferred panes and answers of workers are part of the step too.
    await page.waitForTimeout(60);
    spent.push((await scriptMs(cdp)) - before);
  }
  return spent;
}

async function scriptMs(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return 1000 * (metrics.find((metric) => metric.name === 'ScriptDuration')?.value ?? NaN);
}
