import { beforeAll, describe, expect, it } from 'vitest';
import { testPart } from '../../testing/corpus';
import { corpusFiles, type CorpusFile } from './corpus-files';
import { reduceParts } from './reduce-parts';
import { cellText, pText } from './scope-words';
import { dotChart, lineChart, niceTicks } from './svg-chart';
import { TABLE_IDS, type CorpusTables } from './types';
import { csvLine } from './write-csv';
import { latexText } from '../base/latex';

const HOSTILE = '=cmd|"<script>alert(1)</script>"_50%&\\b';
let tables: CorpusTables;
let files: CorpusFile[];
const text = (name: string): string => files.find((file) => file.name === name)!.text;

beforeAll(async () => {
  const parts = [await testPart(20, 'a'), await testPart(23, 'b'), await testPart(5, 'c')];
  parts[1] = { ...parts[1]!, run: { ...parts[1]!.run, file: HOSTILE } };
  tables = reduceParts(parts);
  files = corpusFiles(tables, [{ file: 'x.md', code: 'unknown-format', message: 'no' }]);
});

/** A CSV reader of its own: quotes doubled, fields may hold commas. */
function parseCsv(csv: string): string[][] {
  return csv.trimEnd().split('\n').map((line) => [...`${line},`.matchAll(/("(?:[^"]|"")*"|[^,"]*),/g)].map((m) => m[1]!).map((cell) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)));
}

describe('files of a corpus', () => {
  it('are those of the documentation', () => {
    expect(files.map((file) => file.name).sort()).toEqual([
      'runs.csv', 'summary.json', ...TABLE_IDS.flatMap((id) => [`table-${id}.csv`, `table-${id}.md`, `table-${id}.tex`, `figure-${id}.svg`]),
    ].sort());
  });

  it('name the encoder (replays: the tokenizer) and the settings in every table, figure and summary', () => {
    for (const { name, text: content } of files) if (!name.startsWith('table-') || !name.endsWith('.csv')) expect(content, name).toMatch(name.includes('-policies.') ? /o200k\\?_base/ : /test@1/);
  });

  it('runs.csv: one row a run with every value, full precision, names as in select', () => {
    const [header, ...rows] = parseCsv(text('runs.csv'));
    expect(rows.length).toBe(3);
    for (const name of ['erank', 'erankShiftMean', 'r90Share', 'top3.gem', 'centroid.geometry', 'effect.top3', 'D1.finalProjection.gem', 'D2.top3.gem-state', 'D3.top3.gem@8', 'D4.retained.0.85']) expect(header).toContain(name);
    expect(rows.every((row) => row.length === header!.length)).toBe(true);
    const at = header!.indexOf('erank');
    expect(rows.map((row) => Number(row[at]))).toEqual(tables.runs.map(({ part }) => part.spectrum!.spectrum.erank));
    const short = rows.find((row) => row[header!.indexOf('interactionBlocks')] === '5')!;
    expect(short[header!.indexOf('top3.gem')]).toBe('');
    expect(short[header!.indexOf('leftOut')]).toMatch(/5 complete blocks/);
  });

  it('table CSV carries intervals, and a file name cannot become a formula', () => {
    const [header, ...rows] = parseCsv(text('table-1.csv'));
    const gem = rows.find((row) => row[0] === 'pooled' && row[1] === 'gem')!;
    const cell = tables.tables[1]!.rows[0]!.cells['top3']!;
    expect(['top3', 'top3Low', 'top3High'].map((name) => Number(gem[header!.indexOf(name)]))).toEqual([cell.value, cell.low, cell.high]);
    for (const csv of files.filter((file) => file.name.endsWith('.csv'))) for (const row of parseCsv(csv.text)) for (const field of row) expect(field).not.toMatch(/^=/);
    expect(csvLine(['a,b', 'say "x"', null, 0.1, NaN, '-1', -1])).toBe(`"a,b","say ""x""",,0.1,,'-1,-1\n`);
  });

  it('Markdown and LaTeX show the paper beside ours, and escape names', () => {
    const md = text('table-1.md');
    expect(md).toMatch(/\| gem \(evidence-first\) \| printed in the paper \| 650 \| 0\.690 \|/);
    expect(md).not.toContain('<script>');
    expect(md.split('\n').filter((line) => line.startsWith('| ')).every((line) => line.endsWith(' |'))).toBe(true);
    const tex = text('table-1.tex');
    expect(tex).toContain('\\textbackslash{}b');
    expect(tex).not.toMatch(/[^\\]%&/);
    expect(tex.match(/\\begin\{tabular\}/g)!.length).toBe(2);
    // Every row has as many cells as the table has columns.
    for (const body of tex.matchAll(/\\begin\{tabular\}\{([lr]+)\}([\s\S]*?)\\end\{tabular\}/g)) {
      for (const line of body[2]!.split('\n').filter((l) => l.endsWith('\\\\'))) expect(line.replaceAll('\\&', '').split('&').length).toBe(body[1]!.length);
    }
    expect(latexText('τ ≥ 5 %_{x}^2')).toBe('$\\tau$ $\\geq$ 5 \\%\\_\\{x\\}\\textasciicircum{}2');
  });

  it('figures are well-formed SVG without NaN and without markup from names', () => {
    for (const id of TABLE_IDS) {
      const svg = text(`figure-${id}.svg`);
      expect(svg).toMatch(/^<svg [^>]*viewBox="0 0 720 [\d.]+"/);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|<script/);
      const opened = [...svg.matchAll(/<([a-z]+)[^>]*?(\/?)>/g)].filter((m) => m[2] === '').length;
      expect([...svg.matchAll(/<\/[a-z]+>/g)].length).toBe(opened);
    }
    expect([...text('figure-D3.svg').matchAll(/fill="none" stroke/g)].length).toBe(4);
  });

  it('summary.json has settings, seeds, tests, failures, and no rows of single runs', () => {
    const summary = JSON.parse(text('summary.json')) as { settings: object; unreadable: unknown[]; tests: { table: string; columns: string[]; n: number; statistic: number; p: number; pHolm: number; family: string }[]; tables: { rows: { scope: string }[] }[]; runs: unknown[] };
    expect(summary.unreadable).toEqual([{ file: 'x.md', code: 'unknown-format', message: 'no' }]);
    expect(summary.runs.length).toBe(3);
    expect(summary.tables.every((table) => table.rows.every((row) => row.scope !== 'run'))).toBe(true);
    for (const key of ['table', 'columns', 'n', 'statistic', 'p', 'pHolm', 'family']) expect(summary.tests[0]).toHaveProperty(key);
  });
});

describe('words and charts', () => {
  it('rounds, keeps unknown apart from zero, never writes −0', () => {
    const column = { key: 'x', title: 'x', digits: 2 };
    expect([cellText({ value: 0.326 }, column), cellText({ value: 0.5, low: 0.4, high: 0.61 }, column), cellText({ value: null }, column), cellText({ value: -0.001 }, column), cellText(undefined, column)])
      .toEqual(['0.33', '0.50 [0.40, 0.61]', '–', '0.00', '–']);
    expect([pText(0.125), pText(4.656612873077393e-10)]).toEqual(['0.1250', '4.66e-10']);
  });

  it('ticks are round and cover the values', () => {
    expect(niceTicks(0, 1)).toEqual([0, 0.2, 0.4, 0.6000000000000001, 0.8, 1]);
    expect(niceTicks(-0.31, 0.02).map((x) => Math.round(x * 100) / 100)).toEqual([-0.4, -0.3, -0.2, -0.1, 0, 0.1]);
    expect(niceTicks(3, 3)).toEqual([3]);
  });

  it('empty charts are drawn', () => {
    expect(dotChart({ title: 'x', subtitle: '', axis: '', series: ['a'], rows: [] })).not.toMatch(/NaN|Infinity/);
    expect(lineChart({ title: 'x', subtitle: '', xAxis: '', yAxis: '', series: [{ name: 'a', points: [] }] })).not.toMatch(/NaN|Infinity/);
  });
});
