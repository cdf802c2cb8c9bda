import { describe, expect, it } from 'vitest';
import { KEY_ROWS, commandOf, type KeyPress } from './keys';

const press = (key: string, change: Partial<KeyPress> = {}): KeyPress => ({ key, shiftKey: false, ctrlKey: false, metaKey: false, altKey: false, ...change });

describe('keys', () => {
  it.each([
    ['ArrowRight', 'next-step'], ['ArrowLeft', 'previous-step'], ['k', 'next-step'], ['j', 'previous-step'], [' ', 'play'], ['[', 'previous-compaction'],
    [']', 'next-compaction'], ['Home', 'first-step'], ['End', 'last-step'], ['g', 'go-to-step'], ['/', 'search'], ['?', 'help'], ['o', 'open'], ['2', 'tab-2'], ['m', 'operate'], ['e', 'arcs'], ['9', 'tab-9'],
  ])('%s is %s', (key, command) => expect(commandOf(press(key), 'none', true)).toBe(command));

  it('shift with an arrow jumps to events, shift is only part of typing a sign', () => {
    expect(commandOf(press('ArrowRight', { shiftKey: true }), 'none', true)).toBe('next-event');
    expect(commandOf(press('?', { shiftKey: true }), 'none', true)).toBe('help');
  });

  it('leaves combinations to the browser', () => {
    expect(commandOf(press('o', { ctrlKey: true }), 'none', true)).toBeNull();
    expect(commandOf(press('ArrowLeft', { altKey: true }), 'none', true)).toBeNull();
  });

  it('Ctrl or ⌘ with K and F work in a field and with single keys off', () => {
    expect(commandOf(press('k', { ctrlKey: true }), 'text', false)).toBe('palette');
    expect(commandOf(press('K', { metaKey: true }), 'none', true)).toBe('palette');
    expect(commandOf(press('f', { ctrlKey: true }), 'none', false)).toBe('search');
    expect(commandOf(press('k', { ctrlKey: true, shiftKey: true }), 'none', true)).toBeNull();
    expect(commandOf(press('k', { ctrlKey: true, altKey: true }), 'none', true)).toBeNull();
  });

  it('undo and redo leave a text its own', () => {
    expect(commandOf(press('z', { ctrlKey: true }), 'rows', false)).toBe('undo');
    expect(commandOf(press('Z', { metaKey: true, shiftKey: true }), 'none', true)).toBe('redo');
    expect(commandOf(press('y', { ctrlKey: true }), 'button', true)).toBe('redo');
    for (const key of ['z', 'Z', 'y']) expect(commandOf(press(key, { ctrlKey: true, shiftKey: key === 'Z' }), 'text', true)).toBeNull();
  });

  it('the focused control comes first', () => {
    expect(commandOf(press('k'), 'text', true)).toBeNull();
    expect(commandOf(press('ArrowRight'), 'range', true)).toBeNull();
    expect(commandOf(press('k'), 'range', true)).toBe('next-step');
    expect(commandOf(press('Home'), 'rows', true)).toBeNull();
    expect(commandOf(press('ArrowRight'), 'rows', true)).toBe('next-step');
    expect(commandOf(press(' '), 'button', true)).toBeNull();
  });

  it('switched off, only named keys act', () => {
    expect(commandOf(press('k'), 'none', false)).toBeNull();
    expect(commandOf(press('?'), 'none', false)).toBeNull();
    expect(commandOf(press('ArrowRight'), 'none', false)).toBe('next-step');
  });

  it('no key is listed twice', () => {
    const keys = KEY_ROWS.flatMap((row) => row.keys);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
