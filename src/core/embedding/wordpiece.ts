import { Tokenizer } from '@huggingface/tokenizers';
import { ContextscopeError } from '../base/errors';
import { withWordCache } from './word-cache';

/** Text → WordPiece ids without special tokens. */
export interface WordPiece {
  encode(text: string): number[];
  readonly clsId: number;
  readonly sepId: number;
}

/** Han characters beyond U+FFFF: the ranges of BERT's own tokenizer. */
const ASTRAL_HAN = /[\u{20000}-\u{2A6DF}\u{2A700}-\u{2B73F}\u{2B740}-\u{2B81F}\u{2B920}-\u{2CEAF}\u{2F800}-\u{2FA1F}]/gu;

/**
 * Two places where the library differs from the reference tokenizer (found by comparing every code point): it looks for
 * Han characters by 16-bit unit, so it never parts those beyond U+FFFF, and it lower-cases whole texts, where Σ at the
 * end of a word becomes ς instead of σ. What remains are characters newer than the reference's Unicode tables.
 */
function likeReference(text: string): string {
  return text.replace(ASTRAL_HAN, ' $& ').replaceAll('Σ', 'σ');
}

/**
 * The bundled tokenizer from the parsed tokenizer.json and tokenizer_config.json. Ids equal those of the reference
 * implementation (oracles/tokens.json). Throws `corrupt` when the file is not such a tokenizer.
 */
export function createWordPiece(tokenizerJson: object, config: object): WordPiece {
  const tokenizer = new Tokenizer(tokenizerJson, config);
  const idOf = (token: string): number => {
    const id = tokenizer.token_to_id(token);
    if (id === undefined) throw new ContextscopeError('corrupt', `The tokenizer file has no ${token} token: expected the WordPiece vocabulary of MiniLM.`);
    return id;
  };
  return {
    encode: withWordCache((text) => tokenizer.encode(likeReference(text), { add_special_tokens: false }).ids),
    clsId: idOf('[CLS]'),
    sepId: idOf('[SEP]'),
  };
}
