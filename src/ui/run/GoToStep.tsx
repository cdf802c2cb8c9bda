import { useState } from 'react';
import { Dialog } from '../shared/Dialog';

export function GoToStep({ step, steps, onGo, onClose }: { step: number; steps: number; onGo: (step: number) => void; onClose: () => void }) {
  const [typed, setTyped] = useState(String(step));
  return (
    <Dialog title="Go to step" onClose={onClose}>
      <form className="go-form" onSubmit={(event) => { event.preventDefault(); onGo(Number(typed)); onClose(); }}>
        <label className="field"><span className="muted">Step, 1 to {steps}</span>
          <input type="number" min={1} max={steps} value={typed} onChange={(event) => setTyped(event.target.value)} />
        </label>
        <button type="submit" className="primary">Go</button>
      </form>
    </Dialog>
  );
}
