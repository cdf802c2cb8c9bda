/** The part of a 2-D canvas context that the renderers use: a real one, or one that records calls for tests. */
export type Surface = Pick<
  CanvasRenderingContext2D,
  | 'fillStyle' | 'strokeStyle' | 'lineWidth' | 'globalAlpha' | 'font' | 'textAlign' | 'textBaseline'
  | 'save' | 'restore' | 'beginPath' | 'closePath' | 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'rect' | 'arc' | 'fill' | 'stroke' | 'clip'
  | 'fillRect' | 'strokeRect' | 'clearRect' | 'fillText' | 'measureText' | 'setLineDash' | 'setTransform'
>;

export interface Device {
  surface: Surface;
  pixelRatio: number;
}

/** Sizes a canvas for the device and scales its context to CSS pixels; returns whether its size changed. */
export function fitCanvas(canvas: HTMLCanvasElement, width: number, height: number, pixelRatio: number): boolean {
  const w = Math.max(1, Math.round(width * pixelRatio));
  const h = Math.max(1, Math.round(height * pixelRatio));
  if (canvas.width === w && canvas.height === h) return false;
  canvas.width = w;
  canvas.height = h;
  return true;
}
