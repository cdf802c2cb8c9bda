import { useState } from 'react';
import { count } from '../shared/format';

const MIN = 1_000;
const MAX = 1_000_000;
/** Ticks of the dial: 100 a decade is finer than a hand. */
const SCALE = 100;

export function budgetToDial(budget: number): number {
  return Math.round(Math.log10(Math.max(MIN, Math.min(MAX, budget))) * SCALE);
}

/** Rounded to two figures, so that the dial gives budgets one can read out. */
export function dialToBudget(position: number): number {
  const raw = 10 ** (position / SCALE);
  const unit = 10 ** (Math.floor(Math.log10(raw)) - 1);
  return Math.round(raw / unit) * unit;
}

/** Budget in tokens: a number to type and a logarithmic dial; every move replays. */
export function BudgetDial({ budget, onChange }: { budget: number; onChange: (budget: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const commit = (): void => {
    const value = Math.round(Number(typed));
    if (typed !== null && value > 0) onChange(value);
    setTyped(null);
  };
  return (
    <span className="budget">
      <label className="field">
        <span className="muted">Budget</span>
        <input
          type="number"
          aria-label="Budget"
          title="Tokens of the context window B"
          min={1}
          step={1000}
          value={typed ?? String(budget)}
          onChange={(event) => {
            const text = event.target.value;
            setTyped(text);
            // The little arrows change by whole steps: answer at once. Typing waits for Enter or for leaving the field.
            if (event.nativeEvent instanceof InputEvent) return;
            if (Number(text) > 0) onChange(Math.round(Number(text)));
          }}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            if (event.key === 'Escape') setTyped(null);
          }}
        />
      </label>
      <input type="range" aria-label="Budget dial" aria-valuetext={`${count(budget)} tokens`} min={budgetToDial(MIN)} max={budgetToDial(MAX)} value={budgetToDial(budget)} onChange={(event) => { setTyped(null); onChange(dialToBudget(Number(event.target.value))); }} />
    </span>
  );
}
