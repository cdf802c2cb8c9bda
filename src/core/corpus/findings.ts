/** The paper's two findings on these runs, in sentences; printed by the command line and shown above the tables. */
import { pText } from './scope-words';
import type { CorpusTable, RowScope } from './types';

/** Difference of centroid similarity below which the paper calls two selections alike. */
const CENTROID_ALIKE = 0.02;

/** Lines of one table; a line that belongs to the one before it is indented by two spaces. Empty = nothing to say of it. */
export function findings(table: CorpusTable): string[] {
  if (table.id === 'C1') return spectrumFindings(table);
  return table.id === '1' ? selectionFindings(table) : [];
}

function spectrumFindings(table: CorpusTable): string[] {
  const tests = table.tests.map((test) => `  ${test.columns[0]} against ${test.columns[1]} (${test.family.slice(4)}): n = ${test.n}, p = ${pText(test.p)}, Holm ${pText(test.pHolm)}`);
  return [table.notes[1]!, ...tests];
}

function selectionFindings(table: CorpusTable): string[] {
  const value = (scope: RowScope, label: string, key: string): number | null => table.rows.find((row) => row.scope === scope && row.label === label)?.cells[key]?.value ?? null;
  const fixed = (x: number | null): string => (x === null ? '–' : x.toFixed(3));
  const perRun = table.rows.filter((row) => row.scope === 'run');
  const geometryOf = new Map(perRun.filter((row) => row.label.endsWith(' · geometry')).map((row) => [row.label, row]));
  const pairs = perRun.filter((row) => row.label.endsWith(' · gem')).flatMap((gem) => {
    const geometry = geometryOf.get(`${gem.label.slice(0, -3)}geometry`);
    return geometry ? [{ top3: difference(gem.cells['top3']?.value, geometry.cells['top3']?.value), centroid: difference(gem.cells['centroid']?.value, geometry.cells['centroid']?.value) }] : [];
  });
  const above = pairs.filter(({ top3 }) => top3 !== null && top3 > 0).length;
  const alike = pairs.filter(({ centroid }) => centroid !== null && Math.abs(centroid) < CENTROID_ALIKE).length;
  const test = table.tests.find(({ columns }) => columns[0] === 'top3.gem' && columns[1] === 'top3.geometry');
  return [
    `Top-3 at the same number of blocks, mean over checkpoints: gem ${fixed(value('pooled', 'gem', 'top3'))}, geometry ${fixed(value('pooled', 'geometry', 'top3'))} (paper 0.69, 0.31); random ${fixed(value('pooled', 'random', 'top3'))}, recency ${fixed(value('pooled', 'recency', 'top3'))}, max-gain ${fixed(value('pooled', 'max-gain', 'top3'))}.`,
    `  gem above geometry in ${above} of ${pairs.length} runs${test ? `, p = ${pText(test.p)}` : ''}; centroid differs by less than ${CENTROID_ALIKE} in ${alike} of ${pairs.length}; pooled ${fixed(value('pooled', 'gem', 'centroid'))} and ${fixed(value('pooled', 'geometry', 'centroid'))}.`,
    `  Without the newest 4 blocks: gem ${fixed(value('pooled', 'gem', 'top3Older'))}, geometry ${fixed(value('pooled', 'geometry', 'top3Older'))}, random ${fixed(value('pooled', 'random', 'top3Older'))}, recency ${fixed(value('pooled', 'recency', 'top3Older'))}, max-gain ${fixed(value('pooled', 'max-gain', 'top3Older'))}.`,
  ];
}

function difference(a: number | null | undefined, b: number | null | undefined): number | null {
  return a == null || b == null ? null : a - b;
}
