/**
 * A tiny ONNX model and its tokenizer, made in the test: token ids → rows of a seeded table (one Gather). What it gives
 * can be computed beside it in a few lines. The protobuf is written by hand: onnx.proto's field numbers stand at each call.
 */
import { RandomStream } from '../core/numerics/random-stream';

type Bytes = number[];

const varint = (value: number): Bytes => {
  const out: Bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...out, rest];
    out.push((rest % 128) | 128);
  }
};
const number = (field: number, value: number): Bytes => [...varint(field << 3), ...varint(value)];
const bytes = (field: number, value: ArrayLike<number>): Bytes => [...varint((field << 3) | 2), ...varint(value.length), ...Array.from(value)];
const text = (field: number, value: string): Bytes => bytes(field, new TextEncoder().encode(value));

const FLOAT = 1;
const INT64 = 7;

/** ValueInfoProto: name 1, type 2 → tensor_type 1 → elem_type 1, shape 2 → dim 1 → dim_value 1 or dim_param 2. */
function port(name: string, type: number, shape: readonly (number | string)[]): Bytes {
  const dims = shape.flatMap((dim) => bytes(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)));
  return [...text(1, name), ...bytes(2, bytes(1, [...number(1, type), ...bytes(2, dims)]))];
}

export interface TinyModel { model: Uint8Array<ArrayBuffer>; tokenizer: string; /** vocabulary × dim, row-major. */ table: Float32Array; dim: number; ids: ReadonlyMap<string, number> }

export interface TinyOptions {
  dim?: number;
  seed?: number;
  /** Further int64 inputs that the graph uses only by name, e.g. attention_mask. */
  moreInputs?: readonly string[];
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const SPECIAL = ['[PAD]', '[UNK]', '[CLS]', '[SEP]', '[MASK]'];

/** Letters and digits, alone and as continuations; every other character is [UNK]. */
function vocabulary(): Map<string, number> {
  return new Map([...SPECIAL, ...LETTERS, ...[...LETTERS].map((letter) => `##${letter}`)].map((piece, id) => [piece, id]));
}

/** Output `last_hidden_state` [1, S, dim] of input `input_ids` [1, S]. */
export function tinyModel({ dim = 8, seed = 1, moreInputs = [] }: TinyOptions = {}): TinyModel {
  const ids = vocabulary();
  const stream = new RandomStream(seed);
  const table = Float32Array.from({ length: ids.size * dim }, () => stream.normal());
  // NodeProto: input 1, output 2, op_type 4.
  const node = [...text(1, 'table'), ...text(1, 'input_ids'), ...text(2, 'last_hidden_state'), ...text(4, 'Gather')];
  // TensorProto: dims 1, data_type 2, name 8, raw_data 9.
  const tensor = [...number(1, ids.size), ...number(1, dim), ...number(2, FLOAT), ...text(8, 'table'), ...bytes(9, new Uint8Array(table.buffer))];
  const inputs = ['input_ids', ...moreInputs].flatMap((name) => bytes(11, port(name, INT64, ['batch', 'sequence'])));
  // GraphProto: node 1, name 2, initializer 5, input 11, output 12.
  const graph = [...bytes(1, node), ...text(2, 'tiny'), ...bytes(5, tensor), ...inputs, ...bytes(12, port('last_hidden_state', FLOAT, ['batch', 'sequence', dim]))];
  // ModelProto: ir_version 1, graph 7, opset_import 8 → version 2.
  const model = Uint8Array.from([...number(1, 8), ...bytes(7, graph), ...bytes(8, number(2, 13))]);
  return { model, tokenizer: JSON.stringify(tokenizerOf(ids)), table, dim, ids };
}

function tokenizerOf(ids: ReadonlyMap<string, number>): object {
  const special = SPECIAL.map((content) => ({ id: ids.get(content), content, single_word: false, lstrip: false, rstrip: false, normalized: false, special: true }));
  return {
    version: '1.0', truncation: null, padding: null, added_tokens: special,
    normalizer: { type: 'BertNormalizer', clean_text: true, handle_chinese_chars: true, strip_accents: null, lowercase: true },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }],
      pair: [{ SpecialToken: { id: '[CLS]', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '[SEP]', type_id: 0 } }, { Sequence: { id: 'B', type_id: 1 } }, { SpecialToken: { id: '[SEP]', type_id: 1 } }],
      special_tokens: { '[CLS]': { id: '[CLS]', ids: [ids.get('[CLS]')], tokens: ['[CLS]'] }, '[SEP]': { id: '[SEP]', ids: [ids.get('[SEP]')], tokens: ['[SEP]'] } },
    },
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: { type: 'WordPiece', unk_token: '[UNK]', continuing_subword_prefix: '##', max_input_chars_per_word: 100, vocab: Object.fromEntries(ids) },
  };
}
