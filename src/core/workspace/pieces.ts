/** A line of text as constant words and changing numbers. */
export type Piece = string | number;

/** One number of each length: a tokenizer cuts digits by length alone (groups of three), so one of a length stands for all. */
const DIGIT_SAMPLES = ['7', '42', '314', '2718', '31415', '271828', '3141592', '27182818', '314159265', '2718281828'];

/**
 * Token counts of text made of pieces: words are counted once and remembered, numbers by their length. So a dashboard
 * costs a few sums a step instead of a tokenization (model.md §4).
 */
export class PieceCounter {
  private readonly words = new Map<string, number>();
  private byLength: number[] | undefined;

  /** Nothing is counted before it is asked for: a counter may have to load its table first. */
  constructor(readonly count: (text: string) => number) {}

  word(text: string): number {
    let known = this.words.get(text);
    if (known === undefined) this.words.set(text, (known = text === '' ? 0 : this.count(text)));
    return known;
  }

  /** Tokens of a non-negative integer. */
  number(value: number): number {
    let digits = 1;
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
    return this.ofDigits(digits);
  }

  ofDigits(digits: number): number {
    this.byLength ??= DIGIT_SAMPLES.map((sample) => this.count(sample));
    return this.byLength[digits - 1] ?? digits;
  }

  tokens(pieces: readonly Piece[]): number {
    let sum = 0;
    for (const piece of pieces) sum += typeof piece === 'string' ? this.word(piece) : this.number(piece);
    return sum;
  }
}

export function piecesText(pieces: readonly Piece[]): string {
  return pieces.join('');
}
