/** axe over every view in both themes, at full size and at 1024 × 700; and the three jobs by keyboard alone. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { chooseFile, example, openRun, tab, watch } from './support.ts';

const VIEWS = ['Transcript', 'Ledger', 'Prompt', 'Evidence', 'Geometry', 'Selectors', 'Policies', 'Cost', 'Manual'];

async function expectAccessible(page: Page, view: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${view}: ${id} ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
}

/** Each theme and each size once; what only their other pairing would show is left to the eye. */
const LOOKS = [
  { colorScheme: 'dark', viewport: { width: 1600, height: 1000 } },
  { colorScheme: 'light', viewport: { width: 1024, height: 700 } },
] as const;

for (const { colorScheme, viewport } of LOOKS) {
  test(`no violation on any view, ${colorScheme}, ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    test.slow();
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.goto('/');
    await expect(page.getByRole('region', { name: 'Examples' }).getByRole('button').first()).toBeVisible();
    await expectAccessible(page, 'opening');
    await openRun(page, example('mini-swe-fix.traj.json'), /mini-swe-fix/);
    await page.getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
    await page.keyboard.press('End');
    for (const view of VIEWS) {
      await tab(page, view).click();
      if (view === 'Selectors') await expect(page.getByRole('grid', { name: 'Selector comparison' })).toBeVisible();
      if (view === 'Selectors') {
        for (const part of ['K sweep', 'τ sweep', 'Ablations', 'Replacement']) {
          await page.getByRole('group', { name: 'Views of the selection' }).getByRole('button', { name: part, exact: true }).click();
          await expect(page.locator('.lab')).toBeVisible();
          await expectAccessible(page, `${view}, ${part}`);
        }
        await page.getByRole('button', { name: 'Your own encoders' }).click();
        await expect(page.getByRole('dialog', { name: 'Your own encoders' })).toBeVisible();
        await expectAccessible(page, 'own encoders');
        await page.keyboard.press('Escape');
      }
      if (view === 'Ledger') await expect(page.getByRole('table', { name: 'Ledger' })).toBeVisible();
      await expectAccessible(page, view);
      // Nothing may need sideways scrolling of the page itself.
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    }
  });
}

test('open, replay and compare by keyboard alone', async ({ page }) => {
  const watched = watch(page);
  await page.goto('/');
  await expect(page.getByRole('button', { name: 'Open file' })).toBeVisible();
  await chooseFile(page, () => page.keyboard.press('o'), example('claude-compaction.jsonl'));
  // The button that opens the run has the focus when the import is done.
  const open = page.getByRole('region', { name: 'Import report' }).getByRole('button', { name: /claude-compaction/ });
  await expect(open).toBeFocused();
  await page.keyboard.press('Enter');
  const slider = page.getByRole('slider', { name: 'Step', exact: true });
  await expect(slider).toHaveValue('1');
  // Where the compactions are is known with the replay.
  await expect(page.getByText(/tokens in context/).first()).toBeVisible();

  await page.keyboard.press(']');
  await expect(slider).not.toHaveValue('1');
  const compaction = await slider.inputValue();
  await page.keyboard.press('k');
  await page.keyboard.press('[');
  await expect(slider).toHaveValue(compaction);
  await page.keyboard.press('g');
  await page.keyboard.type('5');
  await page.keyboard.press('Enter');
  await expect(slider).toHaveValue('5');
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();

  await page.keyboard.press('2');
  await expect(tab(page, 'Ledger')).toHaveAttribute('aria-selected', 'true');
  await page.getByRole('combobox', { name: 'Policy' }).focus();
  await page.keyboard.type('auto');
  await expect(page.getByRole('combobox', { name: 'Policy' })).toHaveValue('auto-archive');
  watched.check();
});
