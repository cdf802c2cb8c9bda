import type { ByteSource } from '../base/byte-source';
import type { ScannedChildren, ScannedValue } from './document-scan';
import { JsonNode, keyText, kindOf } from './json-node';
import type { JsonKind } from './json-node';

const WINDOW_BYTES = 4 * 1024 * 1024;
/** Nodes whose fields were read last: formats ask one node for several fields. */
const RECENT_NODES = 16;
/** Up to here a value is parsed as one string. */
const MAX_STRING_BYTES = 64 * 1024 * 1024;

/** Bytes of a content that is too large to hold, read at once where they are needed. */
export class Pages {
  private window = { from: 0, bytes: new Uint8Array(0) };
  private readonly recent = new Map<number, JsonNode>();

  constructor(private readonly readSync: NonNullable<ByteSource['readSync']>) {}

  read(from: number, length: number): Uint8Array {
    let { window } = this;
    if (from < window.from || from + length > window.from + window.bytes.length) {
      window = { from, bytes: new Uint8Array(this.readSync(from, from + Math.max(length, WINDOW_BYTES))) };
      this.window = window;
    }
    return window.bytes.subarray(from - window.from, from - window.from + length);
  }

  /** A value with its bytes, of which the last few are kept. */
  node(from: number, length: number, cut: boolean): JsonNode {
    let node = this.recent.get(from);
    if (node && node.to === length) return node;
    node = new JsonNode(this.read(from, length), 0, length, from, cut);
    this.recent.delete(from);
    this.recent.set(from, node);
    if (this.recent.size > RECENT_NODES) this.recent.delete(this.recent.keys().next().value!);
    return node;
  }
}

/** A value that is read when it is asked for, and holds nothing. */
class LazyNode extends JsonNode {
  constructor(protected readonly pages: Pages, from: number, to: number, cut: boolean) {
    super(EMPTY, 0, to - from, from, cut);
  }

  override get bytes(): Uint8Array { return this.pages.read(this.base, this.to); }
  override head(limit: number): Uint8Array { return this.pages.read(this.base, Math.min(this.to, limit)); }
  override get kind(): JsonKind { return kindOf(this.head(1)[0]); }
  override fields(): ReadonlyMap<string, JsonNode> { return this.read().fields(); }
  override elements(limit?: number): readonly JsonNode[] { return this.read().elements(limit); }
  override isWhole(): boolean { return this.read().isWhole(); }
  private read(): JsonNode { return this.pages.node(this.base, this.to, this.cut); }
}

const EMPTY = new Uint8Array(0);

/** A container too large to read at once: its children are known from the scan. */
class PagedNode extends LazyNode {
  private known: JsonNode[] | null = null;

  constructor(pages: Pages, from: number, to: number, cut: boolean, private readonly children: ScannedChildren) {
    super(pages, from, to, cut);
  }

  override get kind(): 'object' | 'array' { return this.children.isObject ? 'object' : 'array'; }

  override fields(): ReadonlyMap<string, JsonNode> {
    const found = new Map<string, JsonNode>();
    if (!this.children.isObject) return found;
    const { keyFrom, keyTo } = this.children;
    this.nodes().forEach((node, i) => found.set(this.key(keyFrom[i]!, keyTo[i]!), node));
    return found;
  }

  override elements(limit = Infinity): readonly JsonNode[] {
    if (this.children.isObject) return [];
    const whole = this.nodes().filter((node) => !node.cut);
    return limit === Infinity ? whole : whole.slice(0, limit);
  }

  override isWhole(): boolean { return !this.cut; }

  /** Built from its children, so that no string is larger than one of them, or than 64 MiB. */
  override value(): unknown {
    if (this.to <= MAX_STRING_BYTES) return super.value();
    if (this.cut) throw new SyntaxError('the value is cut off');
    if (this.children.isObject) return Object.fromEntries([...this.fields()].map(([key, node]) => [key, node.value()]));
    return this.elements().map((node) => node.value());
  }

  private nodes(): JsonNode[] {
    return (this.known ??= this.children.from.map((from, i) => pagedNode(this.pages, this.children.known.get(i) ?? { from, to: this.children.to[i]!, cut: false })));
  }

  private key(from: number, to: number): string {
    return keyText(this.pages.read(from, to - from), 0, to - from);
  }
}

/** The node of a scanned value; `pages` are those of the content it was scanned in. */
export function pagedNode(pages: Pages, { from, to, cut, children }: ScannedValue): JsonNode {
  return children ? new PagedNode(pages, from, to, cut, children) : new LazyNode(pages, from, to, cut);
}
