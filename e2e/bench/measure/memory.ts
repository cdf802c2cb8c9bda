import { HeapSampler } from '../heap-sampler.ts';
import { MB } from '../numbers.ts';
import { makeRow, type Row } from '../rows.ts';
import type { Stage } from '../stage.ts';
import { onBenchPage } from './bench-page.ts';
import { session } from './import.ts';

const LIMIT_MB = 300;

export async function measureMemory(stage: Stage): Promise<Row> {
  const { quick, full } = stage.options;
  const megabytes = quick ? 50 : full ? 500 : 200;
  const path = await session(stage, megabytes);
  const { peak, before } = await onBenchPage(stage, async (driver) => {
    await driver.choose(path);
    const idle = await HeapSampler.start(driver.page);
    const empty = await idle.stop();
    const sampler = await HeapSampler.start(driver.page);
    await driver.importFile();
    return { peak: await sampler.stop(), before: empty };
  });
  return makeRow('memory', {
    what: `peak JS heap of page and workers ${(peak.heap / MB).toFixed(0)} MB (${(before.heap / MB).toFixed(0)} MB before), array buffers beside it at most ${(peak.buffers / MB).toFixed(0)} MB; ${peak.scripts} scripts`,
    ratio: peak.heap / (LIMIT_MB * MB),
    baseline: `${LIMIT_MB} MB`,
    size: `importing ${megabytes} MB${full ? '' : ' (500 with --full)'}`,
  });
}
