import { useState } from 'react';
import { count } from '../shared/format';
import { parseBudget } from './budget-text';

const MIN = 1_000;
const MAX = 1_000_000;
/** Ticks of the dial: 100 a decade is finer than a hand. */
const SCALE = 100;

function budgetToDial(budget: number): number {
  return Math.round(Math.log10(Math.max(MIN, Math.min(MAX, budget))) * SCALE);
}

/** Rounded to two figures, so that the dial gives budgets one can read out. */
function dialToBudget(position: number): number {
  const raw = 10 ** (position / SCALE);
  const unit = 10 ** (Math.floor(Math.log10(raw)) - 1);
  return Math.round(raw / unit) * unit;
}

/** What an arrow key changes, tokens. */
const ARROW = 1_000;
const EXPECTED = 'A number of tokens above 0, such as 32000 or 16k';

/** Budget in tokens: a number to type and a logarithmic dial; every move replays. */
export function BudgetDial({ budget, onChange }: { budget: number; onChange: (budget: number) => void }) {
  const [typed, setTyped] = useState<string | null>(null);
  const isWrong = typed !== null && parseBudget(typed) === null;
  const leave = (): void => {
    const value = typed === null ? null : parseBudget(typed);
    if (value !== null) onChange(value);
    setTyped(null);
  };
  const move = (by: number): void => {
    const from = (typed === null ? null : parseBudget(typed)) ?? budget;
    setTyped(null);
    onChange(Math.max(1, from + by));
  };
  return (
    <span className="budget">
      <label className="field">
        <span className="muted">Budget</span>
        {/* A text field that says it is a spin button: a number field would refuse to let anyone type "16k". */}
        <input
          type="text"
          className="budget-field"
          inputMode="numeric"
          autoComplete="off"
          role="spinbutton"
          aria-label="Budget"
          aria-valuemin={1}
          aria-valuenow={budget}
          aria-valuetext={`${count(budget)} tokens`}
          aria-invalid={isWrong ? true : undefined}
          title={isWrong ? EXPECTED : 'Tokens of the context window B; 16k is 16 000'}
          value={typed ?? String(budget)}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={leave}
          onKeyDown={(event) => {
            if (event.key === 'Enter') {
              // Leaving the field gives the single keys back to the page; what cannot be used stays to be mended.
              if (!isWrong) event.currentTarget.blur();
            } else if (event.key === 'Escape') setTyped(null);
            else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
              event.preventDefault();
              move(event.key === 'ArrowUp' ? ARROW : -ARROW);
            }
          }}
        />
      </label>
      {isWrong && <span className="budget-hint" role="status">{EXPECTED}. Used now: {count(budget)}.</span>}
      <input type="range" aria-label="Budget dial" aria-valuetext={`${count(budget)} tokens`} min={budgetToDial(MIN)} max={budgetToDial(MAX)} value={budgetToDial(budget)} onChange={(event) => { setTyped(null); onChange(dialToBudget(Number(event.target.value))); }} />
    </span>
  );
}
