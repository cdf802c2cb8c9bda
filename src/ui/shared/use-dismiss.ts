import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';

/** Closes a menu when the pointer goes down outside its host, or focus moves out of it. */
export function useDismiss<T extends HTMLElement>(open: boolean, close: () => void): RefObject<T | null> {
  const host = useRef<T>(null);
  const outside = useEffectEvent((target: EventTarget | null) => {
    if (target instanceof Node && host.current !== null && !host.current.contains(target)) close();
  });
  useEffect(() => {
    if (!open) return;
    const listener = (event: Event): void => outside(event.target);
    window.addEventListener('pointerdown', listener);
    window.addEventListener('focusin', listener);
    return () => {
      window.removeEventListener('pointerdown', listener);
      window.removeEventListener('focusin', listener);
    };
  }, [open]);
  return host;
}
