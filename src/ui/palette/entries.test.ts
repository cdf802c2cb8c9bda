import { describe, expect, it } from 'vitest';
import { askedStep, findEntries, type Entry } from './entries';

const entry = (group: Entry['group'], label: string): Entry => ({ id: label, group, label, run: () => undefined });
const ENTRIES = [entry('Action', 'Show Ledger'), entry('Action', 'Keys'), entry('Tool', 'read'), ...Array.from({ length: 100 }, (_, i) => entry('Block', `B${i + 1} read src/file-${i}.ts`)), entry('Run', 'Open reader.jsonl')];

describe('palette', () => {
  it('without a query shows actions, tools and runs, no blocks', () => {
    expect(findEntries('', ENTRIES).map(({ entry: { label } }) => label)).toEqual(['Show Ledger', 'Keys', 'read', 'Open reader.jsonl']);
  });

  it('many blocks bury neither tool nor run', () => {
    const found = findEntries('read', ENTRIES);
    expect(found[0]?.entry.label).toBe('read');
    expect(found.some(({ entry: { group } }) => group === 'Run')).toBe(true);
    expect(found.filter(({ entry: { group } }) => group === 'Block')).toHaveLength(24);
  });

  it('the step that is asked for comes first', () => {
    const step = entry('Step', 'Go to step 12');
    expect(findEntries('12', ENTRIES, [step])[0]?.entry).toBe(step);
    expect(['12', 'step 12', ' S12 '].map((query) => askedStep(query, 20))).toEqual([12, 12, 12]);
    expect(['0', '21', 'step', 'B12', '1.5'].map((query) => askedStep(query, 20))).toEqual([null, null, null, null, null]);
  });
});
