import { ContextscopeError, throwIfCancelled } from './errors';
import { memorySpool } from './spool';
import type { Spool } from './spool';

/** Where unpacking stops (quality.md §3 "Zip bombs"). Tests lower them. */
export interface UnpackLimits {
  /** All that one given file unpacks to, bytes of archives inside archives included. */
  maxBytes: number;
  /** Unpacked : packed, once `freeBytes` are out. Real logs repeat themselves a lot; deflate's own end is 1 : 1032. */
  maxRatio: number;
  freeBytes: number;
  maxMembers: number;
  /** Containers in containers. */
  maxDepth: number;
}

const UNPACK_LIMITS: UnpackLimits = { maxBytes: 2 * 1024 ** 3, maxRatio: 500, freeBytes: 64 * 1024 ** 2, maxMembers: 20_000, maxDepth: 4 };

export interface UnpackOptions {
  limits?: Partial<UnpackLimits>;
  signal?: AbortSignal;
  /** Where unpacked bytes go; memory unless given. */
  createSpool?: () => Spool;
  onBytes?: (unpacked: number) => void;
}

/** Watches over everything that one given file unpacks to. */
export class UnpackGuard<Options extends UnpackOptions = UnpackOptions> {
  private readonly limits: UnpackLimits;
  private unpacked = 0;
  private members = 0;

  constructor(readonly file: string, private readonly packed: number, readonly options: Options) {
    this.limits = { ...UNPACK_LIMITS, ...options.limits };
  }

  /** Called with every piece that comes out. Throws 'too-large' or 'cancelled'. */
  add(bytes: number): void {
    throwIfCancelled(this.options.signal);
    this.unpacked += bytes;
    this.options.onBytes?.(this.unpacked);
    const { maxBytes, maxRatio, freeBytes } = this.limits;
    if (this.unpacked > maxBytes) this.refuse(`unpacks to more than ${mebibytes(maxBytes)} MiB`);
    if (this.unpacked > freeBytes && this.unpacked > this.packed * maxRatio) this.refuse(`unpacks to more than ${maxRatio} times its ${this.packed} bytes`);
  }

  addMember(): void {
    throwIfCancelled(this.options.signal);
    if (++this.members > this.limits.maxMembers) this.refuse(`holds more than ${this.limits.maxMembers} files`);
  }

  enter(depth: number): void {
    if (depth > this.limits.maxDepth) this.refuse(`holds archives inside archives, more than ${this.limits.maxDepth} deep`);
  }

  spool(): Spool { return (this.options.createSpool ?? memorySpool)(); }

  private refuse(what: string): never {
    throw new ContextscopeError('too-large', `${this.file} ${what}: it was not unpacked further. If that is right, unpack it yourself and give the files inside.`, { file: this.file });
  }
}

function mebibytes(bytes: number): number {
  return Math.round(bytes / 1024 ** 2);
}
