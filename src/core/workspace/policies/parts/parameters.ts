/** Parameters that many policies have, with the default of each. */
import type { Parameter } from '../../types';

export const share = (key: string, label: string, explanation: string, value: number): Parameter =>
  ({ key, label, explanation, type: 'number', default: value, unit: 'share of B', min: 0.02, max: 1, step: 0.01 });

/** A published token threshold, scaled by B ÷ the window it was published with. */
export const tokens = (key: string, label: string, explanation: string, value: number, publishedWindow: number, min = 1): Parameter =>
  ({ key, label, explanation, type: 'integer', default: value, unit: 'tokens', min, publishedWindow });

export const turns = (key: string, label: string, explanation: string, value: number, min = 1): Parameter =>
  ({ key, label, explanation, type: 'integer', default: value, unit: 'turns', min, max: 1_000_000, step: 1 });

export const amount = (key: string, label: string, explanation: string, value: number, unit: string, min = 0): Parameter =>
  ({ key, label, explanation, type: 'integer', default: value, unit, min, max: 1_000_000_000, step: 1 });

export const flag = (key: string, label: string, explanation: string, value: boolean): Parameter =>
  ({ key, label, explanation, type: 'boolean', default: value });

export const choice = (key: string, label: string, explanation: string, choices: readonly string[]): Parameter =>
  ({ key, label, explanation, type: 'choice', default: choices[0] ?? '', choices });

export const names = (key: string, label: string, explanation: string, value: string): Parameter =>
  ({ key, label, explanation, type: 'text', default: value });

export const seed: Parameter =
  { key: 'seed', label: 'Seed', explanation: 'Seed of the random stream.', type: 'integer', default: 0, min: 0, max: 4_294_967_295, step: 1 };

/** Length that a stand-in summary may have. */
export const summaryTokens = (value: number, publishedWindow: number, explanation = 'Most tokens of a summary; a stand-in is cut to it.'): Parameter =>
  tokens('summaryTokens', 'Summary length', explanation, value, publishedWindow, 32);
