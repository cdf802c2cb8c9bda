import { useState } from 'react';

export interface NumberDialProps { value: number | null; min: number; max: number; /** 1 = whole numbers only. */ step: number; className?: string; onChange: (value: number) => void }

/**
 * A number field that sends only values in range. What is being typed stays as typed until the field is left, even
 * when the answer of the page to it is another number.
 */
export function NumberDial({ value, min, max, step, className, onChange }: NumberDialProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const accept = (text: string): void => {
    setDraft(text);
    const typed = Number(text);
    if (text.trim() !== '' && Number.isFinite(typed) && typed >= min && typed <= max && (step !== 1 || Number.isInteger(typed))) onChange(typed);
  };
  return <input type="number" className={className} min={min} max={max} step={step} value={draft ?? (value === null ? '' : String(value))} onChange={(event) => accept(event.target.value)} onBlur={() => setDraft(null)} />;
}
