import { gzipSync } from 'node:zlib';
import type { Page } from '@playwright/test';
import { median, ms } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { session } from './import.ts';
import { importAndOpen, importInto, stepSlider, waitUntilQuiet } from './product-page.ts';

const LONG_TASK_MS = 50;
const PAINT_LIMIT_MS = 500;
const CODE_LIMIT_KB = 250;

/** Tasks of the main thread over 50 ms while a file is imported and its run opened and analysed in the product's page. */
export async function measureLongTask(stage: Stage): Promise<Row> {
  const megabytes = stage.options.quick ? 5 : 60;
  const path = await session(stage, megabytes);
  const longest: number[] = [];
  const where: string[] = [];
  for (let i = 0; i < (stage.options.quick ? 1 : 3); i++) {
    const tasks = await stage.withPage('product', async (page, url) => {
      await page.goto(url);
      await page.getByRole('button', { name: 'Open file' }).waitFor();
      await observeLongTasks(page);
      const open = await importInto(page, path);
      const importedAt = await page.evaluate(() => performance.now());
      await open.click();
      await stepSlider(page).waitFor();
      await waitUntilQuiet(page);
      const found = await page.evaluate(() => window.longTasks);
      return found.map((task) => ({ ...task, during: task.start < importedAt ? 'import' : 'opening' }));
    });
    const top = tasks.reduce((best, task) => (task.ms > best.ms ? task : best), { ms: 0, start: 0, during: 'nothing' });
    longest.push(top.ms);
    where.push(`${tasks.length} over 50 ms, longest ${ms(top.ms)} during ${top.during}`);
  }
  return makeRow('long-task', {
    what: `main thread during import, opening and analysis; by repetition: ${where.join('; ')}`,
    ratio: median(longest) / LONG_TASK_MS,
    baseline: `${LONG_TASK_MS} ms (none seen counts as 0)`,
    size: `${megabytes} MB`,
  });
}

declare global {
  interface Window { longTasks: { start: number; ms: number }[] }
}

function observeLongTasks(page: Page): Promise<void> {
  return page.evaluate(() => {
    window.longTasks = [];
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) window.longTasks.push({ start: startTime, ms: duration });
    }).observe({ type: 'longtask' });
  });
}

/** From the start of loading the page with a link to a stored run until its timeline has been painted. */
export async function measureReopen(stage: Stage): Promise<Row> {
  const megabytes = stage.options.quick ? 5 : 100;
  const path = await session(stage, megabytes);
  const times = await stage.withPage('product', async (page, url) => {
    await importAndOpen(page, url, path);
    await waitUntilQuiet(page);
    const link = page.url();
    const results: { whole: number; opening: number; task: number }[] = [];
    const cdp = await page.context().newCDPSession(page);
    for (let i = 0; i < 3; i++) {
      await page.goto('about:blank');
      await page.goto(url);
      const library = page.getByRole('table', { name: 'Runs' }).getByRole('button').first();
      await library.waitFor();
      await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
      const before = await taskSeconds(cdp);
      const opening = await page.evaluate(paintAfter, { link: null });
      const task = (await taskSeconds(cdp)) - before;
      await page.goto('about:blank');
      await page.goto(link, { waitUntil: 'commit' });
      const whole = await page.evaluate(paintAfter, { link });
      results.push({ opening, whole, task: task * 1000 });
    }
    return results;
  });
  const opening = median(times.map((time) => time.opening));
  return makeRow('reopen', {
    what: `library click to painted timeline ${ms(opening)} (main thread ${ms(median(times.map((time) => time.task)))} of it); by link, page load included, ${ms(median(times.map((time) => time.whole)))}`,
    ratio: opening / PAINT_LIMIT_MS,
    baseline: `${PAINT_LIMIT_MS} ms`,
    size: `a stored run of ${megabytes} MB`,
  });
}

async function taskSeconds(cdp: Awaited<ReturnType<ReturnType<Page['context']>['newCDPSession']>>): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  return metrics.find((metric) => metric.name === 'TaskDuration')?.value ?? NaN;
}

/** In the page: opens the newest run of the library, or waits for the one of the link; ms until its timeline is painted. */
async function paintAfter({ link }: { link: string | null }): Promise<number> {
  const began = link === null ? performance.now() : 0;
  if (link === null) document.querySelector<HTMLButtonElement>('table[aria-label="Runs"] button.link')!.click();
  while (document.querySelector('section[aria-label="Timeline"] canvas') === null) await new Promise(requestAnimationFrame);
  // The canvas is drawn before the paint of the frame it came with; the second frame starts after that paint.
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}

/** JavaScript and CSS that a first visit loads before the opening screen stands. */
export async function measureFirstLoad(stage: Stage): Promise<Row> {
  const files = await stage.withPage('product', async (page, url) => {
    const loading: Promise<{ name: string; bytes: number } | null>[] = [];
    page.context().on('response', (response) => {
      const name = new URL(response.url()).pathname.split('/').at(-1)!;
      if (/\.m?js$|\.css$/.test(name)) loading.push(response.body().then((body) => ({ name, bytes: gzipSync(body, { level: 9 }).length }), () => null));
    });
    await page.goto(url);
    await page.getByRole('button', { name: 'Open file' }).waitFor();
    await page.waitForLoadState('networkidle');
    return (await Promise.all(loading)).filter((file) => file !== null);
  });
  const kilobytes = files.reduce((sum, file) => sum + file.bytes, 0) / 1000;
  const largest = [...files].sort((a, b) => b.bytes - a.bytes).slice(0, 3);
  return makeRow('first-load', {
    what: `${kilobytes.toFixed(0)} KB gzip in ${files.length} files of JS and CSS; the largest ${largest.map((file) => `${file.name} ${(file.bytes / 1000).toFixed(0)} KB`).join(', ')}`,
    ratio: kilobytes / CODE_LIMIT_KB,
    baseline: `${CODE_LIMIT_KB} KB`,
    size: 'first visit, opening screen',
  });
}
