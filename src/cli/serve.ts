import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, extname, join, normalize, resolve, sep } from 'node:path';
import { ContextscopeError } from '../core/base/errors';
import { CSP_HEADER, ISOLATION_HEADERS } from './http-headers';

/** Always the same unless told otherwise: another port is another origin and would show an empty library. */
export const DEFAULT_PORT = 4747;
const HOST = '127.0.0.1';
/** A web page elsewhere cannot send this without a preflight, which is refused: only a local process opens files. */
const OPEN_HEADER = 'x-contextscope-open';

const MIME: Record<string, string> = {
  '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml', '.json': 'application/json; charset=utf-8', '.wasm': 'application/wasm',
  '.png': 'image/png', '.txt': 'text/plain; charset=utf-8', '.onnx': 'application/octet-stream', '.jsonl': 'application/x-ndjson; charset=utf-8',
};

interface OpenEntry { id: number; path: string; name: string; size: number }

/** What `npm start` runs: the built page below `root`, and the files that the page is asked to open. */
export class PageServer {
  #entries: OpenEntry[] = [];
  #nextId = 1;
  #server: Server | null = null;

  constructor(private readonly root: string) {}

  async add(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const absolute = resolve(path);
      const info = await stat(absolute).catch(() => null);
      if (!info?.isFile()) throw new ContextscopeError('not-found', `Expected a file to open, found nothing readable at ${absolute}. Check the path.`);
      this.#entries.push({ id: this.#nextId++, path: absolute, name: basename(absolute), size: info.size });
    }
  }

  listen(port: number): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => {
        if (!response.headersSent) response.writeHead(500);
        response.end();
      });
    });
    this.#server = server;
    return new Promise((done, fail) => {
      server.once('error', fail);
      server.listen(port, HOST, () => done());
    });
  }

  close(): Promise<void> {
    return new Promise((done) => (this.#server ? this.#server.close(() => done()) : done()));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const host = (request.headers.host ?? '').replace(/:\d+$/, '');
    // Another name for 127.0.0.1 would be a rebinding attack on the files that are open.
    if (host !== HOST && host !== 'localhost') return void response.writeHead(403).end('Unknown host.');
    const path = decodeURIComponent(new URL(request.url ?? '/', `http://${HOST}`).pathname);
    if (path === '/_contextscope') return sendJson(response, { app: 'contextscope' });
    if (path === '/_open' && request.method === 'POST') return this.#open(request, response);
    if (request.method !== 'GET' && request.method !== 'HEAD') return void response.writeHead(405).end();
    if (path === '/_open/index.json') return sendJson(response, this.#entries.map(({ id, name, size }) => ({ id, name, size })));
    const asked = /^\/_open\/(\d+)$/.exec(path);
    if (asked) return this.#deliver(Number(asked[1]), response);
    return this.#static(path, request, response);
  }

  async #open(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!request.headers[OPEN_HEADER]) return void response.writeHead(403).end();
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const paths: unknown = JSON.parse(body);
    if (!Array.isArray(paths) || !paths.every((path): path is string => typeof path === 'string')) return void response.writeHead(400).end();
    await this.add(paths);
    sendJson(response, { ok: true });
  }

  /** Bytes of a file to open; once delivered it leaves the list, so that a reload does not import it again. */
  #deliver(id: number, response: ServerResponse): void {
    const entry = this.#entries.find((candidate) => candidate.id === id);
    if (!entry) return void response.writeHead(404).end();
    response.writeHead(200, { ...ISOLATION_HEADERS, 'Content-Type': 'application/octet-stream', 'Content-Length': entry.size, 'Cache-Control': 'no-store' });
    let sent = 0;
    createReadStream(entry.path)
      .on('data', (chunk) => {
        sent += chunk.length;
        // With the last byte, not at the end of the stream: the page may ask for the list right after it.
        if (sent >= entry.size) this.#entries = this.#entries.filter((other) => other !== entry);
      })
      .on('error', () => response.destroy())
      .pipe(response);
  }

  async #static(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const file = normalize(join(this.root, path.endsWith('/') ? `${path}index.html` : path));
    const inside = file.startsWith(this.root + sep);
    const info = inside ? await stat(file).catch(() => null) : null;
    // A missing file is 404, never the page: a model that is not there must not look like one.
    if (!info?.isFile()) return void response.writeHead(404, { 'Content-Type': 'text/plain' }).end('Not found.');
    const etag = `"${info.size.toString(36)}-${Math.floor(info.mtimeMs).toString(36)}"`;
    const headers = {
      ...ISOLATION_HEADERS,
      'Content-Security-Policy': CSP_HEADER,
      'Content-Type': MIME[extname(file)] ?? 'application/octet-stream',
      'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'X-Content-Type-Options': 'nosniff',
      'Referrer-Policy': 'no-referrer',
      ETag: etag,
    };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    response.writeHead(200, { ...headers, 'Content-Length': info.size });
    if (request.method === 'HEAD') return void response.end();
    createReadStream(file).on('error', () => response.destroy()).pipe(response);
  }
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { ...ISOLATION_HEADERS, 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }).end(JSON.stringify(value));
}

export interface ServeOptions { root: string; files: readonly string[]; port: number; open: boolean; log: (line: string) => void }

/** Serves until stopped; when our own server already has the port, hands it the files and returns null. */
export async function serve({ root, files, port, open, log }: ServeOptions): Promise<PageServer | null> {
  const url = `http://${HOST}:${port}/`;
  const server = new PageServer(resolve(root));
  await server.add(files);
  try {
    await server.listen(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    if (!(await isOurs(url))) {
      throw new ContextscopeError('bad-argument', `Expected port ${port} to be free, found another program on it. Stop that program or choose another port: --port ${port + 1} (another port has a library of its own).`);
    }
    const headers = { [OPEN_HEADER]: '1', 'Content-Type': 'application/json' };
    if (files.length > 0) await fetch(`${url}_open`, { method: 'POST', headers, body: JSON.stringify(files.map((file) => resolve(file))) });
    log(`Already running at ${url}${files.length > 0 ? '; the files are opened there' : ''}`);
    if (open) openBrowser(url);
    return null;
  }
  log(`Contextscope is at ${url} (Ctrl+C stops it)`);
  if (open) openBrowser(url);
  return server;
}

async function isOurs(url: string): Promise<boolean> {
  try {
    const answer: unknown = await (await fetch(`${url}_contextscope`, { signal: AbortSignal.timeout(2000) })).json();
    return (answer as { app?: unknown } | null)?.app === 'contextscope';
  } catch {
    return false;
  }
}

function openBrowser(url: string): void {
  const [command, args] =
    process.platform === 'darwin' ? ['open', [url]] as const
    : process.platform === 'win32' ? ['cmd', ['/c', 'start', '', url]] as const
    : ['xdg-open', [url]] as const;
  // No browser to open is no error: the address is printed.
  spawn(command, args, { stdio: 'ignore', detached: true }).on('error', () => undefined).unref();
}
