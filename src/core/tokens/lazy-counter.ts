import { loadTokenCounter } from './counter';
import type { EncodingName } from '../trace/blocks-types';
import type { TokenCounter } from './types';

/** Thrown by the counter that is not there yet; never leaves `withCounter`. */
class NotLoaded extends Error {}

const loaded = new Map<EncodingName, TokenCounter>();

/**
 * Runs `work` with a counter of the encoding whose table (2 MB of code) is loaded only when a text is really counted:
 * then what was begun is thrown away and begun again. For work that often counts nothing and has no effect until it returns.
 */
export async function withCounter<T>(encoding: EncodingName, work: (count: (text: string) => number) => T, load: (encoding: EncodingName) => Promise<TokenCounter> = loadTokenCounter): Promise<T> {
  const known = loaded.get(encoding);
  if (known) return work((text) => known.count(text));
  try {
    return work(() => {
      throw new NotLoaded();
    });
  } catch (error) {
    if (!(error instanceof NotLoaded)) throw error;
  }
  const counter = await load(encoding);
  loaded.set(encoding, counter);
  return work((text) => counter.count(text));
}
