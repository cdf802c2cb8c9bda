/** Sizes of the run page's panes: what the user dragged, else a share of the window; always leaving room for the tabs. */
import type { Preferences } from '../../state/preferences';

export interface Viewport { width: number; height: number }
export interface PaneSize { px: number; min: number; max: number }

/** Header, tab bar, a few rows and the progress line. */
const KEEP_FOR_TABS = 300;
/** From this width on the inspector stands beside the tabs, below it under them. */
const WIDE_PX = 1200;

export function isWide({ width }: Viewport): boolean {
  return width >= WIDE_PX;
}

/** A window so small that an empty inspector costs the tabs rows they need. */
export function isShort(viewport: Viewport): boolean {
  return !isWide(viewport) || viewport.height <= 760;
}

export function timelineSize({ timelinePx }: Pick<Preferences, 'timelinePx'>, { height }: Viewport): PaneSize {
  return clamped(timelinePx ?? Math.round(height * 0.39), 140, height - KEEP_FOR_TABS);
}

export function inspectorWidth({ inspectorPx }: Pick<Preferences, 'inspectorPx'>, { width }: Viewport): PaneSize {
  return clamped(inspectorPx ?? 360, 220, width - 560);
}

export function inspectorHeight({ inspectorHeightPx }: Pick<Preferences, 'inspectorHeightPx'>, { height }: Viewport): PaneSize {
  return clamped(inspectorHeightPx ?? Math.round(height * 0.2), 90, Math.round(height * 0.4));
}

function clamped(px: number, min: number, max: number): PaneSize {
  const top = Math.max(min, max);
  return { px: Math.max(min, Math.min(top, px)), min, max: top };
}
