import { describe, expect, it } from 'vitest';
import type { OwnEncoderInfo } from '../../core/embedding/own-encoder';
import { DEFAULT_CHOICE } from '../../state/corpus-choice';
import { commandLine, ownEncoderNote } from './corpus-words';

const VECTORS: OwnEncoderInfo = { id: 'vectors:0123456789ab', kind: 'vectors', name: 'mine', dim: 7, rows: 20, byHash: 20, sizeBytes: 1, sha256: 'a'.repeat(64), addedMs: 1 };
const MODEL: OwnEncoderInfo = { ...VECTORS, id: 'onnx:0123456789ab', kind: 'onnx' };

describe('the command of a choice', () => {
  it('starts as the README starts it, and leaves out what is the default', () => {
    expect(commandLine(DEFAULT_CHOICE)).toBe('npm run -s cli -- corpus FOLDER --tables all --encoder static --seed 0 --out tables/');
    expect(commandLine({ ...DEFAULT_CHOICE, tables: ['C1', '1'], encoder: 'hashed-1024@1', every: 3, budget: 4000, seed: 2 })).toBe('npm run -s cli -- corpus FOLDER --tables C1,1 --encoder hashed --seed 2 --every 3 --budget 4000 --out tables/');
  });

  it('names the file or folder of an encoder of one’s own, also of one that this browser has not', () => {
    expect(commandLine({ ...DEFAULT_CHOICE, encoder: VECTORS.id })).toContain('--encoder vectors:FILE ');
    expect(commandLine({ ...DEFAULT_CHOICE, encoder: MODEL.id })).toContain('--encoder onnx:MODEL_FOLDER ');
  });
});

describe('what is said of an encoder of one’s own', () => {
  it('is how far its vectors reach, or that it is gone; of others nothing', () => {
    expect(ownEncoderNote(VECTORS.id, [VECTORS])).toContain('by the hash of a text');
    expect(ownEncoderNote(VECTORS.id, [{ ...VECTORS, byHash: 0 }])).toContain('one run alone');
    expect(ownEncoderNote(VECTORS.id, [MODEL])).toContain('not in this browser');
    expect(ownEncoderNote(MODEL.id, [MODEL])).toBeNull();
    expect(ownEncoderNote(DEFAULT_CHOICE.encoder, [])).toBeNull();
  });
});
