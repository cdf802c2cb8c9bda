import { ContextscopeError } from '../core/base/errors';
import { checkAsset } from '../core/embedding/assets';
import type { AssetFile } from '../core/embedding/registry';

/** Reads one file of `models/`, checked: size and SHA-256. Throws `not-found`, `corrupt` or `cancelled`. */
export type AssetReader = (asset: AssetFile, options?: { signal?: AbortSignal; onBytes?: (bytes: number) => void }) => Promise<Uint8Array<ArrayBuffer>>;

/**
 * Fetches from `models/` beside the page (`baseUrl` = its base URI, also under a subfolder). The browser's HTTP cache
 * keeps the files; a damaged copy there is asked for once more past the cache.
 */
export function fetchingReader(baseUrl: string, fetchFile: typeof fetch = (...args) => fetch(...args)): AssetReader {
  return async (asset, { signal, onBytes } = {}) => {
    const url = new URL(`models/${asset.path}`, baseUrl).href;
    const load = async (cache: RequestCache): Promise<Uint8Array<ArrayBuffer>> => {
      const response = await fetchFile(url, { cache, ...(signal ? { signal } : {}) }).catch((error: unknown) => {
        if (signal?.aborted) throw new ContextscopeError('cancelled', 'Cancelled.');
        throw new ContextscopeError('not-found', `The encoder file ${asset.path} could not be fetched from ${url}: ${error instanceof Error ? error.message : String(error)}. Is the server running?`, { file: url });
      });
      if (!response.ok) {
        throw new ContextscopeError('not-found', `Expected the encoder file ${asset.path} at ${url}, the server answered ${response.status}. Serve the built folder with its models/.`, { file: url });
      }
      const bytes = await readBody(response, asset.bytes, onBytes);
      await checkAsset(asset, bytes, url);
      return bytes;
    };
    try {
      return await load('default');
    } catch (error) {
      if (!(error instanceof ContextscopeError) || error.code !== 'corrupt') throw error;
      return load('reload');
    }
  };
}

/** Body as bytes; longer than `limit` is given up early, it is the wrong file. */
async function readBody(response: Response, limit: number, onBytes?: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader();
  if (reader === undefined) return new Uint8Array(await response.arrayBuffer());
  const bytes = new Uint8Array(limit + 1);
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return bytes.subarray(0, length);
    const room = Math.min(value.length, bytes.length - length);
    bytes.set(value.subarray(0, room), length);
    length += room;
    onBytes?.(length);
    if (length > limit) {
      await reader.cancel();
      return bytes;
    }
  }
}
