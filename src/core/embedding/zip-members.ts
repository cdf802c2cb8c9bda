import { ContextscopeError } from '../base/errors';

/** Reads the members of a ZIP file (stored or deflated; what NumPy's savez writes). No encryption, no split archives. */
const END = 0x06054b50;
const CENTRAL = 0x02014b50;
const END_BYTES = 22;
const LARGEST_COMMENT = 65_535;

/** Name → bytes. Throws 'corrupt' or 'unsupported' naming the member. */
export async function zipMembers(bytes: Uint8Array): Promise<Map<string, Uint8Array>> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(view);
  const out = new Map<string, Uint8Array>();
  let at = view.getUint32(end + 16, true);
  for (let i = view.getUint16(end + 10, true); i > 0; i--) {
    if (at + 46 > bytes.length || view.getUint32(at, true) !== CENTRAL) throw new ContextscopeError('corrupt', 'The ZIP directory is damaged.', { byteOffset: at });
    const [method, packed, nameLength] = [view.getUint16(at + 10, true), view.getUint32(at + 20, true), view.getUint16(at + 28, true)];
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength));
    const local = view.getUint32(at + 42, true);
    if (packed === 0xffffffff || local === 0xffffffff) throw new ContextscopeError('unsupported', `“${name}” in the ZIP file is larger than 4 GB.`);
    if (local + 30 > bytes.length) throw new ContextscopeError('corrupt', `“${name}” lies outside the ZIP file.`);
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    if (start + packed > bytes.length) throw new ContextscopeError('corrupt', `“${name}” ends outside the ZIP file.`);
    out.set(name, await unpacked(name, method, bytes.subarray(start, start + packed)));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return out;
}

function endOfDirectory(view: DataView): number {
  for (let at = view.byteLength - END_BYTES; at >= Math.max(0, view.byteLength - END_BYTES - LARGEST_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new ContextscopeError('corrupt', 'The ZIP file has no directory: it is cut off.');
}

async function unpacked(name: string, method: number, packed: Uint8Array): Promise<Uint8Array> {
  if (method === 0) return packed;
  if (method !== 8) throw new ContextscopeError('unsupported', `“${name}” in the ZIP file is packed by method ${method}; expected stored or deflated.`);
  try {
    const stream = new Blob([new Uint8Array(packed)]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  } catch {
    throw new ContextscopeError('corrupt', `“${name}” in the ZIP file cannot be unpacked.`);
  }
}
