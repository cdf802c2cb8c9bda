import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ARC_MODES, DEFAULT_VIEW, EVIDENCE_PANES, POLICY_PANES, SELECTOR_PANES, SPEEDS, TABLE_LAYOUTS, TABS, THEMES, type ViewState } from './view';
import { addressProblem, decodeView, encodeView } from './view-hash';

const RUN = `${'0f'.repeat(32)}#3`;

describe('view in the hash', () => {
  it('an opening screen with default settings has no hash', () => {
    expect(encodeView(DEFAULT_VIEW)).toBe('');
  });

  it('holds the content fingerprint and the name of the file it expects', () => {
    const hash = encodeView({ ...DEFAULT_VIEW, run: RUN, file: 'my run & more.jsonl', step: 41 });
    expect(hash).toBe(`#v=1&run=${'0f'.repeat(32)}.3&file=my+run+%26+more.jsonl&step=41`);
    expect(decodeView(hash)?.run).toBe(RUN);
    expect(decodeView(hash)?.file).toBe('my run & more.jsonl');
  });

  it('comes back the same, whatever the state', () => {
    const parameter = fc.oneof(fc.integer({ min: -1e9, max: 1e9 }), fc.boolean(), fc.string(), fc.constantFrom('1', 'true', '"quoted"', '-3.5'));
    const view: fc.Arbitrary<ViewState> = fc.record({
      page: fc.constant('library'),
      run: fc.constant(RUN),
      file: fc.option(fc.string({ unit: 'grapheme' })),
      thread: fc.option(fc.string({ unit: 'grapheme' })),
      branch: fc.option(fc.string()),
      step: fc.integer({ min: 1, max: 100_000 }),
      block: fc.option(fc.oneof(fc.record({ base: fc.nat() }), fc.record({ made: fc.nat() }))),
      brushed: fc.uniqueArray(fc.nat(300), { maxLength: 40 }).map((list) => list.sort((a, b) => a - b)),
      policy: fc.constantFrom('recorded', 'vista', 'selector:gem'),
      params: fc.dictionary(fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'), parameter, { noNullPrototype: true }),
      scenario: fc.option(fc.constantFrom('0f3a', 'a_b-c')),
      budget: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
      encoding: fc.constantFrom('o200k_base', 'cl100k_base'),
      encoder: fc.constantFrom('static-minilm-384@1', 'minilm-l6-v2-int8@1', 'hashed-1024@1'),
      k: fc.oneof(fc.constant('auto' as const), fc.integer({ min: 1, max: 500 })),
      tau: fc.constantFrom(0.5, 0.9, 0.95, 1),
      seed: fc.nat(),
      mode: fc.constantFrom('core', 'guarded', 'cumulative'),
      capacity: fc.oneof(fc.constant('scaled' as const), fc.integer({ min: 1, max: 500 })),
      match: fc.constantFrom('count', 'tokens'),
      selectorPane: fc.constantFrom(...SELECTOR_PANES),
      selectors: fc.option(fc.subarray(['gem', 'geometry', 'random', 'recency'])),
      reference: fc.constantFrom('gem', 'recency'),
      compared: fc.option(fc.subarray(['recorded', 'vista', 'selector:gem'])),
      pinnedPolicies: fc.subarray(['recorded', 'vista']),
      difference: fc.constantFrom(null, 'auto-archive', 'selector:gem'),
      against: fc.constantFrom('keep-everything', 'vista'),
      policyPane: fc.constantFrom(...POLICY_PANES),
      totalBudget: fc.option(fc.integer({ min: 1, max: 2_000_000 })),
      tableLayout: fc.constantFrom(...TABLE_LAYOUTS),
      evidencePane: fc.constantFrom(...EVIDENCE_PANES),
      arcs: fc.constantFrom(...ARC_MODES),
      tab: fc.constantFrom(...TABS),
      theme: fc.constantFrom(...THEMES),
      speed: fc.constantFrom(...SPEEDS),
    });
    fc.assert(fc.property(view, (state) => {
      expect(decodeView(encodeView(state))).toEqual(state);
    }));
  });

  it('names the page while no run is open', () => {
    expect(encodeView({ ...DEFAULT_VIEW, page: 'corpus' })).toBe('#v=1&page=corpus');
    expect(decodeView('#v=1&page=corpus')?.page).toBe('corpus');
    expect(decodeView('#v=1&page=elsewhere')?.page).toBe('library');
  });

  it.each([
    ['a later version', '#v=2&run=x'], ['somebody else’s hash', '#section-3'], ['nothing', ''],
  ])('%s is not ours', (_, hash) => expect(decodeView(hash)).toBeNull());

  it('leaves out what is impossible instead of passing it on', () => {
    const view = decodeView('#v=1&run=nonsense&step=-4&tab=admin&k=0&tau=7&budget=-1&block=base.x&speed=99&encoder=evil&tokens=bytes&difference=%20&layout=9&evidence=x&arcs=1');
    expect(view).toEqual({ ...DEFAULT_VIEW });
  });
});

describe('addresses that lead nowhere', () => {
  it('are named: no hash of ours, another version, a run that cannot be', () => {
    expect(addressProblem('#step-3')).toContain('not one of ours');
    expect(addressProblem('#v=2&step=1')).toContain('another version');
    expect(addressProblem('#v=1&run=abc.0')).toContain('“abc.0”');
    expect(addressProblem(`#v=1&run=${'a'.repeat(64)}.0`)).toBeNull();
    expect(addressProblem('#v=1&theme=dark')).toBeNull();
    expect(addressProblem('#')).toBeNull();
  });

  it('reads no brush that is not one', () => {
    const brushed = (text: string) => decodeView(`#v=1&run=${'0f'.repeat(32)}.0&brush=${text}`)?.brushed;
    expect(brushed('3-5.9')).toEqual([3, 4, 5, 9]);
    for (const text of ['', '5-3', '9.3', 'x', '0-9999999', '3--5']) expect(brushed(text)).toEqual([]);
  });
});
