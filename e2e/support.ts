import { expect, type FileChooser, type Page } from '@playwright/test';
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { hasShared, sharedPath } from '../src/testing/shared.ts';

export { hasShared, sharedPath };
export const MISSING = 'No sample files beside the checkout.';
export const example = (name: string): string => resolve('public/examples', name);

/** Fails the test when the page logs an error or asks for anything beyond its own origin. */
export function watch(page: Page): { check: () => void } {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`));
  page.context().on('request', (request) => {
    const url = new URL(request.url());
    if (!['data:', 'blob:'].includes(url.protocol) && url.hostname !== '127.0.0.1') problems.push(`request: ${request.url()}`);
  });
  return { check: () => expect(problems).toEqual([]) };
}

/** Drops a file on the page as a person would: a real drag event with a File in it. */
export async function dropFiles(page: Page, files: { name: string; bytes: Buffer }[]): Promise<void> {
  // A person drops on what is there to see.
  await expect(page.getByRole('button', { name: 'Open file' })).toBeVisible();
  const transfer = await page.evaluateHandle((list) => {
    const data = new DataTransfer();
    for (const { name, base64 } of list) {
      const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
      data.items.add(new File([bytes], name));
    }
    return data;
  }, files.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })));
  for (const type of ['dragenter', 'dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: transfer });
}

type Files = Parameters<FileChooser['setFiles']>[0];

/** Answers the file dialog that `trigger` opens. */
export async function chooseFile(page: Page, trigger: () => Promise<void>, files: Files): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  // Dialogs are caught from the next round trip on.
  await page.evaluate(() => undefined);
  await trigger();
  await (await chooser).setFiles(files);
}

/** Opens a file through the file chooser and goes to its (first) run. */
export async function openRun(page: Page, path: string | string[], run: RegExp): Promise<void> {
  await page.goto('/');
  await chooseFile(page, () => page.getByRole('button', { name: 'Open file' }).click(), path);
  await page.getByRole('region', { name: 'Import report' }).getByRole('button', { name: run }).click();
  await expect(page.getByRole('slider', { name: 'Step', exact: true })).toBeVisible();
}

export async function cli(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('npx', ['tsx', 'src/cli/main.ts', ...args], { maxBuffer: 1 << 28 });
  return stdout;
}

export const tab = (page: Page, name: string) => page.getByRole('tab', { name, exact: true });

export async function goToStep(page: Page, step: number): Promise<void> {
  await page.getByRole('slider', { name: 'Step', exact: true }).fill(String(step));
  await expect(page.getByLabel('Current step')).toContainText(new RegExp(`^${step}\\b`));
}
