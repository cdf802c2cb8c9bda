import { createNodeEncoder } from '../cli/embed';

/** Vectors of texts from the bundled static encoder, each text once. */
export async function staticVectors(texts: readonly string[]): Promise<Map<string, Float32Array>> {
  const encoder = await createNodeEncoder('static', { threads: 1 });
  try {
    const out = new Map<string, Float32Array>();
    for (const text of texts) if (!out.has(text)) out.set(text, (await encoder.embed(text)).vector);
    return out;
  } finally {
    await encoder.dispose();
  }
}
