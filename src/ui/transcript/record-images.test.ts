import { describe, expect, it } from 'vitest';
import { contentParts } from '../../core/import/content-parts';
import type { ImagePart } from '../../core/trace/model';
import { imageUrl, imagesOfParts, recordImages } from './record-images';

/** One transparent pixel. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const WRITTEN = [
  ['Anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }],
  ['OpenAI', { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } }],
  ['pi', { type: 'image', data: PNG, mimeType: 'image/png' }],
] as const;

describe('pictures of a record', () => {
  it.each(WRITTEN)('%s: the part that the importer made finds its picture', (_, block) => {
    const parts = contentParts([{ type: 'text', text: 'see' }, block]).filter((part): part is ImagePart => part.type === 'image');
    const [image] = imagesOfParts(parts, recordImages([JSON.stringify({ message: { role: 'user', content: [block] } })]));
    expect(image).toMatchObject({ mime: 'image/png', base64: PNG });
    expect(image && imageUrl(image)).toBe(`data:image/png;base64,${PNG}`);
  });

  it('a part without data takes none from the others', () => {
    const content = [{ type: 'image', source: { type: 'url', url: 'https://x.example/a.png' } }, { type: 'image', source: { data: GIF, media_type: 'image/gif' } }, { type: 'image', source: { data: PNG, media_type: 'image/png' } }];
    const parts = contentParts(content).filter((part): part is ImagePart => part.type === 'image');
    expect(imagesOfParts(parts, recordImages([JSON.stringify(content)])).map((image) => image?.mime)).toEqual([undefined, 'image/gif', 'image/png']);
  });

  it('two pictures of one size keep their order', () => {
    const other = PNG.replace('YAAAAf', 'YAAABf');
    const parts: ImagePart[] = [PNG, other].map((data) => ({ type: 'image', mime: 'image/png', bytes: Math.floor((data.length * 3) / 4) }));
    const images = recordImages([JSON.stringify([PNG, other].map((data) => ({ data, mimeType: 'image/png' })))]);
    expect(imagesOfParts(parts, images).map((image) => image?.base64)).toEqual([PNG, other]);
  });

  it('never makes one of a URL, a document, text or broken data', () => {
    for (const block of [
      { type: 'image_url', image_url: { url: 'https://evil.example/pixel.png' } }, { data: GIF, media_type: 'image/svg+xml' }, { url: 'data:text/html;base64,PGI+aGk8L2I+PGI+aGk8L2I+' },
      { data: 'not base64 at all <script>', mimeType: 'image/png' }, { image: 'data:image/png;base64,"><script>alert(1)</script>aaaa' },
    ]) expect(recordImages([JSON.stringify(block)])).toEqual([]);
    expect(recordImages(['{"image": broken', `${'['.repeat(5000)}"image base64"${']'.repeat(5000)}`])).toEqual([]);
  });
});
