import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serve, type PageServer } from './serve';

let root: string;
let server: PageServer | null = null;
const port = 20_000 + (process.pid % 20_000);
const url = `http://127.0.0.1:${port}/`;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'contextscope-'));
  await writeFile(join(root, 'index.html'), '<!doctype html>');
  await writeFile(join(root, 'run.jsonl'), '{}\n');
});
afterEach(async () => {
  await server?.close();
  server = null;
  await rm(root, { recursive: true });
});

const start = (files: string[] = []) => serve({ root, files, port, open: false, log: () => undefined });

describe('serve', () => {
  it('serves the page isolated and with a policy that names no other origin', async () => {
    server = await start();
    const response = await fetch(url);
    expect(response.headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    expect(response.headers.get('content-security-policy')).not.toMatch(/https?:|unsafe-inline|'unsafe-eval'/);
    expect(await response.text()).toBe('<!doctype html>');
  });

  it('answers 404 for what is missing and for paths outside the page', async () => {
    server = await start();
    expect((await fetch(`${url}models/missing.onnx`)).status).toBe(404);
    expect((await fetch(`${url}..%2f..%2fetc/passwd`)).status).toBe(404);
  });

  it('lists a file to open until its bytes were delivered', async () => {
    server = await start([join(root, 'run.jsonl')]);
    const list = (await (await fetch(`${url}_open/index.json`)).json()) as { id: number; name: string; size: number }[];
    expect(list).toEqual([{ id: 1, name: 'run.jsonl', size: 3 }]);
    expect(await (await fetch(`${url}_open/1`)).text()).toBe('{}\n');
    expect(await (await fetch(`${url}_open/index.json`)).json()).toEqual([]);
  });

  it('hands files to the server that already runs', async () => {
    server = await start();
    expect(await start([join(root, 'run.jsonl')])).toBeNull();
    expect(await (await fetch(`${url}_open/index.json`)).json()).toHaveLength(1);
  });

  it('does not open files for a page of another site, nor under another host name', async () => {
    server = await start();
    expect((await fetch(`${url}_open`, { method: 'POST', body: '["/etc/passwd"]' })).status).toBe(403);
    const status = await new Promise((done) => request(url, { headers: { host: 'evil.example' } }, (response) => done(response.statusCode)).end());
    expect(status).toBe(403);
  });

  it('says what to do when another program has the port', async () => {
    const other = createServer((_, response) => response.end('other')).listen(port, '127.0.0.1');
    await expect(start()).rejects.toThrow(/another program.*--port/);
    await new Promise((done) => other.close(done));
  });

  it('refuses a missing file by its path', async () => {
    await expect(start([join(root, 'none.jsonl')])).rejects.toThrow(/none\.jsonl/);
  });
});
