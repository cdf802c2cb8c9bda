import { describe, expect, it } from 'vitest';
import type { Part, Role } from '../trace/model';
import { DraftWriter } from './draft';
import { PromptHistory, withoutRepeats } from './prompt-history';
import type { PromptCall, PromptMessage } from './prompt-history';

const say = (role: Role, ...parts: (string | Part)[]): PromptMessage => ({ role, flags: 0, spans: [{ byteOffset: 0, byteLength: 1 }], parts: parts.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)) });
const call = (id: string, args = '{}'): Part => ({ type: 'tool_call', id, name: 'f', args });
const answer = (callId: string, text: string): Part => ({ type: 'tool_result', callId, content: [{ type: 'text', text }] });

function run(calls: readonly PromptCall[]): { history: PromptHistory; draft: DraftWriter } {
  const draft = new DraftWriter();
  const history = new PromptHistory(draft);
  for (const each of calls) history.addCall(each);
  history.finish();
  return { history, draft };
}

describe('prompt history', () => {
  it('adds what is new of a prompt that repeats the history', () => {
    const { history, draft } = run([
      { inputs: [say('system', 's'), say('user', 'q')], outputs: [say('assistant', call('1'))] },
      { inputs: [say('system', 's'), say('user', 'q'), say('assistant', call('1')), say('tool', answer('1', 'x'))], outputs: [say('assistant', 'end')] },
    ]);
    expect(history.threads().map(({ main }) => [...main])).toEqual([[0, 1, 2, 3, 4]]);
    expect(draft.events).toEqual([]);
  });

  it('tells what left the prompt, and keeps equal messages apart', () => {
    const { history, draft } = run([
      { inputs: [say('user', 'go'), say('user', 'go'), say('user', 'b')], outputs: [say('assistant', 'a')] },
      { inputs: [say('user', 'go'), say('user', 'b'), say('user', 'summary')], outputs: [say('assistant', 'c')] },
    ]);
    expect(history.threads().map(({ main }) => main.length)).toEqual([6]);
    expect(draft.events.map(({ kind, data }) => [kind, data?.['removedRows'], data?.['inferred']])).toEqual([['context-edit', '1,3', true]]);
  });

  it('gives another first question a thread of its own, and a changed system prompt no row', () => {
    const { history, draft } = run([
      { inputs: [say('system', 'now 10:00'), say('user', 'q')], outputs: [say('assistant', 'a')] },
      { inputs: [say('system', 'now 10:01'), say('user', 'q'), say('assistant', 'a'), say('user', 'more')], outputs: [say('assistant', 'b')] },
      { inputs: [say('system', 'other'), say('user', 'sub-task')], outputs: [say('assistant', 'c')], agent: 'helper' },
    ]);
    expect(history.threads().map(({ title, parentThread, main }) => [title, parentThread, [...main]])).toEqual([[undefined, undefined, [0, 1, 2, 3, 4]], ['helper', 'main', [5, 6, 7]]]);
    expect(draft.events).toEqual([]);
  });

  it('puts a tool that no message names under the last answer, once', () => {
    const draft = new DraftWriter();
    const history = new PromptHistory(draft);
    history.addCall({ inputs: [say('user', 'q')], outputs: [say('assistant', 'looking')] });
    const own = say('tool', answer('', 'out'));
    history.addTool({ id: '', name: 'f', call: say('assistant', call('')), result: own });
    history.addCall({ inputs: [say('user', 'q'), say('assistant', 'looking')], outputs: [say('assistant', 'done')] });
    history.finish();
    const columns = draft.columns.build();
    expect([...columns.role]).toEqual([1, 2, 3, 2]);
    expect([...columns.callIds].map((id) => columns.strings[id])).toEqual([...columns.resultCallIds].map((id) => columns.strings[id]));
  });

  it('leaves a waiting result to the prompt that holds it', () => {
    const draft = new DraftWriter();
    const history = new PromptHistory(draft);
    history.addCall({ inputs: [say('user', 'q')], outputs: [say('assistant', call('1'))] });
    history.addTool({ id: '', name: 'f', call: say('assistant', call('')), result: say('tool', answer('', 'out')) });
    history.addCall({ inputs: [say('user', 'q'), say('assistant', call('1')), say('tool', answer('1', 'out'))], outputs: [say('assistant', 'done')] });
    history.finish();
    expect([...draft.columns.build().role]).toEqual([1, 2, 3, 2]);
  });

  it('counts one call that two instrumentations recorded once', () => {
    const first: PromptCall = { inputs: [say('user', 'q')], outputs: [say('assistant', call('', '{"a": 1}'))], timestampMs: 10, endMs: 20 };
    const second: PromptCall = { ...first, outputs: [say('assistant', call('x', '{"a":1}'))], timestampMs: 12, endMs: 19, usage: { input: 5 } };
    const later: PromptCall = { ...second, timestampMs: 30, endMs: 31 };
    const kept = withoutRepeats([first, second, later]);
    expect(kept.map(({ timestampMs, endMs, usage }) => [timestampMs, endMs, usage])).toEqual([[10, 20, { input: 5 }], [30, 31, { input: 5 }]]);
    expect(kept[0]!.outputs[0]!.parts).toEqual([call('x', '{"a":1}')]);
  });
});
