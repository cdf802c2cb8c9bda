import { ContextscopeError } from '../core/base/errors';
import { blocksMissing, importedVectorOf, importVectors, isByPlace, type ImportedVectors } from '../core/embedding/imported-vectors';
import { encoderById } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';
import { checkpointOfBlocks, checkpointTexts, type SelectionLine } from '../core/selection/selection-line';
import type { Repository } from '../storage/repository';
import type { HashedVector } from './embed-texts';
import type { TextHashes } from './selection-texts';

export interface TextsOfRun { line: SelectionLine; hashes: TextHashes }

/** The file of vectors that the user brought, read once for many runs (as many bytes as the file has numbers). */
export class ImportedTexts {
  private held: { encoder: EncoderId; imported: ImportedVectors } | null = null;

  constructor(private readonly repository: Pick<Repository, 'encoder'>) {}

  /**
   * Vectors of those of `wanted` that the file has. `alone`: no other run is read with it. Rejects 'not-found' when the
   * file was removed or lacks a block, 'bad-argument' when it goes by the number of the block and the run is not alone.
   */
  async vectorsOf(encoder: EncoderId, { line, hashes }: TextsOfRun, wanted: readonly string[], alone: boolean): Promise<HashedVector[]> {
    const { title } = encoderById(encoder);
    const imported = await this.read(encoder, title);
    if (!alone && isByPlace(imported)) {
      throw new ContextscopeError('bad-argument', `Vectors by the number of the block are of one run, and several are chosen: choose that run alone, or bring vectors by the hash of the text. The file: ${title}.`);
    }
    const vectorOf = importedVectorOf(imported, { blocks: line.blocks.map((block) => block.text), at: (n) => checkpointTexts(line, checkpointOfBlocks(line, n)), finalText: line.finalText }, title);
    const missing = line.blocks.flatMap(({ text }, i) => (text !== '' && vectorOf(text) === null ? [i] : []));
    if (missing.length > 0) throw blocksMissing(title, line.blocks.length, missing);
    return wanted.flatMap((text) => {
      const vector = vectorOf(text);
      return vector ? [{ hash: hashes.of(text), vector }] : [];
    });
  }

  forget(): void {
    this.held = null;
  }

  private async read(encoder: EncoderId, title: string): Promise<ImportedVectors> {
    if (this.held?.encoder === encoder) return this.held.imported;
    const file = (await this.repository.encoder(encoder))?.vectors;
    if (!file) throw gone(encoder);
    const imported = await importVectors(title, new Uint8Array(await file.arrayBuffer()));
    this.held = { encoder, imported };
    return imported;
  }
}

/** The encoder was removed, or the link comes from another browser. */
export function gone(encoder: EncoderId): ContextscopeError {
  return new ContextscopeError('not-found', `The encoder ${encoder} is not in this browser (any more): add its file again, or choose another encoder.`);
}
