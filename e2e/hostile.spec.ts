/** A trace is untrusted: nothing in it may run, load, navigate or restyle; bad records cost only themselves. */
import { expect, test } from '@playwright/test';
import { chooseFile, dropFiles, example, openRun, tab, watch } from './support.ts';

const ATTACKS = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '![x](https://evil.example/beacon.png) [link](javascript:window.hacked=1) [out](https://evil.example/)',
  '<style>body { display: none }</style><svg onload="window.hacked=1"></svg>',
  '<iframe src="https://evil.example"></iframe><math><mtext></mtext></math>',
  '</pre></div><base href="https://evil.example/"><meta http-equiv="refresh" content="0;url=https://evil.example">',
];

function hostileChat(): Buffer {
  const messages: object[] = [{ role: 'system', content: ATTACKS.join('\n') }, { role: 'user', content: ATTACKS[2] }];
  ATTACKS.forEach((attack, i) => {
    messages.push({ role: 'assistant', content: attack, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: attack.slice(0, 40), arguments: JSON.stringify({ path: attack, __proto__: { polluted: true } }) } }] });
    messages.push({ role: 'tool', tool_call_id: `c${i}`, content: attack });
  });
  return Buffer.from(JSON.stringify({ messages }));
}

test('hostile content stays text', async ({ page }) => {
  const watched = watch(page);
  await page.goto('/');
  await dropFiles(page, [{ name: '<img src=x onerror=window.hacked=1>.json', bytes: hostileChat() }]);
  await page.getByRole('region', { name: 'Import report' }).getByRole('button', { name: /steps/ }).click();
  await expect(page.getByRole('slider', { name: 'Step', exact: true })).toBeVisible();
  await page.keyboard.press('End');
  for (const view of ['Transcript', 'Ledger', 'Prompt', 'Evidence', 'Selectors']) {
    await tab(page, view).click();
    await expect(tab(page, view)).toHaveAttribute('aria-selected', 'true');
    await page.waitForTimeout(300);
  }
  expect(await page.evaluate(() => [(window as { hacked?: number }).hacked, ({} as { polluted?: boolean }).polluted, getComputedStyle(document.body).display])).toEqual([undefined, undefined, 'block']);
  expect(page.url()).toContain('127.0.0.1');
  watched.check();
});

test('bad files get a clear report and cost nothing that is stored', async ({ page }) => {
  const watched = watch(page);
  await openRun(page, example('mini-swe-fix.traj.json'), /mini-swe-fix/);
  await page.getByRole('button', { name: 'Contextscope' }).click();
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const good = '{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/"}\n{"type":"message","timestamp":"2026-01-01T00:00:00.000Z","message":{"role":"user","content":[{"type":"text","text":"hi"}]}}\n';
  await dropFiles(page, [
    { name: 'empty.jsonl', bytes: Buffer.alloc(0) },
    { name: 'noise.bin', bytes: Buffer.from(Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)) },
    { name: 'deep.json', bytes: Buffer.from(deep) },
    { name: 'cut.jsonl', bytes: Buffer.from(`${good}{"type":"message","timest`) },
    { name: 'nul.jsonl', bytes: Buffer.from(`${good}\u0000\u0000\n{"__proto__":{"x":1}}\nnull\n[]\n`) },
  ]);
  const report = page.getByRole('region', { name: 'Import report' });
  await expect(report).toContainText('noise.bin');
  await expect(report).toContainText(/line 3|:3/);
  await expect(page.getByRole('table', { name: 'Runs' })).toContainText('mini-swe-fix');
  await expect(page.getByRole('table', { name: 'Runs' })).toContainText('cut');
  watched.check();
});

test('a single line of 13 MB imports, and the page answers meanwhile', async ({ page }) => {
  const watched = watch(page);
  const big = 'x'.repeat(13 * 1024 * 1024);
  const lines = [
    { type: 'session', id: 's', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/' },
    { type: 'message', timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content: [{ type: 'text', text: 'read it' }] } },
    { type: 'message', timestamp: '2026-01-01T00:00:01.000Z', message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } }], model: 'm' } },
    { type: 'message', timestamp: '2026-01-01T00:00:02.000Z', message: { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [{ type: 'text', text: big }] } },
    { type: 'message', timestamp: '2026-01-01T00:00:03.000Z', message: { role: 'assistant', content: [{ type: 'text', text: 'done' }], model: 'm' } },
  ];
  await page.goto('/');
  await chooseFile(page, () => page.getByRole('button', { name: 'Open file' }).click(), { name: 'huge-line.jsonl', mimeType: 'text/plain', buffer: Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n')) });
  await page.getByRole('region', { name: 'Import report' }).getByRole('button', { name: /huge-line/ }).click();
  await expect(page.getByRole('slider', { name: 'Step', exact: true })).toBeVisible({ timeout: 60_000 });
  await page.keyboard.press('End');
  await tab(page, 'Transcript').click();
  await expect(page.getByText('Show all', { exact: false }).first()).toBeVisible({ timeout: 60_000 });
  // Never the whole output in the document.
  expect(await page.evaluate(() => document.body.textContent!.length)).toBeLessThan(1_000_000);
  watched.check();
});
