import { useState } from 'react';
import { useDismiss } from '../shared/use-dismiss';
import { classWords } from '../shared/replay-class';
import type { Parameter, ParameterValue, PolicyInfo } from '../../core/workspace/types';

interface Props {
  policies: readonly PolicyInfo[];
  policy: string;
  params: Record<string, ParameterValue>;
  onPolicy: (policy: string) => void;
  onParams: (params: Record<string, ParameterValue>) => void;
}

/** Which policy is replayed, and its settings in a panel made from its parameter schema. */
export function PolicyPicker({ policies, policy, params, onPolicy, onParams }: Props) {
  const [open, setOpen] = useState(false);
  const host = useDismiss<HTMLSpanElement>(open, () => setOpen(false));
  const info = policies.find(({ id }) => id === policy);
  return (
    <span className="menu-host field" ref={host}>
      <label className="field">
        <span className="muted">Policy</span>
        <select aria-label="Policy" value={policy} onChange={(event) => onPolicy(event.target.value)}>
          {info === undefined && <option value={policy}>{policy} (unknown)</option>}
          {policies.map(({ id, name }) => <option key={id} value={id} title={name}>{id}</option>)}
        </select>
      </label>
      <button type="button" className="quiet square" aria-label="Policy settings" aria-expanded={open} title="Policy settings" onClick={() => setOpen(!open)}>
        <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><path d="M1 2.5h10v1H1zM1 8.500h10v1H1zM3 1h2v4H3zM7 7h2v4H7z" fill="currentColor" /></svg>
      </button>
      {open && info !== undefined && (
        <div className="menu policy-menu" role="group" aria-label={`Settings of ${info.name}`} onKeyDown={(event) => { if (event.key === 'Escape') setOpen(false); }}>
          <p><strong>{info.name}</strong> <span className="muted">{classWords(info.id, info.replayClass)}{info.causal ? '' : ', not causal: it knows later use'}{info.reference ? ', reference line' : ''}</span></p>
          <p className="muted">{info.explanation}</p>
          <p className="muted small">{info.source}</p>
          {info.needsVectors && <p className="muted small">It reads vectors of the interaction blocks: those of the encoder chosen above once they are complete, until then of the static one. Its results name which.</p>}
          {info.parameters.length === 0 && <p className="muted">It has no settings.</p>}
          {info.parameters.map((parameter) => (
            <ParameterField key={parameter.key} parameter={parameter} value={params[parameter.key] ?? parameter.default} onChange={(value) => onParams(withParam(params, parameter, value))} />
          ))}
          <p className="menu-actions">
            <button type="button" disabled={Object.keys(params).length === 0} onClick={() => onParams({})}>Defaults</button>
            <button type="button" onClick={() => setOpen(false)}>Close</button>
          </p>
        </div>
      )}
    </span>
  );
}

/** Only what differs from the default is kept, so that links and exports stay short. */
function withParam(params: Record<string, ParameterValue>, parameter: Parameter, value: ParameterValue): Record<string, ParameterValue> {
  const rest = Object.fromEntries(Object.entries(params).filter(([key]) => key !== parameter.key));
  return value === parameter.default ? rest : { ...rest, [parameter.key]: value };
}

function ParameterField({ parameter, value, onChange }: { parameter: Parameter; value: ParameterValue; onChange: (value: ParameterValue) => void }) {
  const { label, explanation, type, unit, choices, min, max, step } = parameter;
  const name = unit === undefined ? label : `${label}, ${unit}`;
  if (type === 'boolean') return <label className="inline param" title={explanation}><input type="checkbox" checked={value === true} onChange={(event) => onChange(event.target.checked)} />{name}</label>;
  return (
    <label className="param" title={explanation}>
      <span>{name}</span>
      {type === 'choice'
        ? <select value={String(value)} onChange={(event) => onChange(event.target.value)}>{(choices ?? []).map((choice) => <option key={choice}>{choice}</option>)}</select>
        : type === 'text'
          ? <input type="text" value={String(value)} onChange={(event) => onChange(event.target.value)} />
          : <input type="number" value={String(value)} min={min} max={max} step={step ?? (type === 'integer' ? 1 : 'any')} onChange={(event) => { if (event.target.value !== '' && event.target.validity.valid) onChange(Number(event.target.value)); }} />}
    </label>
  );
}
