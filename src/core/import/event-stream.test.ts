import { describe, expect, it } from 'vitest';
import { bytesSource } from '../base/byte-source';
import { eventDataStart, isEventStream } from './event-stream';
import { importSource } from './import-source';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const CHUNK = (text: string, finish: string | null = null): string => `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":"${text}"},"finish_reason":${JSON.stringify(finish)}}]}`;

describe('server-sent events', () => {
  it.each([
    ['data: {"a":1}\n\n', true],
    [': ping\n\nevent: x\r\ndata: {"a":1}\r\n\r\n', true],
    ['id: 1\nretry: 10\n', false],
    ['data of a survey\nmore text\n', false],
    ['name: x\ndata: {}\nother\n', false],
    ['', false],
  ])('%j: %s', (head, expected) => { expect(isEventStream(head)).toBe(expected); });

  it.each([
    ['data: {"a":1}', 6], ['data:{"a":1}', 5], ['data: [DONE]', -1], ['data:', -1], ['event: data: x', -1], [': data: x', -1], ['not a field', 0],
  ])('%j has its value at %i', (line, at) => { expect(eventDataStart(encode(line), 0, line.length)).toBe(at); });
});

describe('a saved stream', () => {
  it('says that it was cut, and reports lines that are no field', async () => {
    const { report, trajectories } = await importSource(bytesSource('x', encode(`data: ${CHUNK('One ')}\n\ncurl: (18) transfer closed\ndata: ${CHUNK('two')}\n\ndata: {"id":"c","obj`)));
    expect(report.format).toBe('openai-chat-stream');
    expect(report.badRecords.map(({ line, reason }) => [line, reason.slice(0, 29)])).toEqual([[3, 'expected a JSON object, found'], [6, 'the record is cut off']]);
    expect(trajectories[0]!.warnings).toEqual(['1 of 1 answers end without a finish reason: the stream was cut.']);
    expect([...trajectories[0]!.columns.chars]).toEqual([7]);
  });

  it('of the Responses API is read by its items', async () => {
    const item = '{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"Ahoy"}]}';
    const { report, trajectories } = await importSource(bytesSource('x', encode([
      'event: response.created\ndata: {"type":"response.created","sequence_number":0,"response":{"id":"r","object":"response","model":"m","output":[]}}',
      `event: response.output_item.done\ndata: {"type":"response.output_item.done","sequence_number":1,"item":${item}}`,
      `event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{"id":"r","object":"response","model":"m","status":"completed","output":[${item}],"usage":{"input_tokens":5,"output_tokens":1}}}`,
    ].join('\n\n'))));
    expect(report.format).toBe('openai-responses');
    expect([trajectories[0]!.columns.n, trajectories[0]!.usage.input]).toEqual([1, 5]);
  });
});
