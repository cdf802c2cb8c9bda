// @vitest-environment happy-dom
import { cleanup, render } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import Markdown from './Markdown';

afterEach(cleanup);

const HOSTILE = [
  '<script>window.hacked = 1</script>', '<img src=x onerror="window.hacked = 1">', '[click](javascript:window.hacked=1)', '![pixel](https://evil.example/p.png)',
  '[away](https://evil.example)', '<style>body { display: none }</style>', '<svg onload="window.hacked=1"><a href="https://evil.example">x</a></svg>',
  '<iframe src="https://evil.example"></iframe>', 'https://evil.example/auto', '<a href="https://evil.example">raw</a>', '<math><mtext></mtext></math>',
].join('\n\n');

describe('Markdown of a trace', () => {
  it('has nothing that loads, navigates, runs or restyles', () => {
    const { container } = render(<Markdown text={HOSTILE} />);
    expect(container.querySelectorAll('a, img, script, style, svg, iframe, math, object, embed, form, input, link, video, audio')).toHaveLength(0);
    expect([...container.querySelectorAll('*')].flatMap((element) => element.getAttributeNames()).filter((name) => name.startsWith('on') || name === 'href' || name === 'src' || name === 'style')).toEqual([]);
    expect('hacked' in window).toBe(false);
  });

  it('keeps what the author wrote readable', () => {
    const { container } = render(<Markdown text={'[away](https://evil.example) ![a cat](cat.png) <b>bold?</b>'} />);
    expect(container.textContent).toContain('away ⟨https://evil.example⟩');
    expect(container.textContent).toContain('[image: a cat ⟨cat.png⟩]');
    expect(container.textContent).toContain('<b>bold?</b>');
  });

  it('draws lists, code and tables', () => {
    const { container } = render(<Markdown text={'- one\n- two\n\n```ts\nlet a = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done'} />);
    expect(container.querySelectorAll('li')).toHaveLength(3);
    expect(container.querySelector('pre code')?.textContent).toBe('let a = 1\n');
    expect(container.querySelectorAll('td')).toHaveLength(2);
    expect(container.textContent).toContain('☑ done');
  });
});
