/** The Evidence tab on the production build: the four views, arcs by key, the audit against the command line, axe in both themes. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { cli, example, goToStep, openRun, tab, watch } from './support.ts';

interface AuditJson { files: { trajectories: { audit: { rows: { step: number; op: string; tokensFreed: number }[]; totals: { removals: number; tokensFreed: number } }[] }[] }[] }

const pane = (page: Page, name: string) => page.getByRole('group', { name: 'Views of the evidence' }).getByRole('button', { name, exact: true });
const spaced = (value: number): string => value.toString().replace(/\B(?=(\d{3})+$)/g, '\u202f');

async function expectAccessible(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${view}: ${id} ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}

for (const colorScheme of ['dark', 'light'] as const) {
  test(`evidence of step and run, use against age and audit, ${colorScheme}`, async ({ page }) => {
    const watched = watch(page);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const path = example('vista-two-levels.json');
    const [audit] = (JSON.parse(await cli('inspect', path, '--audit', '--json')) as AuditJson).files[0]!.trajectories[0]!.audit;
    await openRun(page, path, /vista-two-levels/);
    await page.getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
    await tab(page, 'Evidence').click();
    await expect(page.getByText('obligations', { exact: true })).toBeVisible();
    await expectAccessible(page, 'step');

    await pane(page, 'Whole run').click();
    await expect(page.getByRole('img', { name: /^Evidence weight of \d+ calls under recorded/ })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Block values' })).toBeVisible();
    await expectAccessible(page, 'run');

    await pane(page, 'Use against age').click();
    await expect(page.getByRole('table', { name: 'Use against age' })).toContainText('all kinds');
    await expect(page.getByText('not correlated with recency')).toBeVisible();
    await page.getByRole('button', { name: 'First holder' }).click();
    await expectAccessible(page, 'age');

    await pane(page, 'Audit').click();
    const rows = page.getByRole('table', { name: 'Audit of removals' }).locator('tbody tr');
    await expect(rows).toHaveCount(audit!.totals.removals);
    await expect(page.getByRole('region', { name: 'Audit of removals' })).toContainText(`freed ${spaced(audit!.totals.tokensFreed)} tokens`);
    const [first] = audit!.rows;
    await expect(rows.first()).toContainText(first!.op);
    await rows.first().getByRole('button', { name: String(first!.step), exact: true }).first().click();
    await expect(page.getByLabel('Current step')).toContainText(new RegExp(`^${first!.step}\\b`));
    await expectAccessible(page, 'audit');
    watched.check();
  });
}

test('arcs follow the key and the address, and change what is drawn', async ({ page }) => {
  await openRun(page, example('vista-two-levels.json'), /vista-two-levels/);
  const button = page.getByRole('button', { name: /^Evidence arcs:/ });
  const pixels = () => page.locator('.timeline-host canvas').evaluateAll((canvases) => canvases.map((canvas) => (canvas as HTMLCanvasElement).toDataURL().length));
  await expect(button).toHaveAccessibleName(/of the selected block/);
  await goToStep(page, 3);
  await page.keyboard.press('e');
  await expect(button).toHaveAccessibleName(/all of the run/);
  await expect(page).toHaveURL(/arcs=all/);
  const all = await pixels();
  await page.keyboard.press('e');
  await expect(button).toHaveAccessibleName(/none/);
  await expect.poll(pixels).not.toEqual(all);
});
