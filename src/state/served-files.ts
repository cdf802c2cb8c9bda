/**
 * Files that the local server (`contextscope serve run.jsonl`) or the address asks to open: `/_open/index.json` lists
 * `[{id, name, size}]`, `/_open/<id>` gives bytes once. `?url=` opens a file of the page's own origin only.
 */
import type { InputFile } from './imports';

export interface ServedFiles { files: InputFile[]; problems: string[] }

export async function servedFiles(location: Pick<Location, 'href' | 'origin' | 'search'>, get: typeof fetch): Promise<ServedFiles> {
  const found: ServedFiles = { files: [], problems: [] };
  const asked = new URLSearchParams(location.search);
  for (const key of ['url', 'open']) {
    const url = asked.get(key);
    if (url) await add(found, new URL(url, location.href), location.origin, get);
  }
  for (const { id, name } of await listed(location, get)) {
    const response = await get(new URL(`/_open/${id}`, location.origin).href);
    if (response.ok) found.files.push({ name, blob: await response.blob() });
  }
  return found;
}

async function add(found: ServedFiles, url: URL, origin: string, get: typeof fetch): Promise<void> {
  if (url.origin !== origin) {
    found.problems.push(`${url.href} is on another server. Nothing is loaded from elsewhere: download the file and drop it here.`);
    return;
  }
  const response = await get(url.href).catch(() => null);
  if (!response?.ok) {
    found.problems.push(`${url.pathname} could not be read from this server${response ? ` (status ${response.status})` : ''}. Check the path.`);
    return;
  }
  found.files.push({ name: decodeURIComponent(url.pathname.split('/').pop() ?? 'file'), blob: await response.blob() });
}

/** A server without the list answers 404 or with the page itself: then there is nothing to open. */
async function listed(location: Pick<Location, 'origin'>, get: typeof fetch): Promise<{ id: number; name: string }[]> {
  try {
    const response = await get(new URL('/_open/index.json', location.origin).href, { cache: 'no-store' });
    if (!response.ok || !(response.headers.get('content-type') ?? '').includes('json')) return [];
    const body: unknown = await response.json();
    if (!Array.isArray(body)) return [];
    return body.filter((one): one is { id: number; name: string } => typeof one === 'object' && one !== null
      && typeof (one as { id?: unknown }).id === 'number' && typeof (one as { name?: unknown }).name === 'string');
  } catch {
    return [];
  }
}
