import { SPEEDS } from '../../state/view';
import { count } from '../shared/format';

interface Props {
  step: number;
  steps: number;
  playing: boolean;
  speed: number;
  onStep: (step: number) => void;
  onPlay: () => void;
  onSpeed: (speed: number) => void;
}

/** The playhead as a slider with buttons; the timeline shows the same one. */
export function StepControls({ step, steps, playing, speed, onStep, onPlay, onSpeed }: Props) {
  return (
    <span className="steps" role="group" aria-label="Playhead">
      <button type="button" className="quiet square" aria-label="First step" disabled={step <= 1} onClick={() => onStep(1)}><Glyph d="M2 2h1.6v8H2zM10 2v8L4.4 6z" /></button>
      <button type="button" className="quiet square" aria-label="Previous step" disabled={step <= 1} onClick={() => onStep(step - 1)}><Glyph d="M9 2v8L3 6z" /></button>
      <button type="button" className="quiet square" aria-label={playing ? 'Pause' : 'Play'} aria-pressed={playing} onClick={onPlay}><Glyph d={playing ? 'M3 2h2.2v8H3zM6.8 2H9v8H6.8z' : 'M3 1.5v9L10 6z'} /></button>
      <button type="button" className="quiet square" aria-label="Next step" disabled={step >= steps} onClick={() => onStep(step + 1)}><Glyph d="M3 2v8l6-4z" /></button>
      <button type="button" className="quiet square" aria-label="Last step" disabled={step >= steps} onClick={() => onStep(steps)}><Glyph d="M8.4 2H10v8H8.4zM2 2v8l5.6-4z" /></button>
      <label className="field">
        <span className="muted field-name">Step</span>
        <input type="range" aria-label="Step" aria-valuetext={`step ${step} of ${steps}`} min={1} max={Math.max(1, steps)} value={step} onChange={(event) => onStep(Number(event.target.value))} />
      </label>
      <output className="steps-count" aria-label="Current step"><strong>{count(step)}</strong> <span className="muted">/ {count(steps)}</span></output>
      <select aria-label="Speed" title="Playing speed" value={speed} onChange={(event) => onSpeed(Number(event.target.value))}>
        {SPEEDS.map((one) => <option key={one} value={one}>{one}×</option>)}
      </select>
    </span>
  );
}

function Glyph({ d }: { d: string }) {
  return <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d={d} fill="currentColor" /></svg>;
}
