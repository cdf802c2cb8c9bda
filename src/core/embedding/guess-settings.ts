/** First guess of how a model is used, from the names and shapes it declares; the form shows it and everything can be changed. */
import type { OnnxInputs, OnnxSettings } from './own-encoder';

/** A declared input or output; shape entries are numbers or names of dimensions; null = not a tensor. */
export interface OnnxPort { name: string; type: string; shape: readonly (number | string)[] | null }
export interface OnnxPorts { inputs: readonly OnnxPort[]; outputs: readonly OnnxPort[] }

/** Where nothing says how long a window may be. */
const USUAL_TOKENS = 512;
/** `model_max_length` of a tokenizer without a limit is 1e30. */
const MOST_GUESSED = 8192;

const first = (ports: readonly OnnxPort[], ...patterns: RegExp[]): string | null => {
  for (const pattern of patterns) {
    const found = ports.find(({ name }) => pattern.test(name));
    if (found) return found.name;
  }
  return null;
};

function guessInputs(inputs: readonly OnnxPort[]): OnnxInputs {
  return {
    ids: first(inputs, /^input_ids$/i, /input.*ids?$/i, /^(ids|tokens?)$/i) ?? inputs[0]?.name ?? '',
    mask: first(inputs, /^attention_mask$/i, /mask/i),
    types: first(inputs, /^token_type_ids$/i, /(type|segment)/i),
    positions: first(inputs, /^position_ids$/i, /position/i),
  };
}

/** An output of one vector a text is taken as it is; else the last hidden state with its mean. */
export function guessSettings({ inputs, outputs }: OnnxPorts, tokenizer: unknown): Omit<OnnxSettings, 'dim'> & { dim: number | null } {
  const flat = outputs.filter(({ shape }) => shape?.length === 2);
  const output = first(flat, /sentence_?embedding|text_?embeds?|pooled|^embeddings?$/i) ?? first(outputs, /last_hidden_state|token_embeddings|hidden/i) ?? outputs[0]?.name ?? '';
  const shape = outputs.find(({ name }) => name === output)?.shape ?? null;
  const last = shape?.at(-1);
  return {
    inputs: guessInputs(inputs), output, pooling: shape?.length === 2 ? 'none' : 'mean', prefix: '',
    maxTokens: maxTokensOf(tokenizer), specialTokens: true, normaliseWindows: true, dim: typeof last === 'number' && last > 0 ? last : null,
  };
}

function maxTokensOf(tokenizer: unknown): number {
  const { truncation, model_max_length: declared } = (typeof tokenizer === 'object' && tokenizer !== null ? tokenizer : {}) as { truncation?: { max_length?: unknown } | null; model_max_length?: unknown };
  const found = truncation?.max_length ?? declared;
  return typeof found === 'number' && found >= 3 && found <= MOST_GUESSED ? Math.floor(found) : USUAL_TOKENS;
}
