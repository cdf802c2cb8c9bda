import { useEffect, useState } from 'react';

/** Copies a text made at the moment of the click, and says that it did. */
export function CopyButton({ label, text }: { label: string; text: () => string | Promise<string> }) {
  const [state, setState] = useState<'idle' | 'done' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), 1600);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(await text());
      setState('done');
    } catch {
      setState('failed');
    }
  };
  return (
    <button type="button" className="copy" onClick={() => void copy()}>
      {label}<span role="status" className="copy-state">{state === 'done' ? ' ✓' : state === 'failed' ? ' not allowed here' : ''}</span>
    </button>
  );
}
