import { useState } from 'react';
import type { OwnEncoderInfo } from '../../core/embedding/own-encoder';
import type { EncoderId } from '../../core/embedding/types';
import { useApp, useView } from '../../state/react/app-context';
import type { OpenLine } from '../../workers/api';
import { Dialog } from '../shared/Dialog';
import { bytes, count } from '../shared/format';
import { OnnxForm } from './OnnxForm';
import { VectorsForm } from './VectorsForm';
import './encoders.css';

interface Props { line: OpenLine | undefined; own: readonly OwnEncoderInfo[]; onChoose: (id: EncoderId) => void; onClose: () => void }

/** Encoders that the user brought: those there are, and the two ways to bring one. */
export function EncodersDialog({ line, own, onChoose, onClose }: Props) {
  const [form, setForm] = useState<'onnx' | 'vectors'>('onnx');
  const use = (info: OwnEncoderInfo): void => {
    onChoose(info.id);
    onClose();
  };
  return (
    <Dialog title="Your own encoders" onClose={onClose} wide>
      <OwnList own={own} onUse={use} />
      <div className="segments encoder-kinds" role="group" aria-label="What to add">
        <button type="button" aria-pressed={form === 'onnx'} onClick={() => setForm('onnx')}>ONNX model</button>
        <button type="button" aria-pressed={form === 'vectors'} onClick={() => setForm('vectors')}>Vectors file</button>
      </div>
      {form === 'onnx' ? <OnnxForm onAdded={use} /> : <VectorsForm line={line} onChoose={use} />}
      <p className="muted small">Kept in this browser only; nothing is sent anywhere. Every number names its encoder and its hash, which covers model, tokenizer and settings.</p>
    </Dialog>
  );
}

function OwnList({ own, onUse }: { own: readonly OwnEncoderInfo[]; onUse: (info: OwnEncoderInfo) => void }) {
  const { view, workbench } = useApp();
  const chosen = useView((state) => state.encoder);
  const [problem, setProblem] = useState<string | null>(null);
  if (own.length === 0) return <p className="muted">None yet. A model makes vectors of any run in this browser; a file of vectors holds those of the runs it was made for.</p>;
  const remove = async (info: OwnEncoderInfo): Promise<void> => {
    setProblem(null);
    try {
      if (chosen === info.id) view.setState({ encoder: 'static-minilm-384@1' });
      await workbench.encoders.remove(info.id);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <div className="encoder-list" tabIndex={0} role="region" aria-label="Encoders you brought">
        <table>
          <thead><tr><th scope="col">name</th><th scope="col">kind</th><th scope="col">id</th><th scope="col" className="number">numbers</th><th scope="col" className="number">size</th><th scope="col"><span className="hidden-visually">actions</span></th></tr></thead>
          <tbody>
            {own.map((info) => (
              <tr key={info.id}>
                <th scope="row" title={info.name}>{info.name}</th>
                <td>{info.kind === 'onnx' ? `ONNX, ${info.settings?.pooling ?? ''}` : `${count(info.rows)} vectors`}</td>
                <td className="mono" title={`SHA-256 ${info.sha256}`}>{info.id}</td>
                <td className="number">{count(info.dim)}</td><td className="number">{bytes(info.sizeBytes)}</td>
                <td className="encoder-row-actions">
                  <button type="button" disabled={chosen === info.id} onClick={() => onUse(info)}>{chosen === info.id ? 'In use' : 'Use'}</button>
                  <button type="button" aria-label={`Delete ${info.name}`} onClick={() => void remove(info)}>Delete</button>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {problem !== null && <p className="danger" role="alert">{problem}</p>}
    </>
  );
}
