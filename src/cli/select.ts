/** `contextscope select`: the report as JSON or as a table. Reads no file and loads no encoder: both are handed in. */
import { viewOfInput } from '../core/selection/checkpoint-view';
import { buildLab, LAB_PARTS, type LabReport } from '../core/selection/lab';
import { buildSelectReport } from '../core/selection/select';
import { selectionInput, textsNeeded, type VectorOf } from '../core/selection/selection-input';
import { checkpointAtMessage, checkpointOfBlocks, readSelectionLine, type Checkpoint, type SelectionLine } from '../core/selection/selection-line';
import type { EncoderInfo, SelectReport, SelectSettings, SelectorResult } from '../core/selection/types';
import { ContextscopeError } from '../core/base/errors';
import type { Message } from '../core/trace/model';

export interface SelectRequest {
  file: string;
  /** All messages of the line, in order. */
  messages: readonly Message[];
  /** Message positions of each interaction block. */
  interactionBlocks: readonly (readonly number[])[];
  countTokens: (text: string) => number;
  /** The next model call's message position (`--step`), or a number of blocks (`--checkpoint`). */
  place: { message: number } | { checkpoint: number };
  /** `checkpoint` is taken from `place`. */
  settings: Omit<SelectSettings, 'checkpoint'>;
  /** Also the sweeps, ablations and the replacement (`--lab`), as the page shows them. */
  lab?: { wide: boolean };
  /** The encoder and its vector of each of the texts; null for a text = there is none. Blocks must have one. */
  vectorsOf: (line: SelectionLine, texts: readonly string[]) => Promise<{ encoder: EncoderInfo; vectorOf: VectorOf }>;
}

/** The report, and with `--lab` the parts of the laboratory by name. */
export type SelectOutput = SelectReport & { lab?: Record<string, LabReport> };

/** Throws 'bad-argument' when the run has fewer blocks than the checkpoint. */
export async function selectReport(request: SelectRequest): Promise<SelectOutput> {
  const line = readSelectionLine(request.messages, request.interactionBlocks, request.countTokens);
  const checkpoint = checkpointIn(line, request.place);
  const online = request.settings.mode !== 'core';
  const { encoder, vectorOf } = await request.vectorsOf(line, textsNeeded(line, checkpoint, online));
  const input = selectionInput(request.file, encoder, line, checkpoint, vectorOf, online);
  const report = buildSelectReport(input, { ...request.settings, checkpoint: checkpoint.n });
  if (!request.lab) return report;
  const { k, tau, capacity, seed, texts } = request.settings;
  const view = viewOfInput(input, seed);
  const settings = { checkpoint: checkpoint.n, k, tau, seed, wide: request.lab.wide, selectors: report.selectors.map((result) => result.selector), ...(capacity === undefined ? {} : { capacity }) };
  const textOf = texts ? (index: number): string | undefined => line.blocks[index]?.text : undefined;
  return { ...report, lab: Object.fromEntries(LAB_PARTS.map((part) => [part, buildLab(view, encoder, part, settings, textOf)])) };
}

/** The report as one line of JSON, fields in the order of the documentation, real numbers in full precision. */
export async function selectJson(request: SelectRequest): Promise<string> {
  return JSON.stringify(await selectReport(request));
}

function checkpointIn(line: SelectionLine, place: SelectRequest['place']): Checkpoint {
  if ('message' in place) return checkpointAtMessage(line, place.message);
  if (place.checkpoint > line.blocks.length) {
    throw new ContextscopeError('bad-argument', `Expected --checkpoint between 0 and ${line.blocks.length} (the run's interaction blocks), found ${place.checkpoint}.`);
  }
  return checkpointOfBlocks(line, place.checkpoint);
}

const COLUMNS = ['selector', 'blocks', 'stop', 'coverage', 'top3', 'action', 'goal', 'final', 'centroid', 'tokens'];

/** The report for a person: where the numbers come from, the spectrum, one row a selector. */
export function selectTable(report: SelectReport): string {
  const { spectrum } = report;
  const lines = [`${report.file}: ${report.checkpoint} interaction blocks, encoder ${report.encoder.id}, k = ${report.k}`];
  if (spectrum) {
    const mean = (values: readonly number[]): string => fixed(values.reduce((sum, x) => sum + x, 0) / Math.max(1, values.length), 2);
    lines.push(`effective rank ${fixed(spectrum.erank, 2)} (feature shift ${mean(spectrum.featureShift.erank)}, Gaussian ${mean(spectrum.gaussian.erank)}), r90 ${spectrum.r90} of ${report.checkpoint}`);
  }
  const groups = Object.entries(report.protected).filter(([, blocks]) => blocks.length > 0);
  lines.push(`protected: ${groups.length > 0 ? groups.map(([group, blocks]) => `${group} ${blocks.join(' ')}`).join('; ') : 'none'}`, '');
  lines.push(...aligned([COLUMNS, ...report.selectors.map(rowOf)]));
  const reasons = new Set(report.selectors.flatMap((result) => (result.reason ? [result.reason] : [])));
  return [...lines, ...reasons].join('\n');
}

function rowOf({ selector, kept, stop, metrics }: SelectorResult): string[] {
  const values = [metrics.coverage, metrics.top3, metrics.actionProjection, metrics.goalProjection, metrics.finalProjection, metrics.centroid];
  return [selector, String(kept.length), stop, ...values.map((value) => fixed(value, 3)), String(metrics.tokens)];
}

function fixed(value: number | null, digits: number): string {
  return value === null ? '–' : value.toFixed(digits);
}

/** Columns padded to their widest cell; the first to the left, numbers to the right. */
function aligned(rows: readonly string[][]): string[] {
  const widths = COLUMNS.map((_, c) => Math.max(...rows.map((row) => row[c]!.length)));
  return rows.map((row) => row.map((cell, c) => (c === 0 || c === 2 ? cell.padEnd(widths[c]!) : cell.padStart(widths[c]!))).join('  ').trimEnd());
}
