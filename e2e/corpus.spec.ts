/** The corpus page on the production build: cancelled, reloaded, resumed; its files against the command line's, byte for byte. */
import AxeBuilder from '@axe-core/playwright';
import { expect, test, type Page } from '@playwright/test';
import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js';
import { mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { toolChat } from '../src/testing/tool-chat.ts';
import { chooseFile, cli, example, hasShared, sharedPath, watch } from './support.ts';

/** Real runs of four formats, one of them too short for checkpoints; without them the bundled examples and two of our making. */
async function fiveRuns(): Promise<string[]> {
  if (hasShared) return ['claude-code/opus-4-6-envoy-task-todos.jsonl', 'codex/gpt-5-2-codex-quickjs.jsonl', 'opencode/silent-panda-102-tools.json', 'gemini-cli/gemini-3-pro-blosc.json', 'claude-code/sidechains-in-file-v1.0.108.jsonl'].map((path) => sharedPath('trajectories', path));
  const folder = await mkdtemp(join(tmpdir(), 'corpus-runs-'));
  const made = await Promise.all(['first', 'second'].map(async (name) => {
    await writeFile(join(folder, `${name}.json`), toolChat(90, name));
    return join(folder, `${name}.json`);
  }));
  return [...['mini-swe-fix.traj.json', 'claude-compaction.jsonl', 'vista-two-levels.json'].map(example), ...made];
}

/** Of the prefixes of the five runs: an eighth runs the same code, and saves a seventh of the time. */
const EVERY = 8;

async function commandLine(...args: string[]): Promise<Record<string, string>> {
  const out = await mkdtemp(join(tmpdir(), 'corpus-out-'));
  await cli('corpus', ...args, '--out', out, '--json');
  const names = (await readdir(out)).filter((name) => name !== 'parts');
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(out, name), 'utf8')] as const)));
}

async function downloaded(page: Page): Promise<Record<string, string>> {
  const waiting = page.waitForEvent('download');
  await page.getByRole('region', { name: 'Tables of the corpus' }).getByRole('button', { name: 'Download', exact: true }).click();
  await page.getByRole('menuitem', { name: /All as one ZIP/ }).click();
  const bytes = await readFile(await (await waiting).path());
  const entries = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries();
  return Object.fromEntries(await Promise.all(entries.map(async (entry) => [entry.filename, entry.directory ? '' : await entry.getData(new TextWriter())] as const)));
}

function expectSameFiles(got: Record<string, string>, expected: Record<string, string>): void {
  expect(Object.keys(got).sort()).toEqual(Object.keys(expected).sort());
  // One name at a time: a difference of a whole archive says nothing.
  for (const [name, text] of Object.entries(expected)) expect(got[name] === text, `${name} equals the command line's`).toBe(true);
}

const rows = (page: Page) => page.getByRole('table', { name: 'Runs to choose from' }).locator('tbody tr');
const settings = (page: Page) => page.getByRole('region', { name: 'Settings of the corpus' });
const tables = (page: Page) => page.getByRole('region', { name: 'Tables of the corpus' });

async function importAll(page: Page, paths: string[]): Promise<void> {
  await page.goto('/');
  await chooseFile(page, () => page.getByRole('button', { name: 'Open file' }).click(), paths);
  await expect(page.getByRole('table', { name: 'Runs', exact: true }).locator('tbody tr')).toHaveCount(paths.length, { timeout: 60_000 });
}

test('five runs: cancelled, reloaded and resumed, with the bytes of the command line', async ({ page }) => {
  test.setTimeout(420_000);
  const watched = watch(page);
  const paths = await fiveRuns();
  const expected = commandLine(...paths, '--encoder', 'static', '--every', String(EVERY));
  await importAll(page, paths);
  await page.getByRole('heading', { name: 'Library' }).click();
  await page.keyboard.press('c');
  await expect(page.getByRole('heading', { name: 'Corpus', exact: true })).toBeVisible();
  await expect(page).toHaveURL(/page=corpus/);
  await expect(rows(page)).toHaveCount(5);

  await settings(page).getByRole('combobox', { name: 'Encoder' }).selectOption('static-minilm-384@1');
  await settings(page).getByRole('spinbutton', { name: 'Every nth prefix' }).fill(String(EVERY));
  await settings(page).getByRole('button', { name: 'Compute tables of 5 runs' }).click();
  await expect(page.getByRole('status', { name: 'Corpus progress' })).toContainText(/of 5 runs/);
  await expect(rows(page).filter({ hasText: 'done' }).first()).toBeVisible({ timeout: 120_000 });
  await settings(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText('What was finished is stored')).toBeVisible();
  await expect(tables(page)).toBeHidden();

  await page.reload();
  const goOn = settings(page).getByRole('button', { name: /^Go on: \d runs? left$/ });
  await expect(goOn).toBeVisible();
  const left = Number(/\d/.exec(await goOn.innerText())?.[0]);
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(5);
  await expect(rows(page).filter({ hasText: 'stored result' })).toHaveCount(5 - left);
  await goOn.click();
  await expect(tables(page)).toContainText(`${5 - left} from stored results`, { timeout: 240_000 });
  expectSameFiles(await downloaded(page), await expected);

  await test.step('nothing is made twice', async () => {
    await settings(page).getByRole('button', { name: 'Make the tables' }).click();
    await expect(tables(page)).toContainText('5 from stored results', { timeout: 60_000 });
  });
  watched.check();
});

test('a folder is read where it lies, with the bytes of the command line; what is no run is named', async ({ page }) => {
  test.setTimeout(240_000);
  const watched = watch(page);
  const folder = join(await mkdtemp(join(tmpdir(), 'corpus-folder-')), 'runs');
  await mkdir(join(folder, 'deep'), { recursive: true });
  await mkdir(join(folder, '.hidden'));
  await writeFile(join(folder, 'alpha.json'), toolChat(24, 'alpha'));
  await writeFile(join(folder, 'deep', 'beta.json'), toolChat(19, 'beta'));
  await writeFile(join(folder, 'both.jsonl'), `${toolChat(18, 'gamma')}\n${toolChat(5, 'delta')}\n`);
  await writeFile(join(folder, 'notes.md'), '# no run\n');
  await writeFile(join(folder, '.hidden', 'secret.json'), toolChat(20, 'secret'));
  const expected = commandLine(folder, '--encoder', 'hashed', '--seed', '3', '--every', '2', '--tables', 'C1,1,D4');

  await page.goto('/#v=1&page=corpus');
  await page.getByTestId('folder-input').setInputFiles(folder);
  await expect(rows(page)).toHaveCount(4);
  const form = settings(page);
  await form.getByRole('combobox', { name: 'Encoder' }).selectOption('hashed-1024@1');
  await form.getByRole('spinbutton', { name: 'Seed' }).fill('3');
  await form.getByRole('spinbutton', { name: 'Every nth prefix' }).fill('2');
  for (const name of [/^2 /, /^D\.1/, /^D\.2/, /^D\.3/, /^Policies/]) await form.getByRole('checkbox', { name }).uncheck();
  await expect(form).toContainText('--tables C1,1,D4 --encoder hashed --seed 3 --every 2');
  await form.getByRole('button', { name: 'Compute tables of 4 runs' }).click();
  await expect(tables(page)).toContainText('4 runs, 3 with checkpoints', { timeout: 120_000 });
  await expect(tables(page)).toContainText('1 file could not be read as a run');
  await expect(rows(page).filter({ hasText: basename('notes.md') })).toContainText(/recogni|format|known/i);
  expectSameFiles(await downloaded(page), await expected);
  // The folder is not in the library.
  await page.getByRole('button', { name: 'Library' }).click();
  await expect(page.getByText('No runs yet')).toBeVisible();
  watched.check();
});

/** Each theme once and each size once: what goes wrong in one pair only would be a rule of both. */
const VIEWS = [{ colorScheme: 'dark', viewport: { width: 1600, height: 1000 } }, { colorScheme: 'light', viewport: { width: 1024, height: 700 } }] as const;
for (const { colorScheme, viewport } of VIEWS) {
  test(`no violation on the corpus page, ${colorScheme}, ${viewport.width} × ${viewport.height}`, async ({ page }) => {
    const expectAccessible = async (what: string): Promise<void> => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect(violations.map(({ id, nodes }) => `${what}: ${id} ${nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
    };
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize(viewport);
    await page.goto('/#v=1&page=corpus');
    await expect(page.getByText('No runs to choose from')).toBeVisible();
    await expectAccessible('empty');
    await importAll(page, [example('mini-swe-fix.traj.json'), example('claude-compaction.jsonl')]);
    await page.getByRole('button', { name: 'Corpus', exact: true }).click();
    await settings(page).getByRole('combobox', { name: 'Encoder' }).selectOption('hashed-1024@1');
    await expectAccessible('choice');
    // By keyboard alone.
    await settings(page).getByRole('button', { name: 'Compute tables of 2 runs' }).focus();
    await page.keyboard.press('Enter');
    await expect(tables(page)).toBeVisible({ timeout: 60_000 });
    for (const name of ['Table C.1', 'Table 1', 'Runs']) {
      await page.getByRole('group', { name: 'Which table' }).getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press('Enter');
      await expectAccessible(name);
    }
  });
}
