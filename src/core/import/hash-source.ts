import type { ByteSource } from '../base/byte-source';
import { ContextscopeError, throwIfCancelled } from '../base/errors';
import { nobleHasher } from '../base/hasher';
import type { Hasher } from '../base/hasher';
import type { ImportOptions } from './types';

const STEP_BYTES = 4 * 1024 * 1024;

export function hasherFor(source: ByteSource, options: ImportOptions): Hasher {
  return options.createHasher?.(source) ?? nobleHasher();
}

/** SHA-256 of all bytes of a source, in slices. Throws 'cancelled', 'corrupt'. */
export async function hashSource(source: ByteSource, options: ImportOptions): Promise<string> {
  const hasher = hasherFor(source, options);
  if (hasher.readsItself) return hasher.digest();
  for (let at = 0; at < source.size; at += STEP_BYTES) {
    throwIfCancelled(options.signal);
    const bytes = await source.read(at, at + STEP_BYTES);
    if (bytes.length === 0) throw new ContextscopeError('corrupt', `${source.name} changed while it was read.`, { file: source.name });
    hasher.update(bytes);
  }
  return hasher.digest();
}
