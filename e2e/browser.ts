import { chromium } from '@playwright/test';
import { existsSync } from 'node:fs';

/**
 * Which Chromium the tests drive, in this order: CHROMIUM_PATH; Playwright's own download; one of the system; the one
 * that comes as a package (Linux x64 only). `null` = none; `undefined` = Playwright finds its own.
 */
export async function findChromium(): Promise<string | undefined | null> {
  const asked = process.env['CHROMIUM_PATH'];
  if (asked) return asked;
  if (existsSync(chromium.executablePath())) return undefined;
  const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome', '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(existsSync);
  if (system) return system;
  if (process.platform === 'linux' && process.arch === 'x64') {
    try {
      return await (await import('@sparticuz/chromium')).default.executablePath();
    } catch {
      return null;
    }
  }
  return null;
}

export const NO_CHROMIUM =
  'No Chromium found. Run `npx playwright install chromium`, or set CHROMIUM_PATH to one, then run the tests again.';

/** Quiet start, and no sandbox where the kernel or root forbids it. The package's own default flags would switch web security off. */
export function chromiumArgs(executablePath: string | undefined): string[] {
  const sandboxless = executablePath !== undefined || process.getuid?.() === 0;
  return [...(sandboxless ? ['--no-sandbox'] : []), '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run', '--disable-quic'];
}
