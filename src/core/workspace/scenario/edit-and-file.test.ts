/** Editing and the file: undo is the exact reverse of doing, and a file read back is what was written, or a clear error. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomScenario } from '../../../testing/random-scenarios';
import { change, freshId, redo, startEditing, undo, withOp, withoutOp } from './edit';
import { ensureScenarioFits, parseScenario, scenarioJson } from './file';
import type { Scenario, ScenarioOp } from './types';

const RUN = `${'a'.repeat(64)}#0`;
const scenario = (operations: ScenarioOp[], more: Partial<Scenario> = {}): Scenario => ({ name: 'mine', run: RUN, line: { thread: 'main' }, operations, ...more });
const written = (change_: (document: Record<string, unknown> & { operations: Record<string, unknown>[] }) => void): string => {
  const document = JSON.parse(scenarioJson(scenario([{ id: 'a1', step: 3, op: 'archive', blocks: ['base:3@00ff00ff'], label: 'x' }, { id: 'a2', step: 4, op: 'recover', blocks: ['op:a1'] }]), 'run.jsonl')) as Parameters<typeof change_>[0];
  change_(document);
  return JSON.stringify(document);
};

describe('editing', () => {
  it('undo takes back exactly what was done, redo does it again', () => {
    fc.assert(fc.property(fc.array(randomScenario(5), { minLength: 1, maxLength: 8 }), fc.nat(8), (lists, times) => {
      const states = [startEditing([])];
      for (const ops of lists) states.push(change(states.at(-1)!, ops));
      const back = Math.min(times, lists.length);
      let state = states.at(-1)!;
      for (let k = 0; k < back; k++) state = undo(state);
      expect(state.ops).toBe(states.at(-1 - back)!.ops);
      expect(undo(change(state, [])).ops).toBe(state.ops);
      for (let k = 0; k < back; k++) state = redo(state);
      expect(state).toEqual(states.at(-1));
      // A new change forgets what could be redone.
      expect(redo(change(undo(state), [])).ops).toEqual([]);
    }));
    expect(undo(startEditing([])).ops).toEqual([]);
  });

  it('puts an operation behind those of its step, with an id of its own', () => {
    fc.assert(fc.property(randomScenario(), fc.integer({ min: 1, max: 12 }), (ops, step) => {
      const id = freshId(ops);
      const next = withOp(ops, { id, step, op: 'pin', blocks: ['base:2'] });
      expect(next.map((op) => op.step)).toEqual(next.map((op) => op.step).sort((a, b) => a - b));
      expect(next.findIndex((op) => op.id === id)).toBe(ops.filter((op) => op.step <= step).length);
      expect(withoutOp(next, id)).toEqual(ops);
    }));
  });
});

describe('scenario file', () => {
  it('comes back as it was written', () => {
    fc.assert(fc.property(randomScenario(), fc.string({ minLength: 1, maxLength: 40 }), fc.option(fc.string({ minLength: 1 }), { nil: undefined }), (operations, name, branch) => {
      const one = scenario(operations, { name, line: branch === undefined ? { thread: 'main' } : { thread: 'main', branch } });
      const text = scenarioJson(one, 'run.jsonl');
      const read = parseScenario(text);
      expect(read).toEqual({ ...one, file: 'run.jsonl' });
      expect(scenarioJson(read, read.file)).toBe(text);
    }));
  });

  it('any damage is an error of its own kind or still a scenario, never a crash', () => {
    fc.assert(fc.property(randomScenario(), fc.nat(), fc.string({ maxLength: 3 }), (operations, at, text) => {
      const whole = scenarioJson(scenario(operations), null);
      const place = at % whole.length;
      const damaged = whole.slice(0, place) + text + whole.slice(place + text.length);
      try {
        const { operations: read } = parseScenario(damaged);
        expect(Array.isArray(read)).toBe(true);
      } catch (error) {
        expect(error).toMatchObject({ code: 'bad-argument' });
      }
    }), { numRuns: 300 });
  });

  it.each([
    ['no JSON', 'Expected a scenario as JSON', '{'],
    ['another file', 'found format nothing', '{}'],
    ['a list', 'found [1]', '[1]'],
    ['a later version', 'Expected version 1 of the scenario file, found 2', written((d) => { d['version'] = 2; })],
    ['a run that cannot be', 'Expected "run" to be 64 hexadecimal digits', written((d) => { d['run'] = 'x'; })],
    ['no operations', 'Expected "operations" to be a list, found nothing', written((d) => { delete (d as Record<string, unknown>)['operations']; })],
    ['an unknown operation', 'Expected operations[0].op to be one of archive, recover, delete, pin, unpin, found "burn"', written((d) => { d.operations[0]!['op'] = 'burn'; })],
    ['a step that is none', 'Expected operations[1].step to be a whole number from 1, found 0', written((d) => { d.operations[1]!['step'] = 0; })],
    ['a name of no block', 'Expected operations[0].blocks[0] to name a block', written((d) => { d.operations[0]!['blocks'] = ['B12']; })],
    ['no block', 'Expected operations[0].blocks to name at least one block.', written((d) => { d.operations[0]!['blocks'] = []; })],
    ['neither block nor label', 'or a label to recover by', written((d) => { d.operations[1]!['blocks'] = []; })],
    ['an id twice', 'found "a1" again at operations[1]', written((d) => { d.operations[1]!['id'] = 'a1'; })],
    ['a field that is not known', 'operations[0] has a field "sumary" that is not known', written((d) => { d.operations[0]!['sumary'] = 'x'; })],
    ['a cascade that is none', 'Expected operations[0].cascade to be true or false, found "yes"', written((d) => { d.operations[0]!['cascade'] = 'yes'; })],
  ])('%s is said', (_, message, text) => {
    expect(() => parseScenario(text)).toThrow(message);
  });

  it('a scenario of another run or line says of which', () => {
    const one = { ...scenario([]), file: 'run.jsonl' };
    expect(() => ensureScenarioFits(one, RUN, { thread: 'main' })).not.toThrow();
    expect(() => ensureScenarioFits(one, `${'b'.repeat(64)}#0`, { thread: 'main' })).toThrow('it was made for aaaaaaaaaaaa…#0 (run.jsonl), this is bbbbbbbbbbbb…#0');
    expect(() => ensureScenarioFits(one, RUN, { thread: 'main', branch: 'b1' })).toThrow('it was made for thread main, this is thread main, branch b1');
  });
});
