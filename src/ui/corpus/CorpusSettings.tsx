import { useId } from 'react';
import { BOOTSTRAP_DRAWS, DEFAULT_SETTINGS, TABLE_IDS, type TableId } from '../../core/corpus/types';
import { ENCODERS } from '../../core/embedding/registry';
import { isOwnId, type OwnEncoderInfo } from '../../core/embedding/own-encoder';
import type { EncoderId } from '../../core/embedding/types';
import type { CorpusChoice } from '../../state/corpus-choice';
import { encoderTitle } from '../../state/react/use-embedding';
import type { Progress } from '../../workers/api';
import { facts } from '../app/ProgressRegion';
import { NumberDial } from '../charts/NumberDial';
import { CopyButton } from '../shared/CopyButton';
import { count, plural } from '../shared/format';
import { commandLine, ownEncoderNote, TABLE_TITLES } from './corpus-words';

interface Props {
  choice: CorpusChoice;
  onChange: (change: Partial<CorpusChoice>) => void;
  /** Encoders that the user brought. */
  own: readonly OwnEncoderInfo[];
  /** Chosen runs, and those of them with a stored result for these settings. */
  chosen: number;
  known: number;
  running: boolean;
  startedMs: number;
  progress: Progress | null;
  onRun: (onlyKnown: boolean) => void;
  onCancel: () => void;
}

const MOST_SEED = 2 ** 31;

/** Encoder, tables, seed; what is fixed; and the button that starts, goes on or cancels. */
export function CorpusSettings({ choice, onChange, own, chosen, known, running, startedMs, progress, onRun, onCancel }: Props) {
  const { encoder, tables, seed, every, budget } = choice;
  const toggle = (table: TableId, isIn: boolean): void => onChange({ tables: TABLE_IDS.filter((one) => (one === table ? isIn : tables.includes(one))) });
  const missing = isOwnId(encoder) && !own.some(({ id }) => id === encoder);
  const yours: EncoderId[] = [...own.map(({ id }) => id), ...(missing ? [encoder] : [])];
  const all: EncoderId[] = [...ENCODERS.map(({ id }) => id), ...yours];
  const noteId = useId();
  const note = ownEncoderNote(encoder, own);
  const isReady = chosen > 0 && tables.length > 0;
  const left = chosen - known;
  return (
    <section className="corpus-settings" aria-label="Settings of the corpus">
      <h2>Settings</h2>
      <fieldset className="corpus-fields" disabled={running}>
        <legend className="hidden-visually">Encoder and seed</legend>
        <label className="corpus-field">
          <span>Encoder</span>
          <select value={encoder} aria-describedby={note === null ? undefined : noteId} onChange={(event) => onChange({ encoder: all.find((id) => id === event.target.value) ?? encoder })}>
            {ENCODERS.map((one) => <option key={one.id} value={one.id}>{one.title}</option>)}
            {yours.length > 0 && <optgroup label="Yours">{yours.map((id) => <option key={id} value={id}>{encoderTitle(id)}</option>)}</optgroup>}
          </select>
        </label>
        {note !== null && <p id={noteId} className="muted small">{note}</p>}
        <label className="corpus-field"><span>Seed</span><NumberDial value={seed} min={0} max={MOST_SEED} step={1} onChange={(value) => onChange({ seed: value })} /></label>
        <label className="corpus-field" title="Table 1 takes only prefixes whose length is a multiple of this; 1 = all of 16…N−1, as in the paper">
          <span>Every nth prefix</span><NumberDial value={every} min={1} max={1000} step={1} onChange={(value) => onChange({ every: value })} />
        </label>
        <label className="corpus-field" title="Of the table of policies; runs whose whole history fits are not replayed"><span>Window, tokens</span><NumberDial value={budget} min={1000} max={10_000_000} step={1} onChange={(value) => onChange({ budget: value })} /></label>
      </fieldset>
      <fieldset className="corpus-tables" disabled={running}>
        <legend>Tables</legend>
        {TABLE_IDS.map((table) => (
          <label key={table} className="inline">
            <input type="checkbox" checked={tables.includes(table)} onChange={(event) => toggle(table, event.target.checked)} />
            {TABLE_TITLES[table]}
          </label>
        ))}
      </fieldset>
      <p className="muted small">
        Fixed: K = {DEFAULT_SETTINGS.capacity}, τ = {DEFAULT_SETTINGS.tau.toFixed(2)}, {DEFAULT_SETTINGS.controlDraws} draws of each control, Table 2 at every {DEFAULT_SETTINGS.replacementEvery}th prefix,
        at most {count(DEFAULT_SETTINGS.mostCheckpoints)} checkpoints a run, {count(BOOTSTRAP_DRAWS)} bootstrap draws over trajectories.
      </p>
      <div className="corpus-go">
        {running
          ? <button type="button" onClick={onCancel}>Cancel</button>
          : (
            <button type="button" className="primary" disabled={!isReady} onClick={() => onRun(false)}>
              {!isReady ? 'Make the tables' : left === 0 ? 'Make the tables' : known === 0 ? `Compute tables of ${plural(chosen, 'run')}` : `Go on: ${plural(left, 'run')} left`}
            </button>
          )}
        {!running && known > 0 && left > 0 && <button type="button" disabled={!isReady} onClick={() => onRun(true)}>Tables of the {count(known)} stored</button>}
      </div>
      <div className="corpus-progress" role="status" aria-label="Corpus progress">
        {running && progress !== null && (
          <>
            <progress max={1} value={Number.isFinite(progress.total) && progress.total > 0 ? progress.done / progress.total : undefined} aria-label="Runs finished" />
            <span className="muted small">{progress.label === 'Corpus' ? facts(progress, startedMs, Date.now()) : `${progress.label}: ${progress.detail ?? ''}`}</span>
          </>
        )}
        {!running && <span className="muted small">{!isReady ? (chosen === 0 ? 'Choose at least one run.' : 'Choose at least one table.') : known > 0 ? `${count(known)} of ${count(chosen)} have stored results for these settings: nothing is computed twice.` : 'Results are kept run by run: a cancelled or reloaded page goes on where it stopped.'}</span>}
      </div>
      <div className="corpus-command">
        <span className="muted small">The same on the command line:</span>
        <code className="small">{commandLine(choice)}</code>
        <CopyButton text={() => commandLine(choice)} label="Copy the command" />
      </div>
    </section>
  );
}
