/** The colours of the token file, read once a theme change: a canvas cannot use CSS custom properties itself. */
import { SWATCHES, type Swatch } from '../core/workspace/types';

const NAME_OF_SWATCH: Record<Swatch, string> = {
  system: 'system', task: 'task', user: 'user', assistant: 'assistant', reasoning: 'reasoning', tool_result: 'tool', summary: 'summary', notice: 'notice',
};

/** CSS custom property of a swatch's fill, or (`ink`) of text and thin lines in its hue. */
export function swatchVariable(swatch: Swatch, ink = false): string {
  return `--kind-${NAME_OF_SWATCH[swatch]}${ink ? '-ink' : ''}`;
}

/** `kinds` and `kindInks` are indexed like SWATCHES. */
export interface Palette {
  surface: string;
  surface1: string;
  surface2: string;
  raised: string;
  ink: string;
  inkMuted: string;
  line: string;
  grid: string;
  accent: string;
  /** Text on the accent. */
  accentInk: string;
  danger: string;
  kinds: readonly string[];
  kindInks: readonly string[];
  fontUi: string;
  fontMono: string;
}

export function readPalette(element: Element): Palette {
  const style = getComputedStyle(element);
  const read = (name: string): string => style.getPropertyValue(name).trim();
  return {
    surface: read('--surface-0'), surface1: read('--surface-1'), surface2: read('--surface-2'), raised: read('--raised'),
    ink: read('--ink'), inkMuted: read('--ink-muted'), line: read('--line'), grid: read('--grid'), accent: read('--accent'), accentInk: read('--accent-ink') || read('--surface-0'), danger: read('--danger'),
    kinds: SWATCHES.map((swatch) => read(swatchVariable(swatch))),
    kindInks: SWATCHES.map((swatch) => read(swatchVariable(swatch, true)) || read(swatchVariable(swatch))),
    fontUi: read('--font-ui') || 'system-ui, sans-serif', fontMono: read('--font-mono') || 'monospace',
  };
}
