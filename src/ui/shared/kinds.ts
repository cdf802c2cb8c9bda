/** Block kind → hue, letter, word (design.md): the same three everywhere. */
import { BLOCK_KINDS, type BlockKind } from '../../core/trace/blocks-types';
import type { BlockStatus } from '../../core/workspace/types';

export interface KindLook { letter: string; word: string; /** CSS custom properties: fill, and text or thin lines. */ fill: string; ink: string }

const look = (token: string, letter: string, word: string): KindLook => ({ letter, word, fill: `var(--kind-${token})`, ink: `var(--kind-${token}-ink)` });

const LOOKS: Record<BlockKind, KindLook> = {
  system: look('system', 'S', 'system'),
  task: look('task', 'T', 'task'),
  user: look('user', 'U', 'user'),
  assistant: look('assistant', 'A', 'assistant'),
  tool_result: look('tool', 'O', 'tool result'),
  // Takes the hue of what it brings back, which is nearly always a tool result; callers that know better pass that kind.
  recovered: look('tool', 'O', 'recovered'),
  handle: look('summary', 'Σ', 'handle'),
  placeholder: look('summary', 'Σ', 'placeholder'),
  summary: look('summary', 'Σ', 'summary'),
  notice: look('notice', '!', 'notice'),
};
const ERROR = look('notice', '!', 'error');

export function kindLook(kind: BlockKind, isError = false): KindLook {
  return isError && kind === 'tool_result' ? ERROR : LOOKS[kind];
}

export function kindOf(code: number | undefined): BlockKind {
  return BLOCK_KINDS[code ?? 0] ?? 'notice';
}

/** Glyph before the status word: filled = in context, half = can come back, ✕ = gone. */
const GLYPHS: Record<BlockStatus, string> = {
  unborn: '·', visible: '●', archived: '◨', offloaded: '◨', masked: '◌', cleared: '○', summarised: 'Σ', trimmed: '✕', deleted: '✕', rejected: '✕',
};
const REASONS: Record<BlockStatus, string> = {
  unborn: 'not yet in the context at this step',
  visible: 'in the context at this step',
  archived: 'archived: out of the context, can be brought back byte for byte',
  offloaded: 'offloaded to a placeholder, can be brought back byte for byte',
  masked: 'masked: a placeholder stands in its place',
  cleared: 'cleared: its content was removed',
  summarised: 'replaced by a summary',
  trimmed: 'trimmed to stay within the budget',
  deleted: 'deleted',
  rejected: 'rejected: it did not fit, a notice stands in its place',
};

export function statusGlyph(status: BlockStatus): string {
  return GLYPHS[status];
}

export function statusReason(status: BlockStatus): string {
  return REASONS[status];
}
