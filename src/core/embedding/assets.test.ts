import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkAsset } from './assets';
import { ENCODERS, encoderByCliName, encoderById, modelAsset, TOKENIZER_CONFIG_FILE, TOKENIZER_FILE } from './registry';

const bytes = new TextEncoder().encode('a small model file');
const asset = { path: 'x/model.onnx', bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };

describe('checkAsset', () => {
  it('accepts the right bytes', async () => {
    await expect(checkAsset(asset, bytes, 'here')).resolves.toBeUndefined();
  });

  it('names a start page in place of the file', async () => {
    const page = new TextEncoder().encode('<!doctype html><title>App</title>');
    await expect(checkAsset(asset, page, 'http://h/models/x')).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining('found a web page') as string });
  });

  it('names both sizes and both hashes', async () => {
    await expect(checkAsset(asset, bytes.slice(1), 'here')).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining('expected 18 bytes, found 17') as string });
    const changed = bytes.slice();
    changed[3] = 0;
    await expect(checkAsset(asset, changed, 'here')).rejects.toMatchObject({ code: 'corrupt', message: expect.stringContaining(asset.sha256) as string });
  });

  it('checks the same way where crypto.subtle is absent', async () => {
    const saved = globalThis.crypto;
    Object.defineProperty(globalThis, 'crypto', { value: undefined, configurable: true });
    try {
      await checkAsset(asset, bytes, 'here');
      await expect(checkAsset({ ...asset, sha256: '00' }, bytes, 'here')).rejects.toMatchObject({ code: 'corrupt' });
    } finally {
      Object.defineProperty(globalThis, 'crypto', { value: saved, configurable: true });
    }
  });
});

describe('registry', () => {
  it('describes the files that are shipped', async () => {
    const models = resolve(import.meta.dirname, '../../../public/models');
    const files = ENCODERS.map(modelAsset).filter((file) => file !== null);
    for (const file of files) expect(statSync(resolve(models, file.path)).size).toBe(file.bytes);
    for (const file of [...new Map(files.map((f) => [f.path, f])).values(), TOKENIZER_FILE, TOKENIZER_CONFIG_FILE]) {
      await checkAsset(file, new Uint8Array(readFileSync(resolve(models, file.path))), file.path);
    }
  });

  it('finds encoders by id and by command-line name', () => {
    expect(ENCODERS.map(({ cliName }) => encoderByCliName(cliName).id)).toEqual(ENCODERS.map(({ id }) => encoderById(id).id));
    expect(() => encoderByCliName('bert')).toThrow('--encoder: expected one of static, minilm, minilm-f32, minilm-all, hashed, found "bert".');
    expect(() => encoderById('x')).toThrow('No encoder is called "x"');
  });
});
