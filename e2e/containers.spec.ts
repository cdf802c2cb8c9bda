/** What browsers do with packed files: Blob slices in a worker, their own DecompressionStream, WebAssembly under the page's policy. */
import { expect, test, type Page } from '@playwright/test';
import { bytesOf, gzip, join, zip, zipMember, zstd } from '../src/testing/archives.ts';
import { cursorDatabase, gooseDatabase, opencodeDatabase, writeAheadLog } from '../src/testing/databases.ts';
import { parquet } from '../src/testing/parquet.ts';
import { dropFiles, watch } from './support.ts';

const chat = (words: string): string => JSON.stringify({ messages: [{ role: 'user', content: words }, { role: 'assistant', content: `You said: ${words}`, tool_calls: [{ id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }] }, { role: 'tool', tool_call_id: 'c', content: 'seen' }, { role: 'assistant', content: 'Done.' }] });
const sample = (id: number, words: string) => ({ id, epoch: 1, input: words, target: '', messages: [{ role: 'user', content: words }, { role: 'assistant', content: `Answer to ${words}` }], output: { model: 'm', choices: [] }, scores: {}, store: {}, events: [] });
const header = { version: 2, status: 'success', eval: { task: 'packed', model: 'm', created: '2026-01-01T00:00:00+00:00' }, plan: {}, results: {} };
const buffer = (bytes: string | Uint8Array): Buffer => Buffer.from(bytesOf(bytes));

async function drop(page: Page, files: Readonly<Record<string, string | Uint8Array>>) {
  await page.goto('/');
  await dropFiles(page, Object.entries(files).map(([name, bytes]) => ({ name, bytes: buffer(bytes) })));
  const report = page.getByRole('region', { name: 'Import report' });
  await expect(report).toBeVisible();
  return report.locator('.report-file');
}

/** Opens the first run of a row of the report and reads its transcript, so that spans are proved to point into what is stored. */
async function readRun(page: Page, row: number, ...texts: string[]): Promise<void> {
  await page.locator('.report-file').nth(row).getByRole('button', { name: /^Open / }).click();
  await expect(page.getByRole('slider', { name: 'Step', exact: true })).toBeVisible();
  await page.keyboard.press('End');
  await page.getByRole('tab', { name: 'Transcript', exact: true }).click();
  for (const text of texts) await expect(page.getByRole('tabpanel')).toContainText(text);
}

test('gzip of several members, zstd, an archive and an .eval show their runs', async ({ page }) => {
  const watched = watch(page);
  const rows = await drop(page, {
    'two-members.json.gz': join(gzip(chat('in the first').slice(0, 60)), gzip(chat('in the first').slice(60))),
    'chat.zst': zstd(chat('from zstd')),
    'both.zip': zip([zipMember('logs/a.json', chat('deep inside'), 8), zipMember('logs/b.txt', 'no trajectory')]),
    'log.eval': zip([zipMember('header.json', JSON.stringify(header)), zipMember('samples/1_epoch_1.json', JSON.stringify(sample(1, 'the first')), 8), zipMember('samples/2_epoch_1.json', JSON.stringify(sample(2, 'the second')), 93)]),
  });
  await expect(rows).toHaveCount(4);
  await expect(rows.nth(0)).toContainText(/two-members\.json\.gz.*gzip.*OpenAI chat/);
  await expect(rows.nth(1)).toContainText(/chat\.zst.*zstd.*OpenAI chat/);
  await expect(rows.nth(2)).toContainText(/both\.zip!logs\/a\.json.*ZIP archive.*OpenAI chat/);
  await expect(rows.nth(2)).toContainText('1 file in both.zip is in no format that is known here: logs/b.txt');
  await expect(rows.nth(3)).toContainText(/log\.eval.*Inspect log/);
  await expect(rows.nth(3)).toContainText('2 runs of');
  await readRun(page, 2, 'deep inside', 'seen');
  watched.check();
});

test("agents' databases show every session; a write-ahead log dropped beside one is read with it", async ({ page }) => {
  const watched = watch(page);
  const live = (bytes: Uint8Array): Uint8Array => bytes.map((byte, i) => (i === 18 || i === 19 ? 2 : byte));
  const before = live(await opencodeDatabase());
  const after = live(await opencodeDatabase({ parts: [['prt_7', 'msg_2', 'ses_1', 1, '{"type":"text","text":"only in the log"}']] }));
  const rows = await drop(page, { 'opencode.db-wal': writeAheadLog(before, after), 'opencode.db': before, 'sessions.db': await gooseDatabase(), 'state.vscdb': await cursorDatabase() });
  await expect(rows).toHaveCount(3);
  await expect(rows.nth(0)).toContainText(/opencode\.db.*SQLite database.*OpenCode store dump/);
  await expect(rows.nth(0)).toContainText(/opencode\.db-wal was read with the database: \d+ newer pages/);
  await expect(rows.nth(0)).toContainText('2 runs of');
  await expect(rows.nth(1)).toContainText(/sessions\.db.*SQLite database.*Goose session/);
  await expect(rows.nth(2)).toContainText(/state\.vscdb.*SQLite database.*Cursor conversation/);
  await readRun(page, 0, 'Why does the parser fail?', 'only in the log');
  watched.check();
});

test('tables of messages: Parquet row groups and CSV; a table of something else says what it lacks', async ({ page }) => {
  const watched = watch(page);
  const turns = [{ role: 'user', content: 'From a table' }, { role: 'assistant', content: 'Read by its pages.' }];
  const rows = await drop(page, {
    'runs.parquet': parquet([{ name: 'instance_id', values: ['one', 'two', 'three'] }, { name: 'trajectory', fields: ['role', 'content'], values: [turns, turns, turns] }], { codec: 'SNAPPY', rowsAGroup: 2 }),
    'rows.csv': 'session_id,role,content\na,user,"two\nlines, quoted"\na,assistant,fine\nb,user,other\nb,assistant,well\n',
    'cities.csv': 'city,people\nA,1\nB,2\n',
    'unknown.db': join(bytesOf('SQLite format 3\0'), new Uint8Array(100)),
  });
  await expect(rows).toHaveCount(2);
  await expect(rows.nth(0)).toContainText(/runs\.parquet.*Parquet table.*OpenAI chat/);
  await expect(rows.nth(1)).toContainText(/rows\.csv.*table.*Table of messages/);
  const failures = page.locator('.report-failure');
  await expect(failures).toHaveCount(2);
  await expect(page.locator('.report')).toContainText(/cities\.csv was not imported\..*not of messages\. Expected columns role and content.*found the columns city, people/);
  await expect(page.locator('.report')).toContainText(/unknown\.db was not imported\..*damaged, encrypted/);
  await readRun(page, 0, 'From a table', 'Read by its pages.');
  watched.check();
});
