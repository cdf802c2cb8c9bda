/** Editing the context by hand on the production build: by keyboard alone, stored, exported, imported, compared; page = command line. */
import { expect, test, type Page } from '@playwright/test';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { chooseFile, cli, example, goToStep, openRun, tab, watch } from './support.ts';

const FILE = example('vista-two-levels.json');
const BUDGET = 9000;

interface Outcome { id: string; applied: boolean; refused: string | null; ids: string[]; made: string[] }
interface Policy { policy: string; replayClass: string; steps: { contextTokens: number }[]; ops: { step: number; op: string; actor: string; label?: string }[]; totals: Record<string, unknown> & { firstLoss: { step: number } | null; opsByKind: Record<string, number> }; outcomes?: Outcome[] }

const ledger = (page: Page) => page.getByRole('table', { name: 'Ledger', exact: true });
const operations = (page: Page) => page.getByRole('table', { name: 'Operations of the scenario' });
const dialog = (page: Page) => page.getByRole('dialog');
const row = (page: Page, id: string) => ledger(page).getByRole('row').filter({ has: page.getByRole('checkbox', { name: `Mark ${id}`, exact: true }) });
/** Numbers as the page writes them: thin spaces between thousands. */
const digits = (text: string | null): number => Number((text ?? '').replace(/[^\d]/g, ''));

async function open(page: Page): Promise<void> {
  await openRun(page, FILE, /vista-two-levels/);
  await page.getByRole('combobox', { name: 'Encoder' }).selectOption('hashed-1024@1');
  const field = page.getByRole('spinbutton', { name: 'Budget', exact: true });
  await field.fill(String(BUDGET));
  await field.press('Enter');
  // Nothing that a policy made stands between the ids of blocks.
  await page.getByRole('combobox', { name: 'Policy', exact: true }).selectOption('keep-everything');
  await tab(page, 'Ledger').click();
}

/** The context of the shown step, as the tab bar says it. */
async function contextNow(page: Page): Promise<number> {
  await expect(page.locator('.tab-aside')).not.toContainText('replaying');
  return digits((await page.locator('.tab-aside').textContent())!.split('tokens')[0]!);
}

async function exported(page: Page): Promise<{ path: string; text: string }> {
  await tab(page, 'Manual').click();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Scenario file' }).click();
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  const path = resolve(mkdtempSync(resolve(tmpdir(), 'scenario-')), 'scenario.json');
  await (await download).saveAs(path);
  return { path, text: readFileSync(path, 'utf8') };
}

const replayed = async (path: string, policies: string): Promise<Policy[]> =>
  (JSON.parse(await cli('replay', FILE, '--budget', String(BUDGET), '--policy', policies, '--scenario', path, '--json')) as { policies: Policy[] }).policies;

test('a scenario by keyboard alone, kept over a reload, out and in again, beside vista', async ({ page }) => {
  test.setTimeout(180_000);
  const watched = watch(page);
  await open(page);
  await goToStep(page, 12);

  await test.step('two results are archived with the keyboard alone: marked, previewed, done', async () => {
    await ledger(page).locator('tbody tr[tabindex="0"]').focus();
    // Down to the first block that may be taken out.
    const first = ledger(page).locator('tbody tr:not(.ledger-out)', { hasText: 'tool result' }).first();
    const id = (await first.getByRole('checkbox').getAttribute('aria-label'))!.replace('Mark ', '');
    const below = Number(await first.getAttribute('aria-rowindex')) - 2;
    await page.keyboard.press('Home');
    for (let k = 0; k < below; k++) await page.keyboard.press('ArrowDown');
    await expect(row(page, id)).toHaveAttribute('aria-current', 'true');
    await page.keyboard.press('m');
    await expect(page.getByRole('menuitem', { name: /^Archive…/ })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(dialog(page).getByRole('status')).toHaveText(/^Frees .* tokens: .* → .* in the context at this step/);
    await expect(dialog(page)).toContainText('goes along as call or result');
    await page.keyboard.type('the first big result');
    await page.keyboard.press('Tab');
    await page.keyboard.type('first');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('combobox', { name: 'Policy', exact: true })).toHaveValue('manual');
    await expect(row(page, id)).toContainText('archived');
    await expect(row(page, id)).toContainText('first');
  });

  await test.step('a bundle of marked blocks', async () => {
    const visible = ledger(page).locator('tbody tr:not(.ledger-out)', { hasText: 'tool result' });
    const ids = (await visible.getByRole('checkbox').evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label')!.replace('Mark ', '')))).slice(0, 2);
    for (const id of ids) {
      await row(page, id).click();
      await page.keyboard.press('Space');
    }
    await expect(page.getByRole('status', { name: 'Marked blocks' })).toContainText('2 blocks marked');
    await page.keyboard.press('m');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveAttribute('aria-label', 'Bundle 2 blocks at step 12');
    await dialog(page).getByRole('textbox', { name: /^Label/ }).fill('both');
    await dialog(page).getByRole('button', { name: 'Bundle' }).click();
    await expect(dialog(page)).toHaveCount(0);
    for (const id of ids) await expect(row(page, id)).toContainText('archived');
  });

  const pinned = await test.step('a pin from the inspector, and a refusal in words', async () => {
    const visible = ledger(page).locator('tbody tr:not(.ledger-out)', { hasText: 'assistant' });
    const id = (await visible.getByRole('checkbox').first().getAttribute('aria-label'))!.replace('Mark ', '');
    await row(page, id).click();
    await page.getByRole('group', { name: 'By hand' }).getByRole('button', { name: 'Pin…' }).click();
    await expect(dialog(page).getByRole('status')).toContainText('Frees no tokens');
    await page.keyboard.press('Enter');
    await expect(dialog(page)).toHaveCount(0);
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText('Unpin…');
    await page.getByRole('group', { name: 'By hand' }).getByRole('button', { name: 'Delete…' }).click();
    await expect(dialog(page).getByRole('status')).toHaveText(new RegExp(`^${id} is pinned: unpin it first`));
    await expect(dialog(page).getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
    await page.keyboard.press('Escape');
    return id;
  });

  await test.step('recovered by label at a later step', async () => {
    await goToStep(page, 14);
    await tab(page, 'Manual').click();
    await page.getByRole('button', { name: 'Recover by label…' }).click();
    await dialog(page).getByRole('combobox', { name: 'Label' }).selectOption('both');
    await expect(dialog(page).getByRole('status')).toHaveText(/^Adds .* tokens/);
    await dialog(page).getByRole('button', { name: 'Recover' }).click();
    await expect(dialog(page)).toHaveCount(0);
    await expect(operations(page).locator('tbody tr')).toHaveCount(4);
    await expect(page.getByRole('status', { name: 'Scenario state' })).toHaveText('4 operations, all apply');
  });

  await test.step('undo and redo, by keys and by buttons', async () => {
    const before = await contextNow(page);
    await page.keyboard.press('Control+z');
    await expect(operations(page).locator('tbody tr')).toHaveCount(3);
    await expect.poll(() => contextNow(page)).not.toBe(before);
    await page.getByRole('tabpanel').getByRole('button', { name: 'Undo' }).click();
    await expect(operations(page).locator('tbody tr')).toHaveCount(2);
    await page.keyboard.press('Control+Shift+z');
    await page.getByRole('tabpanel').getByRole('button', { name: 'Redo' }).click();
    await expect(operations(page).locator('tbody tr')).toHaveCount(4);
    await expect.poll(() => contextNow(page)).toBe(before);
  });

  await test.step('an operation that no longer applies stays, and says why', async () => {
    await operations(page).locator('tbody tr').nth(1).getByRole('button', { name: /^Remove/ }).click();
    await expect(operations(page).locator('tbody tr')).toHaveCount(3);
    await expect(operations(page)).toContainText('does not apply: Nothing was put away under the label “both”; labels so far: “first”.');
    await expect(page.getByRole('status', { name: 'Scenario state' })).toHaveText('3 operations, 1 does not apply');
    await page.keyboard.press('Control+z');
    await expect(page.getByRole('status', { name: 'Scenario state' })).toHaveText('4 operations, all apply');
  });

  await test.step('jumps to the step of an operation; its blocks are selected', async () => {
    await operations(page).getByRole('button', { name: 'Go to step 12' }).first().click();
    await expect(page.getByLabel('Current step')).toContainText(/^12\b/);
    await operations(page).getByRole('button', { name: pinned, exact: true }).click();
    await expect(page.getByRole('complementary', { name: 'Inspector' })).toContainText(pinned);
  });

  await test.step('survives a reload right after the last change, with the same address', async () => {
    await goToStep(page, 14);
    await page.getByRole('button', { name: 'Rename…' }).click();
    await dialog(page).getByRole('textbox', { name: 'Name' }).fill('my edit');
    await dialog(page).getByRole('button', { name: 'Rename' }).click();
    await goToStep(page, 13);
    await page.reload();
    await expect(page.getByRole('combobox', { name: 'Policy', exact: true })).toHaveValue('manual');
    await expect(page.getByLabel('Current step')).toContainText(/^13\b/);
    await expect(page.getByRole('combobox', { name: 'Scenario', exact: true }).locator('option:checked')).toHaveText('my edit');
    await expect(operations(page).locator('tbody tr')).toHaveCount(4);
  });

  const file = await test.step('exported; the command line gives the same numbers', async () => {
    const out = await exported(page);
    const [manual] = await replayed(out.path, 'manual');
    expect(manual!.replayClass).toBe('exact');
    expect(manual!.outcomes!.every(({ applied }) => applied)).toBe(true);
    expect(manual!.ops.filter(({ actor }) => actor === 'user').map(({ op }) => op)).toEqual(['archive', 'archive', 'pin', 'recover']);
    for (const step of [11, 12, 13, 14, manual!.steps.length]) {
      await goToStep(page, step);
      await expect.poll(() => contextNow(page), `step ${step}`).toBe(manual!.steps[step - 1]!.contextTokens);
    }
    return out;
  });

  await test.step('deleted, and imported again: the same file comes out', async () => {
    await page.getByRole('button', { name: 'Delete…' }).first().click();
    await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(page.getByText('No scenario yet')).toBeVisible();
    await page.getByRole('button', { name: 'Scenario file' }).click();
    await chooseFile(page, () => page.getByRole('menuitem', { name: 'Import JSON…' }).click(), file.path);
    await expect(operations(page).locator('tbody tr')).toHaveCount(4);
    expect((await exported(page)).text).toBe(file.text);
  });

  await test.step('a file of another run is refused, saying of which', async () => {
    const foreign = resolve(mkdtempSync(resolve(tmpdir(), 'scenario-')), 'foreign.json');
    writeFileSync(foreign, file.text.replace(/"run": "[0-9a-f]{64}/, `"run": "${'b'.repeat(64)}`));
    await page.getByRole('button', { name: 'Scenario file' }).click();
    await chooseFile(page, () => page.getByRole('menuitem', { name: 'Import JSON…' }).click(), foreign);
    await expect(page.getByText(/This scenario belongs to another run: it was made for bbbbbbbbbbbb…#0/)).toBeVisible();
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await expect(operations(page).locator('tbody tr')).toHaveCount(4);
  });

  await test.step('beside vista in the Policies tab, with the totals of the command line', async () => {
    const [manual] = await replayed(file.path, 'manual');
    await tab(page, 'Policies').click();
    await page.getByRole('button', { name: /^Policies \d+ \/ \d+$/ }).click();
    await page.getByRole('button', { name: 'Only the replayed one' }).click();
    await page.getByRole('checkbox', { name: 'vista', exact: true }).check();
    await page.keyboard.press('Escape');
    const table = page.getByRole('table', { name: 'Policy comparison' });
    await expect(table.locator('tr[data-policy="manual"][data-current="true"]')).toContainText('exact (by hand)');
    await expect(table.locator('tr[data-policy="vista"][data-current="true"]')).toContainText('stand-in');
    await page.evaluate(() => navigator.clipboard.writeText(''));
    await page.getByRole('tabpanel').getByRole('button', { name: 'Export', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Copy as CSV' }).click();
    let text = '';
    await expect.poll(async () => (text = await page.evaluate(() => navigator.clipboard.readText()))).not.toBe('');
    const [names, ...rows] = text.trimEnd().split('\r\n').map((line) => line.split(','));
    const cells = Object.fromEntries(names!.map((name, i) => [name, rows.find(([policy]) => policy === 'manual')![i]]));
    for (const name of ['peakContext', 'trajectoryTokens', 'evidenceLost', 'obligations', 'reads', 'infeasibleSteps']) expect(Number(cells[name]), name).toBe(manual!.totals[name]);
  });
  watched.check();
});

test('a lifeline’s menu opens by the right button and by the menu key', async ({ page }) => {
  const watched = watch(page);
  await open(page);
  await goToStep(page, 10);
  const host = page.getByRole('group', { name: /Timeline|steps|tokens/i }).filter({ has: page.locator('canvas') });
  await host.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Shift+F10');
  await expect(page.getByRole('menu')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(host).toBeFocused();
  const box = (await host.boundingBox())!;
  await host.click({ button: 'right', position: { x: box.width * 0.3, y: box.height * 0.56 } });
  await expect(page.getByRole('menuitem', { name: /^Archive…/ })).toBeVisible();
  await page.keyboard.press('Escape');
  watched.check();
});
