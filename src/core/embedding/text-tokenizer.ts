import { Tokenizer } from '@huggingface/tokenizers';
import { ContextscopeError } from '../base/errors';

/** Any model's tokenizer.json: text → ids without special tokens, and the special ids that it puts at the ends. */
export interface TextTokenizer {
  encode(text: string): number[];
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Long enough that the ids of the text stand out between the special ones. */
const SAMPLE = 'a b c d';

/** Throws 'corrupt' when it is no tokenizer this library can read, saying why. */
export function createTextTokenizer(json: unknown, name: string): TextTokenizer {
  if (typeof json !== 'object' || json === null || !('model' in json)) {
    throw new ContextscopeError('corrupt', `${name} is not a tokenizer: expected the JSON of a Hugging Face tokenizer.json with a "model".`, { file: name });
  }
  try {
    const tokenizer = new Tokenizer(json, {});
    const idsOf = (text: string, special: boolean): number[] => tokenizer.encode(text, { add_special_tokens: special }).ids;
    const bare = idsOf(SAMPLE, false);
    const full = idsOf(SAMPLE, true);
    const at = placeOf(bare, full);
    if (at < 0) throw new Error('its special tokens change the ids of the text itself');
    return { encode: (text) => idsOf(text, false), before: full.slice(0, at), after: full.slice(at + bare.length) };
  } catch (error) {
    throw new ContextscopeError('corrupt', `${name} could not be read as a tokenizer: ${error instanceof Error ? error.message : String(error)}.`, { file: name });
  }
}

function placeOf(bare: readonly number[], full: readonly number[]): number {
  for (let at = 0; at + bare.length <= full.length; at++) if (bare.every((id, i) => full[at + i] === id)) return at;
  return -1;
}

/** tokenizer.json as an object. Throws 'corrupt' with the reason. */
export function parseTokenizerFile(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new ContextscopeError('corrupt', `${name} is not JSON: ${error instanceof Error ? error.message : String(error)}. Expected a Hugging Face tokenizer.json.`, { file: name });
  }
}
