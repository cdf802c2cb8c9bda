import { ContextscopeError } from '../base/errors';
import { asObject } from '../base/json';
import { acm } from './acm';
import { anthropicMessages } from './anthropic-messages';
import { claudeCode } from './claude-code';
import { CODING_AGENT_FORMATS } from './coding-agents';
import { EXCHANGE_FORMATS } from './exchange-formats';
import type { Format, Sample } from './format';
import { majorityFormat } from './format-mix';
import { miniSweAgent } from './mini-swe-agent';
import { normalised } from './normalised';
import { openaiChat } from './openai-chat';
import { pi } from './pi';
import { sweAgent } from './swe-agent';

/** Every format that can be read. To add one: write its file, list it here, give it fixtures. Order means nothing. */
export const FORMATS: readonly Format[] = [normalised, acm, anthropicMessages, claudeCode, miniSweAgent, openaiChat, pi, sweAgent, ...CODING_AGENT_FORMATS, ...EXCHANGE_FORMATS];

export interface Detection { format: Format; confidence: 'certain' | 'likely' | 'forced' }

/** Below this a file is called unknown rather than imported wrongly. */
const MIN_SCORE = 0.5;
const CERTAIN_SCORE = 0.9;

export function formatById(id: string): Format {
  const format = FORMATS.find((candidate) => candidate.id === id);
  if (format) return format;
  throw new ContextscopeError('bad-argument', `Unknown format "${id}"; known are ${FORMATS.map((candidate) => candidate.id).join(', ')}.`);
}

/** The format with the highest score. Throws 'unknown-format' with what was found and what was tried. */
export function detectFormat(sample: Sample, fileName: string): Detection {
  const scored = FORMATS.map((format) => ({ format, score: format.detect(sample) })).sort((a, b) => b.score - a.score);
  const best = scored[0];
  if (best && best.score >= MIN_SCORE) return { format: best.format, confidence: best.score >= CERTAIN_SCORE ? 'certain' : 'likely' };
  // Lines of two formats by turns look like neither.
  const majority = majorityFormat(sample, FORMATS);
  if (majority) return { format: majority, confidence: 'likely' };
  throw unknownFormat(sample, fileName);
}

export function unknownFormat(sample: Sample, fileName: string): ContextscopeError {
  const tried = FORMATS.map((format) => format.title).join(', ');
  return new ContextscopeError('unknown-format', `${fileName} is in no format that is known here: found ${describeSample(sample)}; tried ${tried}. Export it in one of these, or name one with --format.`, { file: fileName });
}

function describeSample(sample: Sample): string {
  const first = sample.records[0];
  if (first === undefined) return 'no JSON record';
  const what = sample.shape === 'lines' ? 'JSON lines' : 'a JSON document';
  const object = asObject(Array.isArray(first) ? first[0] : first);
  const shape = Array.isArray(first) ? `${what} with an array of ` : `${what} of `;
  if (!object) return `${shape}${typeof (Array.isArray(first) ? first[0] : first)} values`;
  const keys = Object.keys(object);
  if (keys.length === 0) return 'nothing that can be read as JSON';
  const type = typeof object['type'] === 'string' ? `, type ${JSON.stringify(object['type'].slice(0, 40))}` : '';
  return `${shape}objects with the keys ${keys.slice(0, 10).join(', ')}${keys.length > 10 ? ', …' : ''}${type}`;
}
