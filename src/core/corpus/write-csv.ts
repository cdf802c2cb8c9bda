/** Tables as CSV (RFC 4180, LF): full precision, empty = unknown. */
import { POLICY_METRICS } from './policy-part';
import { spectrumValues } from './table-c1';
import { meanOf } from './sums';
import { EFFECT_NAMES, METRIC_NAMES, type CorpusTable, type CorpusTables, type MetricSums, type RunPart } from './types';

type Value = string | number | null | undefined;

export function csvLine(values: readonly Value[]): string {
  return `${values.map((value) => csvCell(value)).join(',')}\n`;
}

function csvCell(value: Value): string {
  if (value === null || value === undefined || (typeof value === 'number' && !Number.isFinite(value))) return '';
  const text = String(value);
  // A leading sign of a formula would be run by a spreadsheet: labels come from file names.
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `scope,label,n`, then each column with its interval (`Low`, `High`). */
export function tableCsv({ columns, rows }: CorpusTable): string {
  const header = csvLine(['scope', 'label', 'n', ...columns.flatMap(({ key }) => [key, `${key}Low`, `${key}High`])]);
  return header + rows.map((row) => csvLine([row.scope, row.label, row.n, ...columns.flatMap(({ key }) => {
    const cell = row.cells[key];
    return [cell?.value, cell?.low, cell?.high];
  })])).join('');
}

/** One row a run with every per-run value; columns carry the names of `select`'s JSON. */
export function runsCsv({ runs, encoder, settings }: CorpusTables): string {
  const values = runs.map(({ part }) => valuesOf(part));
  const columns = [...new Set(values.flatMap((row) => Object.keys(row)))];
  const header = csvLine(['run', 'file', 'sha256', 'trajectory', 'format', 'encoder', 'seed', 'interactionBlocks', 'leftOut', ...columns]);
  return header + runs.map(({ key, part }, i) => csvLine([
    key, part.run.file, part.run.sha256, part.run.trajectory, part.run.format, encoder.id, settings.seed, part.blocks, part.leftOut, ...columns.map((column) => values[i]![column]),
  ])).join('');
}

/** `peakHistory`: of the whole history; the policies only where it exceeds the window. */
function policyValues({ policies }: RunPart): Record<string, Value> {
  if (!policies) return {};
  return {
    peakHistory: policies.peak,
    ...Object.fromEntries(Object.entries(policies.policies).flatMap(([policy, { values }]) => POLICY_METRICS.map((key) => [`${key}.${policy}`, values[key]]))),
  };
}

/** Columns of runs that have more come first from whichever run has them, in the order of the tables. */
function valuesOf(part: RunPart): Record<string, Value> {
  const { prefixes, replacement } = part;
  const sums = (prefix: string, from: Record<string, MetricSums> | undefined): Record<string, Value> => Object.fromEntries(
    Object.entries(from ?? {}).flatMap(([key, of]) => METRIC_NAMES.map((name) => [`${prefix}${name}.${key}`, meanOf(of[name])])),
  );
  return {
    ...(part.spectrum ? spectrumValues(part.spectrum) : {}),
    ...(prefixes ? { checkpoints: prefixes.checkpoints, protectedBlocks: meanOf(prefixes.protected) } : {}),
    ...Object.fromEntries(Object.entries(prefixes?.stops ?? {}).map(([stop, count]) => [`stop.${stop}`, count])),
    ...sums('', prefixes?.selectors),
    ...sums('upTo89.', prefixes?.upTo89),
    ...(replacement ? { replacementPairs: replacement.pairs, ...Object.fromEntries(EFFECT_NAMES.map((name) => [`effect.${name}`, meanOf(replacement.effects[name])])) } : {}),
    ...sums('D1.', part.compared?.selectors),
    ...sums('D2.', part.ablations?.selectors),
    ...sums('D3.', part.capacities?.selectors),
    ...sums('D4.', part.targets?.taus),
    ...policyValues(part),
  };
}
