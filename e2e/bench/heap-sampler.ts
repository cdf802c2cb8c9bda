import type { CDPSession, Page } from '@playwright/test';

interface HeapUsage { usedSize: number; backingStorageSize?: number }
interface Target { session: string; url: string; pending: Set<number> }
export interface HeapPeak {
  /** Bytes: the largest sum over page and workers of one round of samples. */
  heap: number;
  /** Array buffers outside of the JS heap, the largest sum. */
  buffers: number;
  samples: number;
  /** Most scripts sampled at once, page included. */
  scripts: number;
}

const EVERY_MS = 40;

/** Samples the JS heaps of a page and of all its workers, nested ones too, over the debugging protocol until `stop`. */
export class HeapSampler {
  private readonly targets = new Map<string, Target>();
  /** Latest answer of each script; a worker in the middle of a task answers after it. */
  private readonly latest = new Map<string, HeapUsage>();
  private readonly peak: HeapPeak = { heap: 0, buffers: 0, samples: 0, scripts: 0 };
  private nextId = 1;
  private running = true;
  private loop: Promise<void> = Promise.resolve();

  private constructor(private readonly cdp: CDPSession) {}

  static async start(page: Page): Promise<HeapSampler> {
    const cdp = await page.context().newCDPSession(page);
    const sampler = new HeapSampler(cdp);
    // Not flat: the driver routes no messages of foreign sessions, so they come wrapped.
    cdp.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => sampler.attached(sessionId, targetInfo.url));
    cdp.on('Target.detachedFromTarget', ({ sessionId }) => sampler.detached(sessionId));
    cdp.on('Target.receivedMessageFromTarget', ({ sessionId, message }) => sampler.received(sessionId, message));
    await cdp.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
    sampler.loop = sampler.run();
    return sampler;
  }

  async stop(): Promise<HeapPeak> {
    this.running = false;
    await this.loop;
    await this.cdp.detach();
    return this.peak;
  }

  private async run(): Promise<void> {
    while (this.running) {
      this.latest.set('page', await this.cdp.send('Runtime.getHeapUsage'));
      for (const target of this.targets.values()) if (target.pending.size === 0) this.ask(target, 'Runtime.getHeapUsage', {});
      await new Promise((done) => setTimeout(done, EVERY_MS));
      this.note();
    }
  }

  private attached(session: string, url: string): void {
    const target: Target = { session, url, pending: new Set() };
    this.targets.set(session, target);
    // Workers that this one starts.
    this.send(target, this.nextId++, 'Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  }

  private detached(session: string): void {
    this.targets.delete(session);
    this.latest.delete(session);
  }

  private received(session: string, text: string): void {
    const message = JSON.parse(text) as { id?: number; result?: HeapUsage; method?: string; params?: { sessionId: string; targetInfo?: { url: string }; message?: string } };
    const target = this.targets.get(session);
    if (message.id !== undefined && target?.pending.delete(message.id) && message.result) {
      this.latest.set(session, message.result);
      this.note();
    } else if (message.method === 'Target.attachedToTarget') this.attachedBelow(session, message.params!.sessionId);
    else if (message.method === 'Target.receivedMessageFromTarget') this.received(`${session} ${message.params!.sessionId}`, message.params!.message!);
    else if (message.method === 'Target.detachedFromTarget') this.detached(`${session} ${message.params!.sessionId}`);
  }

  /** A worker of a worker: its name is the way to it. */
  private attachedBelow(session: string, below: string): void {
    this.attached(`${session} ${below}`, '');
  }

  private ask(target: Target, method: string, params: object): void {
    const id = this.nextId++;
    target.pending.add(id);
    this.send(target, id, method, params);
  }

  private send({ session }: Target, id: number, method: string, params: object): void {
    const way = session.split(' ');
    // Wrapped from the inside out: the last name receives the command itself.
    let message = JSON.stringify({ id, method, params });
    for (let i = way.length - 1; i > 0; i--) message = JSON.stringify({ id: this.nextId++, method: 'Target.sendMessageToTarget', params: { sessionId: way[i], message } });
    // A worker that has just ended cannot be asked.
    this.cdp.send('Target.sendMessageToTarget', { sessionId: way[0]!, message }).catch(() => undefined);
  }

  private note(): void {
    const all = [...this.latest.values()];
    this.peak.heap = Math.max(this.peak.heap, all.reduce((sum, usage) => sum + usage.usedSize, 0));
    this.peak.buffers = Math.max(this.peak.buffers, all.reduce((sum, usage) => sum + (usage.backingStorageSize ?? 0), 0));
    this.peak.scripts = Math.max(this.peak.scripts, all.length);
    this.peak.samples++;
  }
}
