import { createWorkbench } from '../../../src/workers/client.ts';
import { askWorker } from './calls.ts';
import type { BenchPage } from './bench-page.ts';

const workbench = createWorkbench();
const workers = new Map<string, (call: string, args: unknown[]) => Promise<unknown>>();
/** Started when first needed, as the product's are. */
const worker = (name: string, make: () => Worker): ((call: string, args: unknown[]) => Promise<unknown>) => {
  let ask = workers.get(name);
  if (!ask) workers.set(name, (ask = askWorker(make())));
  return ask;
};
const bare = () => worker('bare', () => new Worker(new URL('./bare-import.worker.ts', import.meta.url), { type: 'module' }));
const compute = () => worker('compute', () => new Worker(new URL('./compute.worker.ts', import.meta.url), { type: 'module' }));
const embedding = () => worker('embedding', () => new Worker(new URL('./embedding.worker.ts', import.meta.url), { type: 'module' }));

function file(): File {
  const chosen = document.querySelector<HTMLInputElement>('#file')?.files?.[0];
  if (!chosen) throw new Error('No file was chosen.');
  return chosen;
}

window.bench = {
  file,
  importFile: async () => {
    const opened = await workbench;
    const blob = file();
    const began = performance.now();
    const { runs, failures } = await opened.importFiles([{ name: blob.name, blob }]);
    const spent = performance.now() - began;
    const [first] = runs;
    if (first === undefined) throw new Error(failures[0]?.message ?? 'Nothing was imported.');
    await opened.library.forget(first);
    return spent;
  },
  bareImport: () => bare()('bareImport', [file()]) as Promise<number>,
  firstSteps: async () => {
    const opened = await workbench;
    const blob = file();
    const reading = performance.now();
    await blob.slice(0, 1_000_000).arrayBuffer();
    const readMs = performance.now() - reading;
    const controller = new AbortController();
    let bytes = 0;
    const began = performance.now();
    const firstMs = await new Promise<number>((resolve, reject) => {
      opened.importFiles([{ name: blob.name, blob }], {
        signal: controller.signal,
        onProgress: ({ done }) => (bytes = done),
        onFirst: () => resolve(performance.now() - began),
      }).then(() => reject(new Error('The file was imported before its first steps came.')), reject);
    });
    const fraction = bytes / blob.size;
    controller.abort();
    return { firstMs, readMs, fraction };
  },
  compute: (call, ...args) => compute()(call, args) as never,
  embedding: (call, ...args) => embedding()(call, args) as never,
} satisfies BenchPage;
