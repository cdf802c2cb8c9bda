import { Tokenizer } from '@huggingface/tokenizers';
import { ContextscopeError } from '../base/errors';

/** Text → WordPiece ids without special tokens. */
export interface WordPiece {
  encode(text: string): number[];
  readonly clsId: number;
  readonly sepId: number;
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
    encode: (text) => (text === '' ? [] : tokenizer.encode(text, { add_special_tokens: false }).ids),
    clsId: idOf('[CLS]'),
    sepId: idOf('[SEP]'),
  };
}
