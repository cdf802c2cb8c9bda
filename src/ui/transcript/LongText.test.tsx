// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { JsonTree } from './JsonTree';
import { LongText, sizeOf } from './LongText';

afterEach(cleanup);

describe('long texts', () => {
  it('are collapsed with their size, and open on request', () => {
    const text = 'x'.repeat(1_200_000);
    const { container } = render(<LongText text={text} />);
    expect(container.querySelector('pre')?.textContent?.length).toBe(2_400);
    fireEvent.click(screen.getByRole('button', { name: /^Show all 1\.2.MB$/ }));
    expect(container.querySelector('pre')?.textContent?.length).toBe(1_200_000);
    fireEvent.click(screen.getByRole('button', { name: 'Show less' }));
    expect(container.querySelector('pre')?.textContent?.length).toBe(2_400);
  });

  it('are never cut inside a surrogate pair', () => {
    const { container } = render(<LongText text={'a' + '😀'.repeat(100)} head={10} />);
    expect(container.querySelector('pre')?.textContent).toBe('a' + '😀'.repeat(4));
  });

  it('sizes are UTF-8 bytes', () => {
    for (const text of ['abc', 'é', '漢字', '😀', 'a\ud800b']) {
      expect(sizeOf(text).replace(/\D/g, '')).toBe(String(new TextEncoder().encode(text).length));
    }
  });
});

describe('arguments as a tree', () => {
  it('show fields, and text that is not JSON as it is', () => {
    const { container, rerender } = render(<JsonTree text={'{"path":"src/a.ts","deep":{"n":1}}'} />);
    expect([...container.querySelectorAll('dt')].map((dt) => dt.textContent)).toEqual(['path', 'deep', 'n']);
    rerender(<JsonTree text="ls -l | head" />);
    expect(container.textContent).toBe('ls -l | head');
  });

  it('survives nesting that no document has, and a __proto__ key', () => {
    const { container } = render(<JsonTree text={'{"a":'.repeat(3_000) + '1' + '}'.repeat(3_000)} />);
    expect(container.textContent).toContain('nested deeper');
    cleanup();
    expect(render(<JsonTree text={'{"__proto__":{"polluted":true}}'} />).container.textContent).toContain('polluted');
    expect('polluted' in {}).toBe(false);
  });
});
