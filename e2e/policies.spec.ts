/** Comparing policies on the production build: rows against the command line, a moved budget, a first loss, two prompts. */
import { expect, test, type Page } from '@playwright/test';
import { cli, example, goToStep, hasShared, MISSING, openRun, sharedPath, tab, watch } from './support.ts';

const EIGHT = ['recorded', 'keep-everything', 'append-truncate', 'sliding-window', 'tool-clearing', 'observation-masking', 'auto-archive', 'vista'];
const REMOVALS = new Set(['archive', 'offload', 'delete', 'mask', 'clear', 'trim', 'summarise', 'fold', 'reject']);

interface Totals { [name: string]: unknown; paging: Record<string, number | null>; firstLoss: { step: number; lexeme: string } | null; opsByKind: Record<string, number> }
interface ReplayJson { policies: { policy: string; replayClass: string; totals: Totals; ops: { step: number; op: string }[]; steps: { contextTokens: number }[] }[] }

const replays = async (path: string, budget: number): Promise<ReplayJson['policies']> => (JSON.parse(await cli('replay', path, '--budget', String(budget), '--policy', EIGHT.join(), '--json')) as ReplayJson).policies;
const view = (page: Page, name: string) => page.getByRole('group', { name: 'Views of the comparison' }).getByRole('button', { name, exact: true });
const table = (page: Page) => page.getByRole('table', { name: 'Policy comparison' });

async function copiedCsv(page: Page): Promise<Record<string, string>[]> {
  await page.evaluate(() => navigator.clipboard.writeText(''));
  await page.getByRole('tabpanel').getByRole('button', { name: 'Export', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
  let text = '';
  await expect.poll(async () => (text = await page.evaluate(() => navigator.clipboard.readText()))).not.toBe('');
  const [names, ...rows] = text.trimEnd().split('\r\n').map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names!.map((name, i) => [name, row[i]!])));
}

/** The row of the command line's JSON, written as the CSV writes it. */
function asCells({ policy, replayClass, totals }: ReplayJson['policies'][number], budget: number): Record<string, string> {
  const { firstLoss, opsByKind, paging, ...numbers } = totals;
  const ops = Object.entries(opsByKind).map(([kind, n]) => `${kind} ${n}`).join(' ');
  return Object.fromEntries(Object.entries({ policy, budget, class: replayClass, ...numbers, ...paging, ops, firstLossStep: firstLoss?.step ?? null }).map(([name, value]) => [name, String(value ?? '')]));
}

async function compare(page: Page, path: string, budget: number): Promise<ReplayJson['policies']> {
  const expected = await replays(path, budget);
  const wanted = Object.fromEntries(expected.map((one) => [one.policy, asCells(one, budget)]));
  await expect(page.getByRole('status', { name: 'Comparison state' })).toHaveText(/^8 policies at B/, { timeout: 60_000 });
  await expect(table(page).locator('tbody tr[data-current=true]')).toHaveCount(8);
  const got = new Map((await copiedCsv(page)).map((row) => [row['policy']!, row]));
  for (const [policy, cells] of Object.entries(wanted)) {
    for (const [name, shown] of Object.entries(got.get(policy)!)) {
      // Logarithms may differ in the last bit between the two JavaScript engines; whole numbers and words may not.
      if (shown.includes('.')) expect(Number(shown), `${policy} ${name}`).toBeCloseTo(Number(cells[name]), 6);
      else expect(shown, `${policy} ${name}`).toBe(cells[name]);
    }
  }
  return expected;
}

async function comparison(page: Page, { path, run, budget, second }: { path: string; run: RegExp; budget: number; second: number }): Promise<void> {
  const watched = watch(page);
  await openRun(page, path, run);
  await page.getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
  const field = page.getByRole('spinbutton', { name: 'Budget', exact: true });
  await field.fill(String(budget));
  await field.press('Enter');
  await tab(page, 'Policies').click();

  await test.step('every policy there is, then eight chosen ones', async () => {
    await page.getByRole('button', { name: /^Policies \d+ \/ \d+$/ }).click();
    await page.getByRole('button', { name: 'Only the replayed one' }).click();
    for (const policy of EIGHT.slice(1)) await page.getByRole('checkbox', { name: policy, exact: true }).check();
    await page.keyboard.press('Escape');
    await expect(table(page).locator('tbody tr')).toHaveCount(8);
  });

  const first = await test.step('rows equal the totals of the command line', () => compare(page, path, budget));

  await test.step('the replay class is in every row; what is no policy says so', async () => {
    for (const { policy, replayClass } of first) {
      const words = { exact: 'exact', 'recorded-words': 'recorded words', 'stand-in': 'stand-in summaries', 'size-only': 'sizes only' }[replayClass]!;
      await expect(table(page).locator(`tr[data-policy="${policy}"]`)).toContainText(words);
    }
    await expect(table(page).locator('tr[data-policy="keep-everything"]')).toContainText('reference');
  });

  await test.step('sort, pin', async () => {
    const ids = () => table(page).locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-policy')));
    await table(page).getByRole('columnheader', { name: /^Trajectory tokens/ }).getByRole('button').click();
    const header = table(page).getByRole('columnheader', { name: /^Trajectory tokens/ });
    const sign = (await header.getAttribute('aria-sort')) === 'ascending' ? 1 : -1;
    const tokens = new Map(first.map(({ policy, totals }) => [policy, Number(totals['trajectoryTokens'])]));
    const sorted = (await ids()).map((id) => tokens.get(id!)!);
    expect(sorted).toEqual([...sorted].sort((a, b) => sign * (a - b)));
    await page.getByRole('button', { name: 'Pin vista', exact: true }).click();
    await expect.poll(async () => (await ids())[0]).toBe('vista');
  });

  await test.step('the budget dial replays all of them', async () => {
    const dial = page.getByRole('slider', { name: 'Budget dial' });
    // Dragged to the left, as a person would; only where it rests is computed.
    const box = (await dial.boundingBox())!;
    const share = (Number(await dial.inputValue()) - Number(await dial.getAttribute('min'))) / (Number(await dial.getAttribute('max')) - Number(await dial.getAttribute('min')));
    const from = box.x + 8 + share * (box.width - 16);
    await page.mouse.move(from, box.y + box.height / 2);
    await page.mouse.down();
    for (let i = 1; i <= 6; i++) await page.mouse.move(from - i * 2, box.y + box.height / 2);
    await page.mouse.up();
    const dialled = Number(await field.inputValue());
    expect(dialled).toBeLessThan(budget);
    await compare(page, path, dialled);
    await field.fill(String(second));
    await field.press('Enter');
  });
  const expected = await compare(page, path, second);

  const loser = expected.find(({ policy, totals }) => policy !== 'recorded' && totals.firstLoss)!;
  const lossStep = loser.totals.firstLoss!.step;
  await test.step('a first loss opens its step under that policy', async () => {
    await page.getByRole('button', { name: `First loss of ${loser.policy}: step ${lossStep}`, exact: true }).click();
    await expect(page.getByRole('combobox', { name: 'Policy', exact: true })).toHaveValue(loser.policy);
    await expect(page.getByLabel('Current step')).toContainText(new RegExp(`^${lossStep}\\b`));
    await expect(page.getByRole('table', { name: 'Demands of this step' })).toContainText('lost');
    await tab(page, 'Policies').click();
  });

  await test.step('strips share the playhead: a click goes to the step, values are the replay’s', async () => {
    await view(page, 'Strips').click();
    const strip = page.getByRole('img', { name: new RegExp(`^${loser.policy}:`) });
    const box = (await strip.boundingBox())!;
    const total = loser.steps.length;
    const target = Math.max(1, Math.floor(total / 2));
    await page.mouse.click(box.x + ((target - 0.5) / total) * box.width, box.y + box.height / 2);
    await expect(page.getByLabel('Current step')).toContainText(new RegExp(`^${target}\\b`));
    await expect(page.locator('.strip-now .strip-value')).toContainText(loser.steps[target - 1]!.contextTokens.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f'));
  });

  await test.step('the prompt diff of two policies', async () => {
    await goToStep(page, lossStep);
    await view(page, 'Difference').click();
    await page.getByRole('combobox', { name: 'Policy to compare with' }).selectOption('keep-everything');
    await expect(page.getByRole('region', { name: 'Only keep-everything' }).getByRole('listitem')).not.toHaveCount(0);
    await page.getByRole('button', { name: 'Prompt diff' }).click();
    const diff = page.getByRole('region', { name: `Changes from keep-everything to ${loser.policy} at step ${lossStep}` });
    await expect(diff).toContainText('removed');
  });

  await test.step('any two policies: neither is the replayed one', async () => {
    await page.getByRole('combobox', { name: 'First policy' }).selectOption('auto-archive');
    await page.getByRole('combobox', { name: 'Policy to compare with' }).selectOption('vista');
    await expect(page.getByRole('region', { name: `Changes from vista to auto-archive at step ${lossStep}` })).toBeVisible();
    await page.getByRole('button', { name: 'Exchange the two policies' }).click();
    await expect(page.getByRole('region', { name: `Changes from auto-archive to vista at step ${lossStep}` })).toBeVisible();
    await page.getByRole('button', { name: 'Blocks', exact: true }).click();
    await expect(page.getByRole('region', { name: 'Only vista' })).toBeVisible();
    await expect(page.getByRole('combobox', { name: 'Policy', exact: true })).toHaveValue(loser.policy);
  });

  await test.step('rows of VISTA’s tables', async () => {
    await view(page, 'Table').click();
    await page.getByRole('combobox', { name: 'Columns of the table' }).selectOption('vista-1');
    await expect(table(page).getByRole('columnheader')).toHaveText([/^Policy/, 'Family', 'State', 'Ctrl', 'Recov', 'Visible %', 'Recoverable %', 'Lost %', /^Trajectory tokens/]);
    const rows = await copiedCsv(page);
    expect(rows.find((row) => row['Method'] === 'vista')).toMatchObject({ State: 'yes', Ctrl: 'yes', Recov: 'yes', 'Traj. tokens': String(expected.find(({ policy }) => policy === 'vista')!.totals['trajectoryTokens']) });
    await page.getByRole('combobox', { name: 'Columns of the table' }).selectOption('all');
  });

  await test.step('the seven invariants of every policy', async () => {
    await view(page, 'Invariants').click();
    await expect(page.getByRole('status', { name: 'Invariants state' })).toHaveText(/^8 of 8 policies checked.*none is violated/, { timeout: 60_000 });
    await page.getByRole('button', { name: 'vista, invariant 2: holds' }).click();
    await expect(page.getByRole('status', { name: 'Invariant chosen' })).toContainText('Every byte that was not deleted can be read back');
  });

  await test.step('removals list what each operation took', async () => {
    const removal = loser.ops.find(({ op, step }) => REMOVALS.has(op) && step <= loser.steps.length)!;
    await view(page, 'Removals').click();
    await goToStep(page, removal.step);
    await expect(page.locator('.loss-op')).toHaveCount(loser.ops.filter(({ op, step }) => step === removal.step && REMOVALS.has(op)).length);
    await expect(page.locator('.loss-op').first()).toContainText(/strings? can be read nowhere else/);
  });

  await test.step('the sweep draws a line a policy over seven windows', async () => {
    await view(page, 'Pressure sweep').click();
    await expect(page.getByText(/^56 of 56 replays/)).toBeVisible({ timeout: 60_000 });
    await expect(page.getByRole('img', { name: /^Evidence kept by window for 8 policies/ })).toBeVisible();
  });
  watched.check();
}

test('eight policies on the bundled VISTA example', async ({ page }) => {
  await comparison(page, { path: example('vista-two-levels.json'), run: /vista-two-levels/, budget: 9000, second: 5000 });
});

test('eight policies on a real session', async ({ page }) => {
  test.skip(!hasShared, MISSING);
  await comparison(page, { path: sharedPath('trajectories/claude-code/opus-4-6-envoy-task-todos.jsonl'), run: /envoy/, budget: 40_000, second: 24_000 });
});

test('a comparison can be cancelled and goes on', async ({ page }) => {
  const watched = watch(page);
  await openRun(page, example('vista-two-levels.json'), /vista-two-levels/);
  await page.getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
  await tab(page, 'Policies').click();
  const state = page.getByRole('status', { name: 'Comparison state' });
  await expect(state).toHaveText(/^\d+ policies at B/, { timeout: 60_000 });
  const all = await state.textContent();
  await view(page, 'Pressure sweep').click();
  await page.getByRole('button', { name: 'Cancel Pressure sweep' }).click();
  await page.getByRole('button', { name: 'Go on' }).click();
  const [, total] = /of (\d+) replays/.exec((await page.getByText(/of \d+ replays/).textContent())!)!;
  await expect(page.getByText(`${total} of ${total} replays`)).toBeVisible({ timeout: 90_000 });
  await view(page, 'Table').click();
  await expect(state).toHaveText(all!);
  watched.check();
});
