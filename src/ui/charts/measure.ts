/** Width of small chart text in CSS pixels: SVG cannot tell before it has drawn. */
import { TextMeasurer } from '../../draw/text';

const measurer = new TextMeasurer();
let context: CanvasRenderingContext2D | null = null;
let font = '';

export function measureSmall(text: string): number {
  if (context === null) {
    context = document.createElement('canvas').getContext('2d');
    font = `11.5px ${getComputedStyle(document.documentElement).getPropertyValue('--font-ui').trim() || 'sans-serif'}`;
  }
  return context ? measurer.width(context, font, text) : text.length * 6;
}
