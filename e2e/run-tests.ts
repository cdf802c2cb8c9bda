/** `npm test`: every check there is, then one line `N passed, N failed, N skipped`. */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { findChromium, NO_CHROMIUM } from './browser.ts';

interface Counts { passed: number; failed: number; skipped: number }
const total: Counts = { passed: 0, failed: 0, skipped: 0 };
const results = 'test-results';
rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

function run(command: string): Promise<boolean> {
  console.log(`\n> ${command}`);
  return new Promise((done) => spawn(command, { shell: true, stdio: ['ignore', 'inherit', 'inherit'] }).on('close', (code) => done(code === 0)));
}

/** A check without tests of its own counts as one. */
async function check(command: string): Promise<boolean> {
  const ok = await run(command);
  total[ok ? 'passed' : 'failed'] += 1;
  if (!ok) console.error(`Failed. Repeat it with: ${command}`);
  return ok;
}

function add(counts: Counts | null, ok: boolean): void {
  if (!counts) {
    total.failed += 1;
    return;
  }
  total.passed += counts.passed;
  // A runner that fails without a failed test (a crash, no test found) is a failure all the same.
  total.failed += Math.max(counts.failed, ok ? 0 : 1);
  total.skipped += counts.skipped;
}

function readJson<T>(path: string): T | null {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : null;
}

await Promise.all([check('npx tsc -p tsconfig.json && npx tsc -p tsconfig.core.json'), check('npx eslint . --max-warnings 0')]);

const unitOk = await run(`npx vitest run --reporter=default --reporter=json --outputFile.json=${results}/unit.json`);
const unit = readJson<{ numPassedTests: number; numFailedTests: number; numPendingTests: number }>(`${results}/unit.json`);
add(unit && { passed: unit.numPassedTests, failed: unit.numFailedTests, skipped: unit.numPendingTests }, unitOk);

if (await check('npx vite build')) {
  let browser = await findChromium();
  if (browser === null) {
    spawnSync('npx playwright install chromium', { shell: true, stdio: 'inherit' });
    browser = await findChromium();
  }
  if (browser === null) {
    console.error(NO_CHROMIUM);
    total.failed += 1;
  } else {
    console.log(`Browser: ${browser ?? 'downloaded by Playwright'}`);
    const e2eOk = await run('npx playwright test');
    const e2e = readJson<{ stats: { expected: number; unexpected: number; flaky: number; skipped: number } }>(`${results}/e2e.json`);
    add(e2e && { passed: e2e.stats.expected + e2e.stats.flaky, failed: e2e.stats.unexpected, skipped: e2e.stats.skipped }, e2eOk);
  }
}

console.log(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exit(total.failed === 0 ? 0 : 1);
