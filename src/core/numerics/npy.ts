import { ContextscopeError } from '../base/errors';

/** A NumPy array file (format 1.0–3.0), little-endian float32, C order, at most two dimensions. */
export interface NpyMatrix { rows: number; columns: number; data: Float32Array }

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];

interface Header { descr: string; shape: number[]; dataStart: number; view: DataView }

function readHeader(bytes: Uint8Array): Header {
  if (MAGIC.some((value, i) => bytes[i] !== value)) throw new ContextscopeError('corrupt', 'Not a .npy file: it does not start with \\x93NUMPY.');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const wide = bytes[6]! >= 2;
  if (bytes.length < 12) throw new ContextscopeError('corrupt', 'The .npy file ends inside its header.');
  const headerStart = wide ? 12 : 10;
  const dataStart = headerStart + (wide ? view.getUint32(8, true) : view.getUint16(8, true));
  const header = new TextDecoder().decode(bytes.subarray(headerStart, dataStart));
  const descr = /'descr':\s*'([^']*)'/.exec(header)?.[1] ?? 'an unknown type';
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1]?.split(',').map((s) => s.trim()).filter((s) => s !== '').map(Number);
  if (!shape || shape.some((n) => !Number.isSafeInteger(n) || n < 0)) throw new ContextscopeError('corrupt', 'The .npy header has no shape.');
  if (/'fortran_order':\s*True/.test(header)) throw new ContextscopeError('unsupported', 'The .npy file is in Fortran order; save it in C order.');
  return { descr, shape, dataStart, view };
}

function assertBytes(bytes: Uint8Array, dataStart: number, needed: number, what: string): void {
  if (bytes.length - dataStart < needed) throw new ContextscopeError('corrupt', `The .npy file has ${bytes.length - dataStart} bytes of data; ${what} needs ${needed}.`);
}

/** Reads float32 (or float64, narrowed) rows. Throws 'corrupt' or 'unsupported' with what was found. */
export function readNpy(bytes: Uint8Array): NpyMatrix {
  const { descr, shape, dataStart, view } = readHeader(bytes);
  if (descr !== '<f4' && descr !== '<f8') throw new ContextscopeError('unsupported', `The .npy file holds ${descr}; expected '<f4' or '<f8'.`);
  if (shape.length > 2) throw new ContextscopeError('unsupported', `The .npy file has ${shape.length} dimensions; expected one or two.`);
  const rows = shape.length === 2 ? shape[0]! : 1;
  const columns = shape.length === 2 ? shape[1]! : (shape[0] ?? 1);
  const width = descr === '<f4' ? 4 : 8;
  assertBytes(bytes, dataStart, rows * columns * width, `${rows} × ${columns}`);
  const data = new Float32Array(rows * columns);
  for (let i = 0; i < data.length; i++) data[i] = width === 4 ? view.getFloat32(dataStart + 4 * i, true) : view.getFloat64(dataStart + 8 * i, true);
  return { rows, columns, data };
}

/** Reads a list of strings ('<U64' or '|S64' and other widths), padding removed. */
export function readNpyStrings(bytes: Uint8Array): string[] {
  const { descr, shape, dataStart, view } = readHeader(bytes);
  const [, kind, size] = /^[<|]([US])(\d+)$/.exec(descr) ?? [];
  if (kind === undefined || shape.length !== 1) throw new ContextscopeError('unsupported', `The .npy file holds ${descr} in ${shape.length} dimensions; expected a list of strings.`);
  const [count, width, step] = [shape[0]!, Number(size), kind === 'U' ? 4 : 1];
  assertBytes(bytes, dataStart, count * width * step, `${count} strings`);
  return Array.from({ length: count }, (_, i) => {
    let text = '';
    for (let c = 0; c < width; c++) {
      const at = dataStart + (i * width + c) * step;
      const code = kind === 'U' ? view.getUint32(at, true) : view.getUint8(at);
      if (code !== 0 && code <= 0x10ffff) text += String.fromCodePoint(code);
    }
    return text;
  });
}

/** Writes format 1.0, '<f4', C order; the header is padded so that the data starts at a multiple of 64. */
export function writeNpy(data: Float32Array, rows: number, columns: number): Uint8Array {
  if (data.length !== rows * columns) throw new ContextscopeError('bad-argument', `${data.length} numbers do not make ${rows} × ${columns}.`);
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${rows}, ${columns}), }`;
  const dataStart = Math.ceil((10 + text.length + 1) / 64) * 64;
  const out = new Uint8Array(dataStart + 4 * data.length);
  const view = new DataView(out.buffer);
  out.set(MAGIC);
  out[6] = 1;
  view.setUint16(8, dataStart - 10, true);
  out.set(new TextEncoder().encode(text.padEnd(dataStart - 11) + '\n'), 10);
  for (let i = 0; i < data.length; i++) view.setFloat32(dataStart + 4 * i, data[i]!, true);
  return out;
}
