import { existsSync } from 'node:fs';
import { createNodeEncoder } from '../../src/cli/embed';
import { ContextscopeError } from '../../src/core/base/errors';
import { sha256Hex } from '../../src/core/base/sha256';
import type { Encoder } from '../../src/core/embedding/types';
import type { NpyMatrix } from '../../src/core/numerics/npy';
import { oracleJson, oracleMatrix, oracleRuns } from '../../src/testing/oracles';
import { oracleBlocks, oracleTexts, type OracleTexts } from '../../src/testing/oracle-texts';
import { sharedPath } from '../../src/testing/shared';

export interface OracleRow {
  run: string;
  what: string;
  rows: number;
  /** Worst value found and the limit it must keep, with what it measures. */
  found: string;
  limit: string;
  state: 'ok' | 'FAILED' | 'skipped';
}

interface Rule { cliName: string; file: string; measure: 'difference' | 'cosine'; limit: number }

/** Tolerances of oracles/README.md. */
const RULES: Rule[] = [
  { cliName: 'static', file: 'static-minilm-384', measure: 'difference', limit: 2e-6 },
  { cliName: 'hashed', file: 'hashed-1024', measure: 'difference', limit: 1e-7 },
  { cliName: 'minilm', file: 'minilm-l6-v2-int8', measure: 'cosine', limit: 0.9995 },
  { cliName: 'minilm-f32', file: 'minilm-l6-v2-f32', measure: 'difference', limit: 2e-6 },
];
/** Both MiniLM files against the independent forward pass in numpy. */
const NUMPY_COSINE = 0.998;
const SETS: [string, keyof OracleTexts][] = [['vectors', 'blocks'], ['actions', 'actions'], ['queries', 'queries'], ['goal-final', 'goalFinal']];

export function cosine(a: Float32Array, b: Float32Array): number {
  let ab = 0;
  let aa = 0;
  let bb = 0;
  a.forEach((x, i) => {
    const y = b[i] ?? NaN;
    ab += x * y;
    aa += x * x;
    bb += y * y;
  });
  // Two empty texts agree: both are the zero vector.
  return aa === 0 && bb === 0 ? 1 : ab / Math.sqrt(aa * bb);
}

const difference = (a: Float32Array, b: Float32Array): number => a.reduce((worst, x, i) => Math.max(worst, Math.abs(x - (b[i] ?? NaN))), 0);
const rowOf = (matrix: NpyMatrix, row: number): Float32Array => matrix.data.subarray(row * matrix.columns, (row + 1) * matrix.columns);

/** NaN counts as a failure: comparisons with it are false. */
const keeps = (rule: Pick<Rule, 'measure' | 'limit'>, value: number): boolean => (rule.measure === 'cosine' ? value >= rule.limit : value <= rule.limit);

function compare(run: string, what: string, vectors: Float32Array[], expected: Float32Array[], rule: Pick<Rule, 'measure' | 'limit'>): OracleRow {
  const limit = `${rule.measure} ${rule.measure === 'cosine' ? '>=' : '<='} ${rule.limit}`;
  if (vectors.length !== expected.length) return { run, what, rows: vectors.length, found: `${vectors.length} rows, expected ${expected.length}`, limit, state: 'FAILED' };
  const values = vectors.map((v, i) => (rule.measure === 'cosine' ? cosine : difference)(v, expected[i] ?? new Float32Array(0)));
  const worst = rule.measure === 'cosine' ? Math.min(1, ...values) : Math.max(0, ...values);
  return { run, what, rows: vectors.length, found: worst.toPrecision(7), limit, state: values.every((value) => keeps(rule, value)) ? 'ok' : 'FAILED' };
}

function compareTexts(run: string, texts: OracleTexts): OracleRow {
  const { rows } = oracleBlocks(run);
  const wrong = rows.flatMap(({ sha256 }, i) => (sha256Hex(texts.blocks[i] ?? '') === sha256 ? [] : [i]));
  const good = wrong.length === 0 && texts.blocks.length === rows.length;
  return { run, what: 'selection texts', rows: texts.blocks.length, found: good ? 'equal' : `${texts.blocks.length} texts; differing: ${wrong.slice(0, 8).join(', ')}`, limit: `${rows.length} equal hashes`, state: good ? 'ok' : 'FAILED' };
}

async function* compareEncoder(run: string, texts: OracleTexts, encoder: Encoder, rule: Rule, progress: (line: string) => void): AsyncGenerator<OracleRow> {
  for (const [file, set] of SETS) {
    const name = `${file}-${rule.file}`;
    if (!existsSync(sharedPath('oracles/runs', run, `${name}.npy`))) continue;
    const vectors: Float32Array[] = [];
    for (const text of texts[set]) {
      vectors.push((await encoder.embed(text)).vector);
      progress(`${run} ${name} ${vectors.length}/${texts[set].length}`);
    }
    const expected = oracleMatrix(run, name);
    yield compare(run, name, vectors, Array.from({ length: expected.rows }, (_, i) => rowOf(expected, i)), rule);
    if (set === 'blocks' && rule.file.startsWith('minilm')) yield* compareNumpy(run, vectors, rule);
  }
}

function* compareNumpy(run: string, vectors: Float32Array[], rule: Rule): Generator<OracleRow> {
  const listed = oracleJson<{ runs: Record<string, { f32AgainstNumpy?: { blocks: number[] } }> }>('vectors.json').runs[run]?.f32AgainstNumpy?.blocks;
  if (listed === undefined || listed.length === 0) return;
  const numpy = oracleMatrix(run, 'vectors-minilm-l6-v2-numpy');
  const ours = listed.flatMap((index) => vectors[index] ?? []);
  yield compare(run, `${rule.file} against numpy`, ours, Array.from({ length: numpy.rows }, (_, i) => rowOf(numpy, i)), { measure: 'cosine', limit: NUMPY_COSINE });
}

/**
 * Every text and vector of every run against the reference numbers, as rows of a table. A run whose format cannot be read
 * is `skipped`; whatever else goes wrong is an error.
 */
export async function* embeddingOracles(only: { run?: string; encoder?: string }, progress: (line: string) => void): AsyncGenerator<OracleRow> {
  const runs = new Map<string, OracleTexts>();
  for (const run of oracleRuns.filter((name) => only.run === undefined || name === only.run)) {
    try {
      const texts = await oracleTexts(run);
      runs.set(run, texts);
      yield compareTexts(run, texts);
    } catch (error) {
      if (!(error instanceof ContextscopeError) || error.code !== 'unknown-format') throw error;
      yield { run, what: 'import', rows: 0, found: error.message.split('\n')[0] ?? '', limit: '', state: 'skipped' };
    }
  }
  for (const rule of RULES.filter(({ cliName }) => only.encoder === undefined || cliName === only.encoder)) {
    const encoder = await createNodeEncoder(rule.cliName);
    for (const [run, texts] of runs) yield* compareEncoder(run, texts, encoder, rule, progress);
    await encoder.dispose();
  }
}
