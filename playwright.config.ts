import { defineConfig } from '@playwright/test';
import { chromiumArgs, findChromium, NO_CHROMIUM } from './e2e/browser.ts';

const found = await findChromium();
if (found === null) throw new Error(NO_CHROMIUM);
const executablePath = found;
/** Not the port of `npm start`, so that tests never meet a person's own library. */
const PORT = Number(process.env['E2E_PORT'] ?? 4797);

export default defineConfig({
  testDir: 'e2e',
  // Two cores are all there is, and the page uses both.
  workers: 1,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    baseURL: `http://127.0.0.1:${PORT}/`,
    viewport: { width: 1600, height: 1000 },
    permissions: ['clipboard-read', 'clipboard-write'],
    launchOptions: { executablePath, args: chromiumArgs(executablePath) },
  },
  webServer: { command: `npx tsx src/cli/main.ts serve --no-open --port ${PORT}`, url: `http://127.0.0.1:${PORT}/`, timeout: 120_000 },
});
