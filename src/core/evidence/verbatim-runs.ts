import { scanLines } from './lexemes';
import type { LexemeTable } from './lexeme-table';

/** Copied lines [from, to) of a text that some blocks hold all of. */
export interface VerbatimRun { from: number; to: number; df: number; blocks: number[]; echoes: number[] }

/**
 * Maximal runs of copied lines: neighbouring lines of at least 32 characters are one run as long as some block holds all
 * of them (shorter lines between them are passed over). Whether they stand in the same order there is not checked: no text
 * is kept. A line starts a run once a step.
 */
export function collectRuns(text: string, lines: LexemeTable, step: number, sourceLimit: number, informative: (df: number) => boolean): VerbatimRun[] {
  const runs: VerbatimRun[] = [];
  let run: VerbatimRun | undefined;
  let broken = true;
  scanLines(text, (source, from, to) => {
    const entry = lines.find(source, from, to);
    const df = entry < 0 ? 0 : lines.documentFrequency(entry);
    if (df === 0 || !informative(df) || !lines.askOnce(entry, step)) {
      broken = true;
      return;
    }
    const found = lines.sources(entry, sourceLimit);
    const shared = run && !broken ? intersection(run, found) : undefined;
    if (run && shared && shared.blocks.length > 0) {
      run.to = to;
      // A shared list that was not cut short is the true count.
      run.df = Math.min(run.df, df, run.df < sourceLimit || df < sourceLimit ? shared.blocks.length : Infinity);
      run.blocks = shared.blocks;
      run.echoes = shared.echoes;
    } else runs.push((run = { from, to, df, ...found }));
    broken = false;
  });
  return runs;
}

/** Both lists rise; a block that brought one of the lines itself is no echo. */
function intersection(a: { blocks: number[]; echoes: number[] }, b: { blocks: number[]; echoes: number[] }): { blocks: number[]; echoes: number[] } {
  const blocks: number[] = [];
  const echoes: number[] = [];
  for (let i = 0, j = 0; i < a.blocks.length && j < b.blocks.length; ) {
    if (a.blocks[i] === b.blocks[j]) {
      blocks.push(a.blocks[i]!);
      echoes.push(Math.min(a.echoes[i]!, b.echoes[j]!));
      i++;
      j++;
    } else if (a.blocks[i]! < b.blocks[j]!) i++;
    else j++;
  }
  return { blocks, echoes };
}
