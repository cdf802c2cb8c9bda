import wasmUrl from 'sql.js/dist/sql-wasm-browser.wasm?url';
import { ContextscopeError } from '../core/base/errors';

/** SQLite for the browser, served from our own origin; 0.7 MB, fetched when the first database is opened. */
export async function loadSqliteWasm(): Promise<ArrayBuffer> {
  const response = await fetch(new URL(wasmUrl, self.location.href)).catch(() => null);
  if (!response?.ok) throw new ContextscopeError('not-found', `The SQLite reader could not be loaded from ${wasmUrl} (${response ? `status ${response.status}` : 'no answer'}): reload the page, and check that its files are complete.`);
  return response.arrayBuffer();
}
