import { useId, useState } from 'react';
import { formatCount } from '../../core/layout/format';

export interface NumberDialProps { value: number | null; min: number; max: number; /** 1 = whole numbers only. */ step: number; className?: string; onChange: (value: number) => void }

/**
 * A number field that sends only values in range. What is being typed stays as typed until the field is left, even
 * when the answer of the page to it is another number; a number out of range then becomes the nearest one in range,
 * and until then a line beside the field says what is used. Enter leaves the field.
 */
export function NumberDial({ value, min, max, step, className, onChange }: NumberDialProps) {
  const [draft, setDraft] = useState<string | null>(null);
  const hint = useId();
  const words = (number: number): string => (step === 1 ? formatCount(number) : String(number));
  const typed = draft === null || draft.trim() === '' ? NaN : Number(draft);
  const isUsable = Number.isFinite(typed) && typed >= min && typed <= max && (step !== 1 || Number.isInteger(typed));
  const isWrong = draft !== null && !isUsable;
  const accept = (text: string): void => {
    setDraft(text);
    const next = Number(text);
    if (text.trim() !== '' && Number.isFinite(next) && next >= min && next <= max && (step !== 1 || Number.isInteger(next))) onChange(next);
  };
  const leave = (): void => {
    if (isWrong && Number.isFinite(typed)) onChange(Math.min(max, Math.max(min, step === 1 ? Math.round(typed) : typed)));
    setDraft(null);
  };
  return (
    <>
      <input
        type="number"
        className={className}
        min={min}
        max={max}
        step={step}
        aria-invalid={isWrong ? true : undefined}
        aria-describedby={isWrong ? hint : undefined}
        value={draft ?? (value === null ? '' : String(value))}
        onChange={(event) => accept(event.target.value)}
        onBlur={leave}
        onKeyDown={(event) => { if (event.key === 'Enter') event.currentTarget.blur(); }}
      />
      {isWrong && <span id={hint} className="danger small dial-hint" aria-hidden="true">{words(min)} to {words(max)}{value === null ? '' : `; used: ${words(value)}`}</span>}
    </>
  );
}
