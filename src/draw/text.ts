/** Fonts and cached text widths of canvas labels. */
import type { Surface } from './surface';
import type { Palette } from './palette';

const FONT_PX = 11.5;

export function uiFont(palette: Palette, bold = false): string {
  return `${bold ? '600 ' : ''}${FONT_PX}px ${palette.fontUi}`;
}
export function monoFont(palette: Palette): string {
  return `${FONT_PX}px ${palette.fontMono}`;
}

/** Widths by font and text. Cleared when it grows past a bound: values at the playhead are new strings all the time. */
export class TextMeasurer {
  private readonly widths = new Map<string, number>();
  private static readonly LIMIT = 4000;

  width(surface: Surface, font: string, text: string): number {
    const key = `${font}|${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    if (this.widths.size > TextMeasurer.LIMIT) this.widths.clear();
    surface.font = font;
    const { width } = surface.measureText(text);
    this.widths.set(key, width);
    return width;
  }
}
