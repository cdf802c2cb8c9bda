import { describe, expect, it } from 'vitest';
import { DEFAULT_PREFERENCES, createPreferencesStore } from './preferences';

const storage = (saved: string | null): { getItem: () => string | null; setItem: (key: string, value: string) => void; written: string[] } => {
  const written: string[] = [];
  return { written, getItem: () => written.at(-1) ?? saved, setItem: (_, value) => { written.push(value); } };
};

describe('preferences', () => {
  it('come back after a reload', () => {
    const disk = storage(null);
    createPreferencesStore(disk).setState({ timelinePx: 222, shortcuts: false, theme: 'dark' });
    expect(createPreferencesStore(disk).getState()).toMatchObject({ timelinePx: 222, shortcuts: false, theme: 'dark' });
  });

  it.each([['broken', '{'], ['of another version', '{"version":99,"timelinePx":1}'], ['of the wrong shape', '[]']])('%s: defaults', (_, saved) => {
    expect(createPreferencesStore(storage(saved)).getState()).toEqual(DEFAULT_PREFERENCES);
  });

  it('refuses sizes that would hide a pane', () => {
    expect(createPreferencesStore(storage('{"version":1,"timelinePx":-5,"inspectorPx":"wide"}')).getState()).toMatchObject({ timelinePx: null, inspectorPx: null });
  });
});
