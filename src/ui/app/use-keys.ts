import { useEffect, useEffectEvent } from 'react';
import { commandOf, type Command, type Focus } from '../../state/keys';
import { usePreference } from '../../state/react/app-context';

/** What the focused element does with keys itself. `data-keys` marks our own row lists and tab lists. */
export function focusOf(element: Element | null): Focus {
  if (element === null || element === element.ownerDocument.body) return 'none';
  const tag = element.tagName;
  if (tag === 'INPUT') {
    const type = element.getAttribute('type');
    if (type === 'range') return 'range';
    return type === 'checkbox' || type === 'radio' || type === 'button' ? 'button' : 'text';
  }
  if (tag === 'TEXTAREA' || tag === 'SELECT' || (element instanceof HTMLElement && element.isContentEditable)) return 'text';
  const marked = element.closest('[data-keys]')?.getAttribute('data-keys');
  if (marked === 'rows' || marked === 'tabs') return marked;
  return tag === 'BUTTON' || tag === 'A' || tag === 'SUMMARY' ? 'button' : 'none';
}

/** Calls `run` for each command; `run` says whether it did something, and only then the key is taken from the browser. */
export function useKeys(run: (command: Command) => boolean): void {
  const enabled = usePreference((preferences) => preferences.shortcuts);
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector('dialog[open]') !== null) return;
    const command = commandOf(event, focusOf(document.activeElement), enabled);
    if (command !== null && run(command)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => handle(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}
