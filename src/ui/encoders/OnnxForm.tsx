import { useEffect, useState } from 'react';
import { formatFixed } from '../../core/layout/format';
import type { OnnxSettings, OwnEncoderInfo } from '../../core/embedding/own-encoder';
import { useApp } from '../../state/react/app-context';
import type { OnnxProbe } from '../../workers/own-models';
import { download } from '../shared/download';
import { FileField } from './FileField';
import { OnnxFields } from './OnnxFields';

type Trying = { state: 'idle' } | { state: 'busy'; words: string } | { state: 'failed'; message: string };
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** An ONNX file and its tokenizer: guessed, shown, changed, tried on two texts, then kept under a name. */
export function OnnxForm({ onAdded }: { onAdded: (info: OwnEncoderInfo) => void }) {
  const { workbench } = useApp();
  const [model, setModel] = useState<File | null>(null);
  const [tokenizer, setTokenizer] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [probe, setProbe] = useState<OnnxProbe | null>(null);
  const [settings, setSettings] = useState<OnnxSettings | null>(null);
  const [trying, setTrying] = useState<Trying>({ state: 'idle' });
  const busy = trying.state === 'busy';

  useEffect(() => {
    if (!model || !tokenizer) return;
    const controller = new AbortController();
    const { signal } = controller;
    workbench.encoders.probe(model, tokenizer, null, { signal }).then(
      (found) => {
        if (signal.aborted) return;
        setProbe(found);
        setSettings(found.settings);
        setTrying(found.problem === null ? { state: 'idle' } : { state: 'failed', message: found.problem });
      },
      (error: unknown) => { if (!signal.aborted) setTrying({ state: 'failed', message: messageOf(error) }); },
    );
    return () => controller.abort();
  }, [workbench, model, tokenizer]);

  const choose = (set: (file: File) => void, other: File | null) => (file: File): void => {
    set(file);
    setProbe(null);
    setSettings(null);
    setTrying(other ? { state: 'busy', words: 'Opening the model and trying it on two texts…' } : { state: 'idle' });
  };
  const attempt = async (): Promise<void> => {
    if (!model || !tokenizer || !settings) return;
    setTrying({ state: 'busy', words: 'Trying it on two texts…' });
    try {
      setProbe(await workbench.encoders.probe(model, tokenizer, settings));
      setTrying({ state: 'idle' });
    } catch (error) {
      setTrying({ state: 'failed', message: messageOf(error) });
    }
  };
  const add = async (): Promise<void> => {
    if (!model || !tokenizer || !settings) return;
    setTrying({ state: 'busy', words: 'Trying it once more and storing it…' });
    try {
      onAdded(await workbench.encoders.addOnnx(name.trim() || model.name.replace(/\.onnx$/i, ''), model, tokenizer, settings));
    } catch (error) {
      setTrying({ state: 'failed', message: messageOf(error) });
    }
  };
  const tried = probe?.trial && JSON.stringify(probe.settings) === JSON.stringify(settings) ? probe.trial : null;
  return (
    <form className="encoder-form" onSubmit={(event) => { event.preventDefault(); void add(); }}>
      <FileField label="Model" accept=".onnx" file={model} hint="one .onnx file with its weights inside" onFile={choose(setModel, tokenizer)} />
      <FileField label="Tokenizer" accept=".json,application/json" file={tokenizer} hint="its tokenizer.json (Hugging Face)" onFile={choose(setTokenizer, model)} />
      {probe && settings && <OnnxFields ports={probe.ports} settings={settings} modelDim={probe.trial?.modelDim ?? null} specialTokens={probe.specialTokens} onChange={setSettings} />}
      <p className="encoder-status" role="status">
        {trying.state === 'busy' ? trying.words : tried ? <>Tried on two texts: {tried.modelDim} numbers each, {formatFixed(tried.milliseconds, 1)} ms a text, {tried.tokens.join(' and ')} tokens, cosine {formatFixed(tried.cosine, 3)}; starts {tried.sample.slice(0, 3).map((x) => formatFixed(x, 4)).join(', ')}…</>
          : settings && trying.state === 'idle' ? 'Changed since the last trial: it is tried again before it is added.' : ''}
      </p>
      {trying.state === 'failed' && <p className="danger" role="alert">{trying.message}</p>}
      {probe && settings && (
        <>
          <label className="encoder-field">Name<input type="text" value={name} placeholder={model?.name.replace(/\.onnx$/i, '')} maxLength={80} onChange={(event) => setName(event.target.value)} /></label>
          <p className="encoder-actions">
            <button type="submit" className="primary" disabled={busy}>Add encoder</button>
            <button type="button" disabled={busy} onClick={() => void attempt()}>Try</button>
            <button type="button" title="encoder.json: put it beside the model for the command line, --encoder onnx:FOLDER" onClick={() => download('encoder.json', `${JSON.stringify(settings, null, 2)}\n`, 'application/json')}>Save settings</button>
          </p>
        </>
      )}
    </form>
  );
}
