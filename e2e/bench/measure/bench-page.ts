import type { Page } from '@playwright/test';
import type { ComputeCalls } from '../page/compute.worker.ts';
import type { EmbeddingCalls } from '../page/embedding.worker.ts';
import type { Stage } from '../stage.ts';

/** The benchmark page, driven from Node. */
export class BenchDriver {
  constructor(readonly page: Page, readonly url: string) {}

  /** Chosen as a person chooses it, so that it is a File on disk and not bytes in memory. */
  async choose(path: string): Promise<void> {
    await this.page.locator('#file').setInputFiles(path);
  }

  importFile(): Promise<number> {
    return this.page.evaluate(() => window.bench.importFile());
  }
  bareImport(): Promise<number> {
    return this.page.evaluate(() => window.bench.bareImport());
  }

  /** `'file'` among the arguments stands for the chosen file. */
  compute<K extends keyof ComputeCalls>(call: K, ...args: unknown[]): Promise<Awaited<ReturnType<ComputeCalls[K]>>> {
    return this.page.evaluate(([name, list]) => window.bench.compute(name, ...(list.map((arg) => (arg === 'file' ? window.bench.file() : arg)) as never)), [call, args] as const) as never;
  }
  embedding<K extends keyof EmbeddingCalls>(call: K, ...args: Parameters<EmbeddingCalls[K]>): Promise<Awaited<ReturnType<EmbeddingCalls[K]>>> {
    return this.page.evaluate(([name, list]) => window.bench.embedding(name, ...(list as never)), [call, args as unknown[]] as const) as never;
  }
}

/** Runs with the benchmark page in a fresh browser. */
export function onBenchPage<T>(stage: Stage, run: (driver: BenchDriver) => Promise<T>): Promise<T> {
  return stage.withPage('bench', async (page, url) => {
    await page.goto(url);
    await page.waitForFunction(() => 'bench' in window);
    return run(new BenchDriver(page, url));
  });
}
