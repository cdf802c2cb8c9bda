import { ContextscopeError } from '../base/errors';
import type { EncodingName } from '../trace/blocks-types';

/** What defines a byte-pair encoding: index = rank; a token is a string, or its bytes where they are not valid UTF-8. */
export interface EncodingData {
  ranks: readonly (string | readonly number[])[];
  /** Global; its matches lie end to end, so that they partition every text. */
  splitPattern: RegExp;
}

/** Loads one encoding (about 2 MB, a chunk of its own in the page) from gpt-tokenizer's tables. */
export async function loadEncodingData(encoding: EncodingName): Promise<EncodingData> {
  switch (encoding) {
    case 'o200k_base': {
      const [ranks, params] = await Promise.all([import('gpt-tokenizer/bpeRanks/o200k_base'), import('gpt-tokenizer/encodingParams/o200k_base')]);
      return { ranks: ranks.default, splitPattern: params.O200KBase(ranks.default).tokenSplitRegex };
    }
    case 'cl100k_base': {
      const [ranks, params] = await Promise.all([import('gpt-tokenizer/bpeRanks/cl100k_base'), import('gpt-tokenizer/encodingParams/cl100k_base')]);
      return { ranks: ranks.default, splitPattern: params.Cl100KBase(ranks.default).tokenSplitRegex };
    }
    default:
      throw new ContextscopeError('bad-argument', `Unknown token encoding "${String(encoding)}"; known: o200k_base, cl100k_base.`);
  }
}
