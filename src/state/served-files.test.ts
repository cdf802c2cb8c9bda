import { describe, expect, it } from 'vitest';
import { servedFiles } from './served-files';

const at = (search: string) => ({ href: `http://127.0.0.1:4747/${search}`, origin: 'http://127.0.0.1:4747', search });
const server = (routes: Record<string, Response>): { get: typeof fetch; asked: string[] } => {
  const asked: string[] = [];
  return { asked, get: async (input) => { asked.push(String(input)); return routes[new URL(String(input)).pathname] ?? new Response('', { status: 404 }); } };
};

describe('served files', () => {
  it('takes what the local server lists', async () => {
    const { get } = server({
      '/_open/index.json': Response.json([{ id: 4, name: 'run.jsonl', size: 3 }, { bad: true }]),
      '/_open/4': new Response('abc'),
    });
    const { files, problems } = await servedFiles(at(''), get);
    expect(files.map(({ name }) => name)).toEqual(['run.jsonl']);
    expect(await files[0]?.blob.text()).toBe('abc');
    expect(problems).toEqual([]);
  });

  it('a server without the list, or one that answers with the page, has nothing to open', async () => {
    expect((await servedFiles(at(''), server({}).get)).files).toEqual([]);
    const page = server({ '/_open/index.json': new Response('<html>', { headers: { 'content-type': 'text/html' } }) });
    expect((await servedFiles(at(''), page.get)).files).toEqual([]);
  });

  it('?url= of another origin is refused without a request to it', async () => {
    const { get, asked } = server({});
    const { files, problems } = await servedFiles(at('?url=https://example.org/run.jsonl'), get);
    expect(files).toEqual([]);
    expect(problems[0]).toMatch(/another server/);
    expect(asked.every((url) => url.startsWith('http://127.0.0.1:4747/'))).toBe(true);
  });

  it('?url= of the own origin is read', async () => {
    const { files } = await servedFiles(at('?url=runs/a%20b.jsonl'), server({ '/runs/a%20b.jsonl': new Response('x') }).get);
    expect(files.map(({ name }) => name)).toEqual(['a b.jsonl']);
  });
});
