import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { importSource } from './import-source';

const call = (usage: string): string => [
  '{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"x"}}',
  `{"type":"assistant","uuid":"u2","parentUuid":"u1","sessionId":"s","timestamp":"2026-01-01T00:00:01Z","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"hi"}],"usage":${usage}}}`,
].join('\n');

describe('usage that cannot be true', () => {
  it.each([
    ['{"input_tokens":1e308,"output_tokens":-5,"cache_read_input_tokens":7}', { input: null, output: null, cachedInput: 7 }, /^2 recorded token counts cannot be true/],
    ['{"input_tokens":1e999,"output_tokens":3}', { input: null, output: 3 }, /^1 recorded token count cannot be true/],
  ])('%s is left out and reported', async (usage, expected, warning) => {
    const { report, trajectories } = await importSource(bytesSource('x', new TextEncoder().encode(call(usage))));
    expect(report.usage).toMatchObject(expected);
    expect(trajectories[0]!.usage).toMatchObject(expected);
    expect(report.warnings).toEqual([expect.stringMatching(warning)]);
    expect(trajectories[0]!.warnings).toEqual(report.warnings);
  });

  it('leaves possible usage alone', async () => {
    const { report } = await importSource(bytesSource('x', new TextEncoder().encode(call('{"input_tokens":0,"output_tokens":1000000}'))));
    expect([report.usage?.input, report.usage?.output, report.warnings]).toEqual([0, 1_000_000, []]);
  });
});
