import { describe, expect, it } from 'vitest';
import { LexemeTable } from './lexeme-table';

const add = (table: LexemeTable, lexeme: string, block: number, repeats = false): void => table.add(lexeme, 0, lexeme.length, block, repeats);
const find = (table: LexemeTable, lexeme: string): number => table.find(`<${lexeme}>`, 1, lexeme.length + 1);

describe('LexemeTable', () => {
  it('notes a block once and marks repeaters, but not the one that began', () => {
    const table = new LexemeTable();
    add(table, 'abc_d', 2, true);
    add(table, 'abc_d', 2, true);
    add(table, 'abc_d', 5, false);
    add(table, 'abc_d', 6, true);
    const entry = find(table, 'abc_d');
    expect(table.documentFrequency(entry)).toBe(3);
    expect(table.sources(entry, 64)).toEqual({ blocks: [2, 5, 6], echoes: [0, 0, 1] });
    expect(table.sources(entry, 2)).toEqual({ blocks: [2, 6], echoes: [0, 1] });
    expect(find(table, 'abc_e')).toBe(-1);
  });

  it('keeps a hundred thousand lexemes apart while it grows', () => {
    const table = new LexemeTable();
    for (let i = 0; i < 100_000; i++) add(table, `name_${i}`, i % 50);
    expect(table.size).toBe(100_000);
    for (let i = 0; i < 100_000; i += 997) expect(table.sources(find(table, `name_${i}`), 8).blocks).toEqual([i % 50]);
  });

  it('asks once a step', () => {
    const table = new LexemeTable();
    add(table, 'abcd', 0);
    const entry = find(table, 'abcd');
    expect([table.askOnce(entry, 1), table.askOnce(entry, 1), table.askOnce(entry, 2)]).toEqual([true, false, true]);
  });
});
