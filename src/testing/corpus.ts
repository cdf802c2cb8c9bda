/** Small runs for the corpus: a trace in the notation of `trace.ts` and vectors that follow from a text alone. */
import { mapRun } from '../core/corpus/map-run';
import { DEFAULT_SETTINGS, type CorpusSettings, type RunPart } from '../core/corpus/types';
import { RandomStream } from '../core/numerics/random-stream';
import { sha256Word } from '../core/base/sha256';
import { readSelectionLine, type SelectionLine } from '../core/selection/selection-line';
import { interactionBlocks } from '../core/trace/interaction';
import { parseTrace } from './trace';

const DIM = 24;
export const testEncoder = { id: 'test@1', dim: DIM, sha256: null };

/** Near to the vectors of texts that share its first word. */
export function testVector(text: string): Float32Array {
  const own = new RandomStream(sha256Word(text));
  const kin = new RandomStream(sha256Word(text.split(/\s/)[1] ?? ''));
  return Float32Array.from({ length: DIM }, (_, k) => own.normal() + 1.5 * kin.normal() + (k === 0 ? 2 : 0));
}

/** `blocks` interaction blocks: edits of five files, reads, an error now and then. `name` makes the texts its own. */
export function testLine(blocks: number, name = 'a', extra = ''): SelectionLine {
  const turns = Array.from({ length: blocks }, (_, i) => {
    const call = i % 4 === 1 ? `write {"path":"src/${name}${i % 5}.ts","content":"${i}"}` : `bash {"command":"cat src/${name}${(i * 3) % 7}.ts"}`;
    return `assistant: file${(i * 3) % 7} of ${name}, step ${i}.\ncall t${i} ${call}\nresult${i % 6 === 4 ? '!' : ''} t${i}: output ${i} of ${name}\n`;
  });
  const messages = parseTrace(`system: Be brief.\nuser: Fix src/${name}2.ts\n\n${turns.join('\n')}${extra}\nassistant: All done in ${name}.`);
  return readSelectionLine(messages, interactionBlocks(messages).blocks, (text) => text.split(/\s+/).length);
}

export function testPart(blocks: number, name = 'a', settings: Partial<CorpusSettings> = {}): Promise<RunPart> {
  const run = { file: `${name}.jsonl`, sha256: `sha-${name}`, format: 'openai-chat', trajectory: 0, name };
  return mapRun({ run, line: testLine(blocks, name), encoder: testEncoder, vectorOf: testVector }, { ...DEFAULT_SETTINGS, controlDraws: 3, ...settings });
}
