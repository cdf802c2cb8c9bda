import { ContextscopeError } from '../base/errors';
import { sha256HexOfBytes } from '../base/sha256';
import type { AssetFile } from './registry';

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  // crypto.subtle is several times faster on 23 MB, but absent on a page that is neither https nor localhost.
  if (globalThis.crypto?.subtle === undefined) return sha256HexOfBytes(bytes);
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Static servers answer a missing path with their start page and status 200: name that case, it is the usual one. */
function looksLikeHtml(bytes: Uint8Array): boolean {
  return /^\s*<(!doctype|html|head)/i.test(new TextDecoder().decode(bytes.subarray(0, 64)));
}

/** Throws `not-found` for a web page in place of the file, `corrupt` for any other difference in size or SHA-256. */
export async function checkAsset(asset: AssetFile, bytes: Uint8Array<ArrayBuffer>, where: string): Promise<void> {
  const { path } = asset;
  if (looksLikeHtml(bytes)) {
    throw new ContextscopeError('not-found', `Expected the encoder file ${path} at ${where}, found a web page: the file is missing on the server. Serve the built folder with its models/.`, { file: where });
  }
  if (bytes.length !== asset.bytes) {
    throw new ContextscopeError('corrupt', `Encoder file ${path}: expected ${asset.bytes} bytes, found ${bytes.length} at ${where}. Reload; if it stays, install again.`, { file: where });
  }
  const found = await digestOf(bytes);
  if (found !== asset.sha256) {
    throw new ContextscopeError('corrupt', `Encoder file ${path}: expected SHA-256 ${asset.sha256}, found ${found} at ${where}. The file is damaged; reload, and if it stays, install again.`, { file: where });
  }
}

/** JSON of a checked file; what parses is an object because its hash is known. */
export function parseJsonAsset(bytes: Uint8Array): object {
  return JSON.parse(new TextDecoder().decode(bytes)) as object;
}
