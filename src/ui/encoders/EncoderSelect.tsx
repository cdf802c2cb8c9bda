import { lazy, Suspense, useState } from 'react';
import type { EncoderId } from '../../core/embedding/types';
import { useApp, useView } from '../../state/react/app-context';
import { encoderTitle } from '../../state/react/use-embedding';
import { useOwnEncoders } from '../../state/react/use-own-encoders';
import { useResource } from '../../state/react/use-resource';
import type { OpenLine } from '../../workers/api';
import './encoder-select.css';

const EncodersDialog = lazy(() => import('./EncodersDialog').then((module) => ({ default: module.EncodersDialog })));

const ALWAYS: EncoderId[] = ['static-minilm-384@1', 'minilm-l6-v2-int8@1', 'hashed-1024@1'];

/** Which encoder the numbers come from: bundled ones, those the user brought, and the way to bring one. */
export function EncoderSelect({ line }: { line: OpenLine | undefined }) {
  const { view, workbench } = useApp();
  const encoder = useView((state) => state.encoder);
  const own = useOwnEncoders();
  const [open, setOpen] = useState(false);
  const webGpu = useResource('webgpu', () => workbench.webGpu());
  const bundled: EncoderId[] = webGpu.value === true ? [...ALWAYS, 'minilm-l6-v2-f32@1'] : ALWAYS;
  const isKnown = bundled.includes(encoder) || own.some(({ id }) => id === encoder);
  const all: EncoderId[] = [...bundled, ...own.map(({ id }) => id), ...(isKnown ? [] : [encoder])];
  const choose = (id: EncoderId): void => view.setState({ encoder: id });
  return (
    <>
      <label className="field">
        <span className="muted field-name">Encoder</span>
        <select aria-label="Encoder" className="encoder-select" value={encoder} onChange={(event) => choose(all.find((id) => id === event.target.value) ?? encoder)}>
          {(isKnown ? bundled : [...bundled, encoder]).map((id) => <option key={id} value={id}>{encoderTitle(id)}</option>)}
          {own.length > 0 && <optgroup label="Yours">{own.map(({ id }) => <option key={id} value={id}>{encoderTitle(id)}</option>)}</optgroup>}
        </select>
      </label>
      <button type="button" className="quiet square encoder-add" aria-label="Your own encoders" title="Bring your own encoder: a model or vectors" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M6 1.500v9M1.500 6h9" stroke="currentColor" strokeWidth="1.500" /></svg>
      </button>
      {open && <Suspense fallback={null}><EncodersDialog line={line} own={own} onChoose={choose} onClose={() => setOpen(false)} /></Suspense>}
    </>
  );
}
