import { useEffect, useState, type RefObject } from 'react';
import { cutWidth } from './cut-column';

/** What to cover at the right edge, and where the scroll bars leave room. */
export interface CutColumn { px: number; right: number; bottom: number }

/** Follows the scroll place and the size of the table's pane. `widths` of the columns shown, CSS pixels. */
export function useCutColumn(scroll: RefObject<HTMLElement | null>, widths: readonly number[]): CutColumn | null {
  const [cut, setCut] = useState<CutColumn | null>(null);
  const key = widths.join(' ');
  useEffect(() => {
    const element = scroll.current;
    if (element === null) return;
    const columns = key.split(' ').map(Number);
    const measure = (): void => {
      const px = cutWidth(columns, element.scrollLeft + element.clientWidth);
      const next = px === null ? null : { px, right: element.offsetWidth - element.clientWidth, bottom: element.offsetHeight - element.clientHeight };
      setCut((before) => (before?.px === next?.px && before?.right === next?.right && before?.bottom === next?.bottom ? before : next));
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, [scroll, key]);
  return cut;
}
