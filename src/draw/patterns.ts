/** Status patterns (design.md): 45° hatch at 35 %, dots. Tiles are made once a colour and pixel ratio. */
export type PatternKind = 'hatch' | 'dots' | 'overflow';
export type Fill = string | CanvasPattern;
/** Makes the fill of one pattern in one colour; null where canvases cannot be made. */
export type PatternMaker = (kind: PatternKind, colour: string, pixelRatio: number) => Fill | null;

/** CSS pixels between two hatch lines (measured along x), and between two dots. */
const PITCH_PX: Record<PatternKind, number> = { hatch: 4, 'overflow': 6, dots: 4 };

export class PatternCache {
  private readonly tiles = new Map<string, Fill>();
  constructor(private readonly make: PatternMaker) {}

  /** The pattern, or the plain colour when no tile can be made: status is then told by opacity alone. */
  get(kind: PatternKind, colour: string, pixelRatio: number): Fill {
    const key = `${kind}|${colour}|${pixelRatio}`;
    let tile = this.tiles.get(key);
    if (tile === undefined) {
      tile = this.make(kind, colour, pixelRatio) ?? colour;
      this.tiles.set(key, tile);
    }
    return tile;
  }
}

/** Tiles drawn on small canvases of the document; the pattern is in device pixels and stays crisp. */
export function canvasPatternMaker(target: CanvasRenderingContext2D): PatternMaker {
  return (kind, colour, pixelRatio) => {
    const size = Math.max(3, Math.round(PITCH_PX[kind] * pixelRatio));
    const tile = document.createElement('canvas');
    tile.width = size;
    tile.height = size;
    const context = tile.getContext('2d');
    if (!context) return null;
    context.fillStyle = colour;
    context.strokeStyle = colour;
    if (kind === 'dots') {
      const dot = Math.max(1, Math.round(pixelRatio * 1.25));
      context.fillRect(0, 0, dot, dot);
      context.fillRect(Math.floor(size / 2), Math.floor(size / 2), dot, dot);
    } else {
      // A faint ground keeps the hue readable where a bar is one pixel high and the hatch is all gaps.
      context.globalAlpha = kind === 'hatch' ? 0.12 : 0.14;
      context.fillRect(0, 0, size, size);
      context.globalAlpha = kind === 'hatch' ? 0.6 : 0.9;
      context.lineWidth = Math.max(1, pixelRatio);
      context.beginPath();
      // Three strokes, so that the line goes on over the tile's corners.
      for (const shift of [-size, 0, size]) {
        context.moveTo(shift - 1, size + 1);
        context.lineTo(shift + size + 1, -1);
      }
      context.stroke();
    }
    const pattern = target.createPattern(tile, 'repeat');
    // The context is scaled to CSS pixels, the tile is not.
    pattern?.setTransform(new DOMMatrix([1 / pixelRatio, 0, 0, 1 / pixelRatio, 0, 0]));
    return pattern;
  };
}
