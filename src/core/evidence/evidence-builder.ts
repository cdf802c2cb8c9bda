import { log } from '../base/elementary';
import { growF64, growU32, growU8 } from '../base/growable';
import { detachText } from '../base/text';
import { isStep } from '../trace/blocks-facts';
import type { BuiltBlock } from '../trace/blocks';
import { actionTexts, heldTexts } from './block-strings';
import { scanLexemes, scanLines, scanLiteral } from './lexemes';
import { LexemeTable } from './lexeme-table';
import type { EvidenceIndex } from './types';
import { collectRuns } from './verbatim-runs';

/** A lexeme in more blocks than this share of them says nothing about which one was used. */
const INFORMATIVE_SHARE = 0.1;
const INFORMATIVE_COUNT = 3;
/**
 * Sources kept of one demand, so that a run that repeats itself costs linear memory: the first holder and the newest
 * ones, which are those most likely still in view. Fewer once the whole index is very large.
 */
const MAX_SOURCES = 64;
const MAX_SOURCES_LATE = 8;
const LATE = 4_000_000;
const LABEL_CHARACTERS = 200;

export const isInformative = (df: number, blocksSoFar: number): boolean => df <= Math.max(INFORMATIVE_COUNT, blocksSoFar * INFORMATIVE_SHARE);

type Block = Pick<BuiltBlock, 'index' | 'kind' | 'parts' | 'message' | 'bornStep'>;

/** Builds the evidence index of a line from its blocks in order; linear in their text. */
export class EvidenceBuilder {
  private readonly table = new LexemeTable();
  /** Copied lines apart: equal characters as a name and as a line are two things. */
  private readonly lines = new LexemeTable();
  private readonly demandStart = growU32();
  private readonly demandLexeme = growU32();
  private readonly demandWeight = growF64();
  private readonly demandInPrompt = growU8();
  private readonly demandDf = growU32();
  private readonly sourceStart = growU32();
  // Plain arrays where most is pushed: Growable serves five kinds of array, so the engine cannot specialise it.
  private readonly sources: number[] = [];
  private readonly sourceIsEcho: number[] = [];
  private readonly lexemes: string[] = [];
  private readonly lexemeIndex = new Map<string, number>();
  private readonly lastUse = growU32();
  private readonly uses = growU32();
  /** 1 = system prompt or task. */
  private readonly isPrompt = growU8();

  constructor() {
    this.demandStart.push(0);
    this.sourceStart.push(0);
  }

  add(block: Block): void {
    this.lastUse.push(0);
    this.uses.push(0);
    this.isPrompt.push(block.kind === 'system' || block.kind === 'task' ? 1 : 0);
    const acts = block.message.role === 'assistant' && block.kind !== 'tool_result';
    // A block born of call t is in view from t + 1 on.
    if (acts && isStep(block.message)) this.demand(block, block.bornStep - 1);
    for (const { text, value } of heldTexts(block.parts)) {
      const hold = (source: string, from: number, to: number): boolean => {
        this.table.add(source, from, to, block.index, acts);
        return false;
      };
      scanLexemes(text, hold);
      if (value) scanLiteral(text, hold);
      scanLines(text, (source, from, to) => this.lines.add(source, from, to, block.index, acts));
    }
  }

  private demand(block: Block, step: number): void {
    this.closeSteps(step - 1);
    const blocksSoFar = block.index;
    const seek = (source: string, from: number, to: number): boolean => {
      const entry = this.table.find(source, from, to);
      if (entry < 0) return false;
      const df = this.table.documentFrequency(entry);
      if (!isInformative(df, blocksSoFar)) return false;
      if (this.table.askOnce(entry, step)) {
        const { blocks, echoes } = this.table.sources(entry, this.sourceLimit());
        this.push(step, source.slice(from, to), df, blocksSoFar, blocks, echoes);
      }
      return true;
    };
    for (const { text, value } of actionTexts(block.parts)) {
      if (value) scanLiteral(text, seek);
      scanLexemes(text, seek);
      for (const run of collectRuns(text, this.lines, step, this.sourceLimit(), (df) => isInformative(df, blocksSoFar))) {
        // A copied line that was demanded as a literal or a name already.
        const same = this.table.find(text, run.from, run.to);
        if (same >= 0 && !this.table.askOnce(same, step)) continue;
        this.push(step, text.slice(run.from, Math.min(run.to, run.from + LABEL_CHARACTERS)), run.df, blocksSoFar, run.blocks, run.echoes);
      }
    }
    this.closeSteps(step);
  }

  private sourceLimit(): number {
    return this.sources.length < LATE ? MAX_SOURCES : MAX_SOURCES_LATE;
  }

  private push(step: number, lexeme: string, df: number, blocksSoFar: number, blocks: number[], echoes: number[]): void {
    const inPrompt = blocks.some((b) => this.isPrompt.get(b) === 1);
    this.demandLexeme.push(this.intern(lexeme));
    this.demandWeight.push(log(blocksSoFar / df));
    this.demandInPrompt.push(inPrompt ? 1 : 0);
    this.demandDf.push(df);
    blocks.forEach((b, k) => {
      this.sources.push(b);
      this.sourceIsEcho.push(echoes[k]!);
      // What the prompt has, needs no other block; who only repeated it, was not needed.
      if (echoes[k] === 1 || (inPrompt && this.isPrompt.get(b) === 0)) return;
      if (this.lastUse.get(b) !== step) this.uses.set(b, this.uses.get(b) + 1);
      this.lastUse.set(b, step);
    });
    this.sourceStart.push(this.sources.length);
  }

  /** Ends every step up to and including this one. */
  private closeSteps(step: number): void {
    while (this.demandStart.length <= step) this.demandStart.push(this.demandLexeme.length);
  }

  private intern(lexeme: string): number {
    let index = this.lexemeIndex.get(lexeme);
    if (index === undefined) {
      const own = detachText(lexeme);
      index = this.lexemes.push(own) - 1;
      this.lexemeIndex.set(own, index);
    }
    return index;
  }

  /** `steps`: calls of the line, of which the last may have no block of its own. */
  finish(steps: number): EvidenceIndex {
    this.closeSteps(steps);
    return {
      steps,
      blocks: this.lastUse.length,
      demandStart: this.demandStart.toArray(),
      demandLexeme: this.demandLexeme.toArray(),
      demandWeight: this.demandWeight.toArray(),
      demandInPrompt: this.demandInPrompt.toArray(),
      demandDf: this.demandDf.toArray(),
      sourceStart: this.sourceStart.toArray(),
      sources: new Uint32Array(this.sources),
      sourceIsEcho: new Uint8Array(this.sourceIsEcho),
      lexemes: this.lexemes.slice(),
      lastUse: this.lastUse.toArray(),
      uses: this.uses.toArray(),
      isPrompt: this.isPrompt.toArray(),
    };
  }
}
