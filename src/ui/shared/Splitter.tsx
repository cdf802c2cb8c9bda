import type { PointerEvent as ReactPointerEvent, KeyboardEvent as ReactKeyboardEvent } from 'react';
import './splitter.css';

interface Props {
  label: string;
  /** `row` lies between panes stacked on each other and moves up and down. */
  direction: 'row' | 'column';
  valuePx: number;
  minPx: number;
  maxPx: number;
  /** +1: dragging right or down makes the pane larger. */
  sign: 1 | -1;
  onChange: (px: number) => void;
}

/** A separator that resizes one pane, by pointer or arrow keys. */
export function Splitter({ label, direction, valuePx, minPx, maxPx, sign, onChange }: Props) {
  const clamp = (px: number): number => Math.round(Math.max(minPx, Math.min(maxPx, px)));
  const down = (event: ReactPointerEvent<HTMLDivElement>): void => {
    event.preventDefault();
    const target = event.currentTarget;
    target.setPointerCapture(event.pointerId);
    const at = (e: { clientX: number; clientY: number }): number => (direction === 'row' ? e.clientY : e.clientX);
    const from = at(event);
    const move = (e: PointerEvent): void => onChange(clamp(valuePx + sign * (at(e) - from)));
    const up = (): void => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', up);
      target.removeEventListener('pointercancel', up);
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', up);
    target.addEventListener('pointercancel', up);
  };
  const key = (event: ReactKeyboardEvent): void => {
    const steps: Record<string, number> = direction === 'row' ? { ArrowUp: -1, ArrowDown: 1 } : { ArrowLeft: -1, ArrowRight: 1 };
    const by = steps[event.key];
    if (by === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    onChange(clamp(valuePx + sign * by * (event.shiftKey ? 64 : 16)));
  };
  return (
    <div
      className={`splitter splitter-${direction}`}
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation={direction === 'row' ? 'horizontal' : 'vertical'}
      aria-valuenow={valuePx}
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      onPointerDown={down}
      onKeyDown={key}
    />
  );
}
