/**
 * The whole main job on the production build: drop → library → steps by keyboard → ledger → archive → prompt →
 * embeddings → spectrum and selectors → reload, with numbers compared with what the command line prints.
 */
import { expect, test, type Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { cli, dropFiles, example, goToStep, hasShared, MISSING, openRun, sharedPath, tab, watch } from './support.ts';

interface ReplayJson { policies: { steps: { step: number; visible: string[]; archived: string[]; lost: string[]; contextTokens: number }[]; ops: { step: number; op: string; ids: string[] }[] }[] }
interface SelectJson { k: number; selectors: { selector: string; kept: number[] }[] }

/** Presses a copy button and gives what it put on the clipboard. */
async function copied(page: Page, button: RegExp): Promise<string> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('button', { name: button }).click();
  let text = '';
  await expect.poll(async () => (text = await page.evaluate(() => navigator.clipboard.readText()))).not.toBe('');
  return text;
}

async function ledger(page: Page): Promise<Map<string, string>> {
  await tab(page, 'Ledger').click();
  const [head, ...rows] = (await copied(page, /Copy as TSV/)).trimEnd().split('\n').map((line) => line.split('\t'));
  const status = head!.indexOf('Status');
  return new Map(rows.map((row) => [row[0]!, row[status]!]));
}

async function setPolicy(page: Page, policy: string, budget: number): Promise<void> {
  await page.getByRole('combobox', { name: 'Policy' }).selectOption(policy);
  const field = page.getByRole('spinbutton', { name: 'Budget' });
  await field.fill(String(budget));
  await field.press('Enter');
}

/** Kept blocks by selector as the grid shows them. */
async function keptInGrid(page: Page): Promise<Record<string, number[]>> {
  return page.getByRole('grid', { name: 'Selector comparison' }).evaluate((grid) => Object.fromEntries(
    [...grid.querySelectorAll('[role=row]:not(:first-child)')].map((row) => [
      row.querySelector('[role=rowheader]')!.textContent!,
      [...row.querySelectorAll<HTMLElement>('[role=gridcell][data-index]')].filter((cell) => !cell.getAttribute('aria-label')!.includes('left out')).map((cell) => Number(cell.dataset['index'])),
    ]),
  ));
}

async function mainJob(page: Page, { path, name, run, budget, steps, selectStep }: { path: string; name: string; run: RegExp; budget: number; steps: number[]; selectStep: number }): Promise<void> {
  const watched = watch(page);

  await test.step('drop, report, library', async () => {
    await page.goto('/');
    await dropFiles(page, [{ name, bytes: await readFile(path) }]);
    const report = page.getByRole('region', { name: 'Import report' });
    await expect(report).toContainText('certain');
    await expect(page.getByRole('table', { name: 'Runs' })).toContainText(run);
    await report.getByRole('button', { name: run }).click();
  });

  const slider = page.getByRole('slider', { name: 'Step', exact: true });
  await test.step('steps by keyboard', async () => {
    await expect(slider).toHaveValue('1');
    await page.keyboard.press('k');
    await page.keyboard.press('ArrowRight');
    await expect(slider).toHaveValue('3');
    await page.keyboard.press('j');
    await expect(slider).toHaveValue('2');
    await page.keyboard.press('End');
    await expect(slider).not.toHaveValue('2');
    await page.keyboard.press('Home');
    await expect(slider).toHaveValue('1');
  });

  const expected = JSON.parse(await cli('replay', path, '--budget', String(budget), '--policy', 'auto-archive', '--json')) as ReplayJson;
  const policy = expected.policies[0]!;
  await test.step('the ledger shows the right blocks at three steps', async () => {
    await setPolicy(page, 'auto-archive', budget);
    for (const step of steps) {
      await goToStep(page, step);
      const row = policy.steps[step - 1]!;
      await expect.poll(async () => {
        const rows = await ledger(page);
        return [...rows].filter(([, status]) => status.startsWith('visible')).map(([id]) => id).sort();
      }).toEqual([...row.visible].sort());
      const all = await ledger(page);
      expect([...all.keys()].sort()).toEqual([...row.visible, ...row.archived, ...row.lost].sort());
    }
  });

  await test.step('an archive hatches the lifeline', async () => {
    const offload = policy.ops.find((op) => op.op === 'offload' || op.op === 'archive')!;
    await goToStep(page, offload.step);
    expect((await ledger(page)).get(offload.ids[0]!)).toMatch(/archived|offloaded/);
    const hatched = await lifelinePatterns(page, offload.ids[0]!, offload.step);
    expect(hatched.before).toBe(false);
    expect(hatched.after).toBe(true);
  });

  await test.step('the prompt equals what replay renders', async () => {
    for (const [label, as] of [['Copy as OpenAI', 'openai'], ['Copy as Anthropic', 'anthropic']] as const) {
      const step = steps.at(-1)!;
      await goToStep(page, step);
      await tab(page, 'Prompt').click();
      const shown = JSON.parse(await copied(page, new RegExp(label))) as unknown;
      const rendered = await cli('replay', path, '--budget', String(budget), '--policy', 'auto-archive', '--render', String(step), '--as', as);
      expect(shown).toEqual(JSON.parse(rendered));
    }
  });

  const selection = JSON.parse(await cli('select', path, '--step', String(selectStep), '--encoder', 'static', '--json')) as SelectJson;
  const wanted = Object.fromEntries(selection.selectors.map(({ selector, kept }) => [selector, kept]));
  await test.step('embeddings finish; spectrum and selectors are shown and equal the command line', async () => {
    await page.getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
    await goToStep(page, selectStep);
    await tab(page, 'Geometry').click();
    await expect(page.getByRole('img', { name: /spectrum|energy/i }).first()).toBeVisible({ timeout: 60_000 });
    await tab(page, 'Selectors').click();
    await expect.poll(() => keptInGrid(page), { timeout: 60_000 }).toEqual(wanted);
  });

  await test.step('a reload keeps all of it', async () => {
    await page.reload();
    await expect(slider).toHaveValue(String(selectStep), { timeout: 60_000 });
    await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('auto-archive');
    await expect(page.getByRole('spinbutton', { name: 'Budget' })).toHaveValue(String(budget));
    await expect(tab(page, 'Selectors')).toHaveAttribute('aria-selected', 'true');
    await expect.poll(() => keptInGrid(page), { timeout: 60_000 }).toEqual(wanted);
  });

  watched.check();
}

/** Is the row of a block drawn with a pattern (several colours one below the other) before and from a step? Reads the canvas. */
async function lifelinePatterns(page: Page, id: string, step: number): Promise<{ before: boolean; after: boolean }> {
  // Rows of full height, so that a pattern is large enough to be seen.
  await page.getByRole('button', { name: 'Rows', exact: true }).click();
  const box = (await page.locator('.timeline-host').boundingBox())!;
  const total = Number(await page.getByRole('slider', { name: 'Step', exact: true }).getAttribute('max'));
  const found: boolean[] = [];
  for (const at of [step - 1, Math.min(total, step + 1)]) {
    const x = await xOfStep(page, at, box);
    found.push(await isPatterned(page, x, await rowOfBlock(page, id, x, box)));
  }
  return { before: found[0]!, after: found[1]! };
}

type Box = { x: number; y: number; width: number; height: number };

async function cardAt(page: Page, x: number, y: number): Promise<string> {
  await page.mouse.move(x, y);
  // The card is placed on the next frame.
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return (await page.locator('.chart-card:visible').allTextContents()).join(' ');
}

/** Middle of a step's column: the hover card of the composition names the step. */
async function xOfStep(page: Page, step: number, box: Box): Promise<number> {
  const hits: number[] = [];
  for (let x = box.x + 60; x < box.x + box.width; x += 5) {
    if (new RegExp(`Step ${step}\\b`).test(await cardAt(page, x, box.y + 60))) hits.push(x);
    else if (hits.length > 0) break;
  }
  expect(hits.length, `a column of step ${step}`).toBeGreaterThan(0);
  return hits[Math.floor(hits.length / 2)]!;
}

async function rowOfBlock(page: Page, id: string, x: number, box: Box): Promise<number> {
  for (let y = box.y + 120; y < box.y + box.height; y += 4) {
    if ((await cardAt(page, x, y)).includes(`${id} `)) return y + 4;
  }
  throw new Error(`no lifeline of ${id} under the pointer`);
}

async function isPatterned(page: Page, x: number, y: number): Promise<boolean> {
  // Away from the chart, so that no hover mark is drawn over the row.
  await cardAt(page, 2, 2);
  return page.evaluate(([px, py]) => {
    for (const canvas of document.querySelectorAll<HTMLCanvasElement>('.timeline-host canvas')) {
      const box = canvas.getBoundingClientRect();
      const scale = canvas.width / box.width;
      const pixels = canvas.getContext('2d')!.getImageData(Math.round((px! - box.x) * scale), Math.round((py! - box.y) * scale), 1, Math.round(12 * scale)).data;
      const seen = new Set<string>();
      for (let i = 0; i < pixels.length; i += 4) if (pixels[i + 3]! > 0) seen.add(`${pixels[i]},${pixels[i + 1]},${pixels[i + 2]},${pixels[i + 3]}`);
      if (seen.size > 1) return true;
    }
    return false;
  }, [x, y]);
}

test('the main job on a bundled example', async ({ page }) => {
  await mainJob(page, { path: example('mini-swe-fix.traj.json'), name: 'mini-swe-fix.traj.json', run: /mini-swe-fix/, budget: 4000, steps: [3, 12, 23], selectStep: 24 });
});

test('the main job on a real session', async ({ page }) => {
  test.skip(!hasShared, MISSING);
  await mainJob(page, { path: sharedPath('trajectories/claude-code/opus-4-6-envoy-task-todos.jsonl'), name: 'meaningless.bin', run: /meaningless/, budget: 32_000, steps: [20, 70, 145], selectStep: 60 });
});

test('MiniLM refines in the background and equals the command line', async ({ page }) => {
  const watched = watch(page);
  const path = example('vista-two-levels.json');
  await openRun(page, path, /vista-two-levels/);
  await page.getByRole('combobox', { name: 'Encoder' }).selectOption('minilm-l6-v2-int8@1');
  await goToStep(page, 24);
  await tab(page, 'Selectors').click();
  await expect(page.getByText(/MiniLM int8/).last()).toBeVisible({ timeout: 120_000 });
  const selection = JSON.parse(await cli('select', path, '--step', '24', '--encoder', 'minilm', '--json')) as SelectJson;
  await expect.poll(() => keptInGrid(page), { timeout: 110_000 }).toEqual(Object.fromEntries(selection.selectors.map(({ selector, kept }) => [selector, kept])));
  watched.check();
});
