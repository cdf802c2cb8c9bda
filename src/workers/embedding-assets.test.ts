import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fetchingReader } from './embedding-assets';

const good = new TextEncoder().encode('0123456789');
const asset = { path: 'a/model.onnx', bytes: good.length, sha256: createHash('sha256').update(good).digest('hex') };

/** Answers each request with the next response; remembers what was asked. */
function server(...answers: (Response | Error)[]): { fetchFile: typeof fetch; asked: [string, RequestCache | undefined][] } {
  const asked: [string, RequestCache | undefined][] = [];
  const fetchFile: typeof fetch = (url, init) => {
    asked.push([String(url), init?.cache]);
    const answer = answers.shift() ?? new Error('one request too many');
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  };
  return { fetchFile, asked };
}

describe('fetchingReader', () => {
  it('reads below the page, also in a subfolder, with progress', async () => {
    const { fetchFile, asked } = server(new Response(good));
    const seen: number[] = [];
    const bytes = await fetchingReader('http://host/sub/index.html?x#/run', fetchFile)(asset, { onBytes: (n) => seen.push(n) });
    expect(bytes).toEqual(good);
    expect(asked).toEqual([['http://host/sub/models/a/model.onnx', 'default']]);
    expect(seen.at(-1)).toBe(10);
  });

  it('asks once more past the cache for a damaged file', async () => {
    const { fetchFile, asked } = server(new Response('01234x6789'), new Response(good));
    await expect(fetchingReader('http://host/', fetchFile)(asset)).resolves.toEqual(good);
    expect(asked.map(([, cache]) => cache)).toEqual(['default', 'reload']);
  });

  it.each([
    ['damaged twice', [new Response('01234x6789'), new Response('01234x6789')], 'corrupt', 'expected SHA-256'],
    ['too long', [new Response('0123456789abc'), new Response('0123456789abc')], 'corrupt', 'expected 10 bytes, found 11'],
    ['cut', [new Response('0123'), new Response('0123')], 'corrupt', 'expected 10 bytes, found 4'],
    ['a start page', [new Response('<!DOCTYPE html><p>app')], 'not-found', 'found a web page'],
    ['missing', [new Response('', { status: 404 })], 'not-found', 'the server answered 404'],
    ['no server', [new TypeError('Failed to fetch')], 'not-found', 'Failed to fetch'],
  ] as const)('tells what is wrong: %s', async (_, answers, code, words) => {
    const { fetchFile } = server(...answers);
    await expect(fetchingReader('http://host/', fetchFile)(asset)).rejects.toMatchObject({ code, message: expect.stringContaining(words) as string });
  });
});
