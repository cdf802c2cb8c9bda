import { NumberDial } from '../charts/NumberDial';
import { capacityAt } from '../../core/selection/capacity';
import { CAPACITY } from '../../core/selection/constants';
import { SELECTORS } from '../../core/selection/selectors';
import type { SelectMode, SelectSettings } from '../../core/selection/types';

/** Always in the table: what Top-3 may be read beside (oracle README "Worth knowing"). */
const ALWAYS_SHOWN: readonly string[] = ['gem', 'random', 'recency', 'max-gain'];

const MAX_SEED = 0xffffffff;

const MODES: readonly { mode: SelectMode; words: string }[] = [
  { mode: 'core', words: 'core: exactly the selected blocks' },
  { mode: 'guarded', words: 'guarded: at most 5 % of the request is cut' },
  { mode: 'cumulative', words: 'cumulative: the 5 % compounds' },
];

export interface SelectorSettingsProps {
  settings: SelectSettings;
  /** Number of blocks that `auto` came to; null before there is a report. */
  effectiveK: number | null;
  /** Interaction blocks there are. */
  blocks: number;
  reference: string;
  shown: readonly string[];
  onSettings: (settings: SelectSettings) => void;
  onReference: (selector: string) => void;
}

/** The dials: k, τ, seed, mode, reference, which selectors. Values out of range are not sent. */
export function SelectorSettings({ settings, effectiveK, blocks, reference, shown, onSettings, onReference }: SelectorSettingsProps) {
  const set = (change: Partial<SelectSettings>): void => onSettings({ ...settings, ...change });
  const isAuto = settings.k === 'auto';
  const most = Math.max(1, blocks);
  return (
    <div className="selector-settings" role="group" aria-label="Selection settings">
      <label className="inline" title="Blocks that every selector keeps">k
        <NumberDial className="k-dial" value={settings.k === 'auto' ? effectiveK : Math.min(most, settings.k)} min={1} max={most} step={1} onChange={(k) => set({ k })} />
      </label>
      <button type="button" aria-pressed={isAuto} title="As many blocks as the evidence core keeps by itself at τ" onClick={() => set({ k: isAuto ? (effectiveK ?? 16) : 'auto' })}>natural size</button>
      <label className="inline" title="Most blocks the evidence core keeps by itself (more where more are protected)">K
        <NumberDial className="k-dial" value={capacityAt(settings.capacity, blocks)} min={1} max={Math.max(1, blocks)} step={1} onChange={(capacity) => set({ capacity })} />
      </label>
      <button type="button" aria-pressed={settings.capacity === 'scaled'} title="K grows with the history: 16 binds on long runs" onClick={() => set({ capacity: settings.capacity === 'scaled' ? CAPACITY : 'scaled' })}>⌈0.45 n⌉</button>
      <label className="inline" title="Coverage target at which the evidence core stops">τ
        <NumberDial className="tau-dial" value={settings.tau} min={0.5} max={1} step={0.01} onChange={(tau) => set({ tau })} />
      </label>
      <label className="inline" title="Seed of random completion and of the controls">seed
        <NumberDial className="seed-dial" value={settings.seed} min={0} max={MAX_SEED} step={1} onChange={(seed) => set({ seed })} />
      </label>
      <label className="inline" title="What every other selector has in common with gem">matched by
        <select value={settings.match ?? 'count'} onChange={(event) => set({ match: event.target.value === 'tokens' ? 'tokens' : 'count' })}>
          <option value="count">count of blocks</option>
          <option value="tokens">tokens of texts</option>
        </select>
      </label>
      <label className="inline">mode
        <select value={settings.mode} onChange={(event) => { const found = MODES.find(({ mode }) => mode === event.target.value); if (found) set({ mode: found.mode }); }}>
          {MODES.map(({ mode, words }) => <option key={mode} value={mode}>{words}</option>)}
        </select>
      </label>
      <label className="inline" title="Differences are from this row">differences from
        <select value={reference} onChange={(event) => onReference(event.target.value)}>{shown.map((id) => <option key={id} value={id}>{id}</option>)}</select>
      </label>
      <details className="selector-choice">
        <summary>Selectors ({settings.selectors.length})</summary>
        <div className="selector-choice-list">
          {SELECTORS.map(({ id, description }) => {
            const isFixed = ALWAYS_SHOWN.includes(id);
            const isOn = isFixed || settings.selectors.includes(id);
            return (
              <label key={id} title={isFixed ? 'Always shown, so that gem is never read alone' : undefined}>
                <input type="checkbox" checked={isOn} disabled={isFixed} onChange={() => set({ selectors: SELECTORS.map((selector) => selector.id).filter((other) => (other === id ? !isOn : ALWAYS_SHOWN.includes(other) || settings.selectors.includes(other))) })} />
                <span className="selector-choice-id">{id}</span> <span className="muted">{description}</span>
              </label>
            );
          })}
        </div>
      </details>
    </div>
  );
}
