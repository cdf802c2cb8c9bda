import type { Locator, Page } from '@playwright/test';

/** The product's page, driven through what a person sees. */
export const stepSlider = (page: Page): Locator => page.getByRole('slider', { name: 'Step', exact: true });

/** Chooses a file and waits for its import; returns the button that opens the run. */
export async function importInto(page: Page, path: string): Promise<Locator> {
  await page.getByTestId('file-input').setInputFiles(path);
  const report = page.getByRole('region', { name: 'Import report' });
  await report.waitFor();
  const failure = report.getByRole('alert');
  if ((await failure.count()) > 0) throw new Error(await failure.first().innerText());
  return report.getByRole('button', { name: /^Open / }).first();
}

export async function importAndOpen(page: Page, url: string, path: string): Promise<void> {
  await page.goto(url);
  await (await importInto(page, path)).click();
  await stepSlider(page).waitFor();
  await page.locator('section[aria-label="Timeline"] canvas').first().waitFor();
}

/** Until the page says that nothing runs, or `limitMs` have gone by (an encoder may go on for long). */
export async function waitUntilQuiet(page: Page, limitMs = 20_000): Promise<boolean> {
  const quiet = page.getByRole('status', { name: 'Progress' }).filter({ hasText: 'Nothing running' });
  return quiet.waitFor({ timeout: limitMs }).then(() => true, () => false);
}
