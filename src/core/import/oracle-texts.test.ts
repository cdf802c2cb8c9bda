import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { sha256Hex } from '../base/sha256';
import { rowsOfLine } from '../trace/line';
import { MessageFlag } from '../trace/model';
import type { Message, Part, ToolCallPart, ToolResultPart } from '../trace/model';
import { hasShared, sharedPath } from '../../testing/shared';
import { importSource } from './import-source';
import { createTraceReader } from './reader';

/** The reference texts were made by an independent reader (oracles/generate/runs.py) */
const RUNS = ['claude-opus-envoy', 'claude-sidechains', 'pi-large', 'mini-astroid', 'mini-v0-fenced', 'opencode-panda', 'swe-marshmallow', 'openai-reason-line0', 'openai-reason-line11'];

interface Reference { file: string; trajectory: number; thread: string; messages: number; rows: { messages: number[]; sha256: string }[]; lastGoal: { sha256: string } | null }

const shown = (part: Part): string => (part.type === 'text' ? part.text : part.type === 'image' ? '[image]' : part.type === 'other' ? `[${part.kind}]` : '');
const joined = (texts: string[]): string => texts.filter((text) => text !== '').join('\n');

function limit(text: string): string {
  const points = [...text].map((point) => (/^[\ud800-\udfff]$/.test(point) ? '\ufffd' : point));
  return points.length <= 12_000 ? points.join('') : [...points.slice(0, 6000), '\n…\n', ...points.slice(-5997)].join('');
}

function selectionText(assistant: Message, answers: ToolResultPart[]): string {
  const reasoning = joined(assistant.parts.map((part) => (part.type === 'reasoning' ? part.text : '')));
  const said = joined(assistant.parts.map(shown));
  const action = assistant.parts.filter((part): part is ToolCallPart => part.type === 'tool_call').map((call) => `${call.name} ${call.args}`).join('\n');
  const observations = answers.map((answer) => joined(answer.content.map(shown)));
  const sections = [['ASSISTANT_REASONING', reasoning], ['ASSISTANT_TEXT', said], ['ACTION', action]].filter(([, text]) => text !== '').map((section) => section.join('\n'));
  return limit([...sections, ...(observations.some((text) => text !== '') ? [`OBSERVATION\n${observations.join('\n')}`] : [])].join('\n'));
}

describe.skipIf(!hasShared)('message texts equal the reference reader', () => {
  it.each(RUNS)('%s', async (name) => {
    const reference = JSON.parse(readFileSync(sharedPath('oracles', 'runs', name, 'blocks.json'), 'utf8')) as Reference;
    const source = bytesSource('x', readFileSync(sharedPath('trajectories', reference.file)));
    const trajectory = (await importSource(source)).trajectories[reference.trajectory]!;
    const messages: Message[] = [];
    await createTraceReader(source, trajectory).readMessages(rowsOfLine(trajectory, { thread: reference.thread }), (message) => { messages.push(message); });
    // Demonstrations are left out of the reference.
    const own = messages.filter((message) => !(message.flags & MessageFlag.demonstration));
    expect(own.length).toBe(reference.messages);
    for (const row of reference.rows) {
      const assistant = own[row.messages.find((index) => own[index]!.role === 'assistant')!]!;
      const results = row.messages.flatMap((index) => own[index]!.parts.filter((part): part is ToolResultPart => part.type === 'tool_result'));
      const answers = assistant.parts.flatMap((part) => {
        if (part.type !== 'tool_call') return [];
        const at = results.findIndex((result) => result.callId === part.id);
        return at < 0 ? [] : results.splice(at, 1);
      });
      expect(sha256Hex(selectionText(assistant, answers))).toBe(row.sha256);
    }
    const goal = own.findLast((message) => message.flags & MessageFlag.instruction);
    if (reference.lastGoal) expect(sha256Hex(limit(joined(goal!.parts.map((part) => (part.type === 'text' ? part.text : '')))))).toBe(reference.lastGoal.sha256);
  });
});
