import type { OnnxPorts } from '../../core/embedding/guess-settings';
import { POOLINGS, type OnnxInputs, type OnnxSettings, type Pooling } from '../../core/embedding/own-encoder';
import { NumberDial } from '../charts/NumberDial';

const ROLES: readonly [keyof OnnxInputs, string, string][] = [
  ['ids', 'Token ids', 'What the tokenizer gives'], ['mask', 'Attention mask', 'Ones'], ['types', 'Token types', 'Zeros'], ['positions', 'Positions', '0, 1, 2, …'],
];
const POOLING_WORDS: Record<Pooling, string> = { mean: 'mean of all positions', cls: 'first position (CLS)', last: 'last position', none: 'none: one vector a text already' };

export interface OnnxFieldsProps {
  ports: OnnxPorts;
  settings: OnnxSettings;
  /** Numbers that the model gives; null = not known yet. */
  modelDim: number | null;
  specialTokens: { before: number; after: number };
  onChange: (settings: OnnxSettings) => void;
}

const shapeWords = (shape: readonly (number | string)[] | null): string => (shape === null ? '' : ` [${shape.join(', ')}]`);

/** Everything that changes a number: names of inputs and output, pooling, prefix, window, dimension. */
export function OnnxFields({ ports, settings, modelDim, specialTokens, onChange }: OnnxFieldsProps) {
  const set = (change: Partial<OnnxSettings>): void => onChange({ ...settings, ...change });
  return (
    <div className="encoder-fields">
      {ROLES.map(([role, words, hint]) => (
        <label key={role} className="encoder-field" title={hint}>{words}
          <select value={settings.inputs[role] ?? ''} onChange={(event) => set({ inputs: { ...settings.inputs, [role]: role === 'ids' ? event.target.value : event.target.value || null } })}>
            {role !== 'ids' && <option value="">no such input</option>}
            {ports.inputs.map(({ name, type, shape }) => <option key={name} value={name}>{name}: {type}{shapeWords(shape)}</option>)}
          </select>
        </label>
      ))}
      <label className="encoder-field">Output
        <select value={settings.output} onChange={(event) => set({ output: event.target.value })}>
          {ports.outputs.map(({ name, type, shape }) => <option key={name} value={name}>{name}: {type}{shapeWords(shape)}</option>)}
        </select>
      </label>
      <label className="encoder-field">Pooling
        <select value={settings.pooling} onChange={(event) => set({ pooling: POOLINGS.find((one) => one === event.target.value) ?? 'mean' })}>
          {POOLINGS.map((one) => <option key={one} value={one}>{POOLING_WORDS[one]}</option>)}
        </select>
      </label>
      <label className="encoder-field" title="Put before every text, as the model was trained">Prefix
        <input type="text" value={settings.prefix} placeholder="none, or e.g. passage: " maxLength={2000} onChange={(event) => set({ prefix: event.target.value })} />
      </label>
      <label className="encoder-field" title="Longer texts are cut into windows of this length: the first two and the last two">Most tokens a window
        <NumberDial value={settings.maxTokens} min={3} max={131_072} step={1} onChange={(maxTokens) => set({ maxTokens })} />
      </label>
      <label className="encoder-field" title="The first so many numbers of each vector">Numbers kept{modelDim === null ? '' : ` of ${modelDim}`}
        <NumberDial value={settings.dim} min={1} max={modelDim ?? 65_536} step={1} onChange={(dim) => set({ dim })} />
      </label>
      <label className="inline"><input type="checkbox" checked={settings.specialTokens} onChange={(event) => set({ specialTokens: event.target.checked })} />Special tokens ({specialTokens.before} before, {specialTokens.after} after)</label>
      <label className="inline" title="Windows of one text count by their tokens; the text's vector is of unit length in any case"><input type="checkbox" checked={settings.normaliseWindows} onChange={(event) => set({ normaliseWindows: event.target.checked })} />Normalise each window</label>
    </div>
  );
}
