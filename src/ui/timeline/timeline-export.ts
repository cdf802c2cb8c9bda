/** The timeline as a picture: both layers under a title line, as fine as they are on screen. */
import { canvasPng } from '../charts/svg-export';

export interface TimelineWords { title: string; what: string }

/** Height of the title line, CSS pixels. */
const HEAD_PX = 28;

export function timelinePng(base: HTMLCanvasElement, overlay: HTMLCanvasElement, host: HTMLElement, { title, what }: TimelineWords): Promise<Blob> {
  const scale = base.width / Math.max(1, host.clientWidth);
  const canvas = document.createElement('canvas');
  canvas.width = base.width;
  canvas.height = base.height + Math.round(HEAD_PX * scale);
  const context = canvas.getContext('2d');
  if (context === null) return Promise.reject(new Error('This browser gives no canvas to draw on.'));
  const style = getComputedStyle(host);
  const theme = (name: string): string => style.getPropertyValue(name).trim();
  context.fillStyle = theme('--surface-0');
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.scale(scale, scale);
  context.textBaseline = 'middle';
  context.fillStyle = theme('--ink');
  context.font = `600 13px ${theme('--font-ui')}`;
  context.fillText(title, 8, HEAD_PX / 2);
  const left = 8 + context.measureText(title).width + 10;
  context.fillStyle = theme('--ink-muted');
  context.font = `11.5px ${theme('--font-ui')}`;
  context.fillText(what, left, HEAD_PX / 2);
  context.setTransform(1, 0, 0, 1, 0, 0);
  for (const layer of [base, overlay]) context.drawImage(layer, 0, canvas.height - base.height);
  return canvasPng(canvas);
}
