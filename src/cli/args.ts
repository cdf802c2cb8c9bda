import { parseArgs, type ParseArgsConfig } from 'node:util';
import { ContextscopeError } from '../core/base/errors';

export type Options = NonNullable<ParseArgsConfig['options']>;

export interface ParsedArguments {
  positionals: string[];
  text(name: string): string | undefined;
  flag(name: string): boolean;
  many(name: string): string[];
  /** A whole number, or a `bad-argument` error that says what was expected. */
  integer(name: string, min?: number): number | undefined;
  number(name: string): number | undefined;
}

const bad = (message: string) => new ContextscopeError('bad-argument', message);

/** Strict: an unknown option or a missing value is wrong usage, not ignored. */
export function parseCommand(args: string[], options: Options): ParsedArguments {
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw bad(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : undefined);
  const number = (name: string) => {
    const value = text(name);
    if (value === undefined) return undefined;
    const result = Number(value);
    if (value.trim() === '' || !Number.isFinite(result)) throw bad(`Expected a number after --${name}, found ${JSON.stringify(value)}.`);
    return result;
  };
  return {
    positionals,
    text,
    flag: (name) => values[name] === true,
    many: (name) => (Array.isArray(values[name]) ? values[name].map(String) : []),
    number,
    integer(name, min = -Infinity) {
      const value = number(name);
      if (value !== undefined && (!Number.isInteger(value) || value < min)) throw bad(`Expected a whole number${min > -Infinity ? ` of at least ${min}` : ''} after --${name}, found ${value}.`);
      return value;
    },
  };
}

/** `8k`, `8000`, `8_000`: a list of token budgets. */
export function parseBudgets(text: string): number[] {
  return text.split(',').map((part) => {
    const match = /^\s*(\d[\d_]*(?:\.\d+)?(?:e\d{1,2})?)\s*(k|m)?\s*$/i.exec(part);
    if (!match) throw bad(`Expected token counts such as 16000 or 16k,64k after --budget, found ${JSON.stringify(part)}.`);
    const unit = match[2]?.toLowerCase() === 'm' ? 1_000_000 : match[2] ? 1_000 : 1;
    const value = Math.round(Number(match[1]!.replaceAll('_', '')) * unit);
    if (value < 1 || !Number.isSafeInteger(value)) throw bad(`Expected a budget of at least 1 token and at most 2^53, found ${value}.`);
    return value;
  });
}
