import type { Message } from '../core/trace/model';

/** Messages read at once: neighbours are nearly always wanted too. */
const PAGE = 16;
/** Pages kept; a page of huge tool results may weigh megabytes, so only a few screens are held. */
const MAX_PAGES = 24;

interface Page { messages: Message[] | Error | null; used: number }

/**
 * Texts of one line, read on demand in pages and forgotten when not looked at. `get` answers from memory and asks for
 * what is missing; subscribers hear when it arrives. Keeps the same object for a position while its page is held.
 */
export class MessageCache {
  private readonly pages = new Map<number, Page>();
  private readonly listeners = new Set<() => void>();
  private clock = 0;

  constructor(
    private readonly rows: Uint32Array,
    private readonly read: (rows: Uint32Array) => Promise<Message[]>,
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  get(position: number): Message | Error | undefined {
    if (position < 0 || position >= this.rows.length) return undefined;
    const index = Math.floor(position / PAGE);
    const page = this.pages.get(index) ?? this.fetch(index);
    page.used = ++this.clock;
    if (page.messages === null) return undefined;
    return page.messages instanceof Error ? page.messages : page.messages[position - index * PAGE];
  }

  private fetch(index: number): Page {
    const page: Page = { messages: null, used: 0 };
    this.pages.set(index, page);
    this.forgetOldest();
    const from = index * PAGE;
    this.read(this.rows.slice(from, from + PAGE)).then(
      (messages) => { page.messages = messages; },
      (error: unknown) => { page.messages = error instanceof Error ? error : new Error(String(error)); },
    ).finally(() => this.listeners.forEach((listener) => listener()));
    return page;
  }

  private forgetOldest(): void {
    if (this.pages.size <= MAX_PAGES) return;
    const oldest = [...this.pages].reduce((a, b) => (b[1].used < a[1].used && b[1].messages !== null ? b : a));
    if (oldest[1].messages !== null) this.pages.delete(oldest[0]);
  }
}
