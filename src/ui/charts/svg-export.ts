/**
 * A drawn chart as a file of its own: the SVG with its computed styles written into it, a title line above, and the
 * ground of the theme behind. What is exported is what is seen. Styles become presentation attributes: the page's
 * content security policy forbids style attributes, and so may the page that a chart is put into.
 */
const STYLED = [
  'fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'stroke-linecap', 'opacity',
  'font-family', 'font-size', 'font-weight', 'text-anchor', 'dominant-baseline', 'visibility',
] as const;
/** What a viewer assumes anyway. */
const INITIAL: Readonly<Record<string, string>> = {
  'fill-opacity': '1', stroke: 'none', 'stroke-width': '1px', 'stroke-dasharray': 'none', 'stroke-opacity': '1', 'stroke-linejoin': 'miter', 'stroke-linecap': 'butt', opacity: '1',
  'font-weight': '400', 'text-anchor': 'start', 'dominant-baseline': 'auto', visibility: 'visible',
};
/** Inherited: written again only where it differs from the parent's. */
const INHERITED: ReadonlySet<string> = new Set(['fill', 'fill-opacity', 'stroke', 'stroke-width', 'stroke-dasharray', 'stroke-opacity', 'stroke-linejoin', 'stroke-linecap', 'font-family', 'font-size', 'font-weight', 'text-anchor', 'visibility']);
const NAMESPACE = 'http://www.w3.org/2000/svg';
/** Room for the title line. */
export const HEAD_PX = 28;
const MARGIN_PX = 8;

export interface ChartWords { title: string; what: string; summary: string }
export interface ExportedSvg { text: string; width: number; height: number }

/** `svg` must be in the page, so that its styles are known. */
export function chartSvg(svg: SVGSVGElement, words: ChartWords): ExportedSvg {
  const inner = { width: Number(svg.getAttribute('width')), height: Number(svg.getAttribute('height')) };
  const width = inner.width + 2 * MARGIN_PX;
  const height = inner.height + HEAD_PX + 2 * MARGIN_PX;
  const root = document.documentElement;
  const theme = (name: string): string => getComputedStyle(root).getPropertyValue(name).trim();
  const copy = svg.cloneNode(true) as SVGSVGElement;
  inline(svg, copy, null);
  const out = document.createElementNS(NAMESPACE, 'svg');
  for (const [name, value] of [['width', width], ['height', height], ['viewBox', `0 0 ${width} ${height}`], ['role', 'img']] as const) out.setAttribute(name, String(value));
  out.append(element('title', {}, `${words.title}: ${words.what}`), element('desc', {}, words.summary));
  out.append(element('rect', { width, height, fill: theme('--surface-0') || 'white' }));
  const head = element('text', { x: MARGIN_PX, y: MARGIN_PX + 14, 'font-family': theme('--font-ui') || 'sans-serif', 'font-size': 13, fill: theme('--ink') || 'black' });
  head.append(element('tspan', { 'font-weight': 600 }, words.title), element('tspan', { fill: theme('--ink-muted') || 'gray', 'font-size': 11.5, dx: 8 }, words.what));
  const body = element('g', { transform: `translate(${MARGIN_PX} ${MARGIN_PX + HEAD_PX})` });
  for (const name of STYLED) {
    const value = copy.getAttribute(name);
    if (value !== null) body.setAttribute(name, value);
  }
  body.append(...copy.childNodes);
  out.append(head, body);
  return { text: new XMLSerializer().serializeToString(out), width, height };
}

function element(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
  const made = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}

function inline(from: Element, to: Element, parent: CSSStyleDeclaration | null): void {
  const style = getComputedStyle(from);
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (const name of STYLED) {
    const value = style.getPropertyValue(name);
    const assumed = INHERITED.has(name) && parent !== null ? parent.getPropertyValue(name) : INITIAL[name];
    if (value === '' || value === assumed) to.removeAttribute(name);
    else to.setAttribute(name, plainColour(value));
  }
  [...from.children].forEach((child, i) => {
    const twin = to.children[i];
    if (twin !== undefined) inline(child, twin, style);
  });
}

/** Browsers print mixed colours as `color(srgb 0.1 0.2 0.3 / 0.5)`, which few other programs read. */
export function plainColour(value: string): string {
  const match = /^color\(srgb ([\d.e-]+) ([\d.e-]+) ([\d.e-]+)(?: \/ ([\d.e-]+))?\)$/.exec(value);
  if (match === null) return value;
  const channel = (i: number): number => Math.round(Math.max(0, Math.min(1, Number(match[i]))) * 255);
  const rgb = `${channel(1)}, ${channel(2)}, ${channel(3)}`;
  return match[4] === undefined ? `rgb(${rgb})` : `rgba(${rgb}, ${Number(match[4])})`;
}

/** The same as a picture, at least twice as fine as CSS pixels. */
export async function chartPng({ text, width, height }: ExportedSvg): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = url;
    await image.decode();
    const scale = Math.max(2, window.devicePixelRatio || 1);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await canvasPng(canvas);
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function canvasPng(canvas: HTMLCanvasElement): Promise<Blob> {
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob === null ? reject(new Error('The browser could not make a picture of this size.')) : resolve(blob)), 'image/png');
  });
}
