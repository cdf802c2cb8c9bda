import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium, type Page } from '@playwright/test';
import { build, type InlineConfig } from 'vite';
import { PageServer } from '../../src/cli/serve.ts';
import { chromiumArgs, findChromium, NO_CHROMIUM } from '../browser.ts';
import type { BenchOptions } from './options.ts';

/** `product`: the page as it is shipped. `bench`: a page with nothing but the functions that are measured, over the product's modules. */
const BUILDS = {
  product: (outDir: string): InlineConfig => ({ configFile: 'vite.config.ts', build: { outDir, emptyOutDir: true } }),
  bench: (outDir: string): InlineConfig => ({
    configFile: false,
    root: 'e2e/bench/page',
    base: './',
    publicDir: resolve('public'),
    worker: { format: 'es' },
    build: { outDir, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 3000 },
  }),
};
export type Site = keyof typeof BUILDS;

/** What rows run on: builds, servers and browsers as they are needed, and a folder for large inputs that goes at the end. */
export class Stage {
  readonly folder = mkdtempSync(join(tmpdir(), 'contextscope-bench-'));
  private readonly files = new Map<string, Promise<string>>();
  private readonly sites = new Map<Site, Promise<{ url: string; server: PageServer }>>();

  private constructor(readonly options: BenchOptions, readonly log: (line: string) => void, private readonly executablePath: string | undefined) {}

  static async open(options: BenchOptions, log: (line: string) => void): Promise<Stage> {
    const executablePath = await findChromium();
    if (executablePath === null) throw new Error(NO_CHROMIUM);
    return new Stage(options, log, executablePath);
  }

  /** A file in the folder, written when first asked for. */
  file(name: string, write: (path: string) => void | Promise<unknown>): Promise<string> {
    let file = this.files.get(name);
    if (!file) {
      const path = join(this.folder, name);
      file = Promise.resolve(write(path)).then(() => path);
      this.files.set(name, file);
    }
    return file;
  }

  /** Runs with a page in a browser of its own with an empty profile on disk (an ordinary context keeps IndexedDB in memory). */
  async withPage<T>(site: Site, run: (page: Page, url: string) => Promise<T>): Promise<T> {
    const { url } = await this.site(site);
    const profile = mkdtempSync(join(this.folder, 'profile-'));
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: this.executablePath, args: chromiumArgs(this.executablePath), viewport: { width: 1600, height: 1000 },
    });
    try {
      const page = context.pages()[0] ?? (await context.newPage());
      page.setDefaultTimeout(300_000);
      page.on('pageerror', (error) => this.log(`  page: ${error.message}`));
      return await run(page, url);
    } finally {
      await context.close();
      rmSync(profile, { recursive: true, force: true });
    }
  }

  async close(): Promise<void> {
    const opened = await Promise.allSettled(this.sites.values());
    for (const site of opened) if (site.status === 'fulfilled') await site.value.server.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private site(site: Site): Promise<{ url: string; server: PageServer }> {
    let opened = this.sites.get(site);
    if (!opened) this.sites.set(site, (opened = this.openSite(site)));
    return opened;
  }

  private async openSite(site: Site): Promise<{ url: string; server: PageServer }> {
    this.log(`Building the ${site} page`);
    // Not below test-results: another run, or `npm test`, would clear it under this one.
    const outDir = join(this.folder, site);
    await build({ ...BUILDS[site](outDir), logLevel: 'error' });
    const server = new PageServer(outDir);
    const port = await freePort();
    await server.listen(port);
    return { url: `http://127.0.0.1:${port}/`, server };
  }
}

function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once('error', fail);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => done(port));
    });
  });
}
