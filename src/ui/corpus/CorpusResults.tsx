import { useState } from 'react';
import { findings } from '../../core/corpus/findings';
import type { CorpusChoice } from '../../state/corpus-choice';
import { settingsOf } from '../../state/corpus-choice';
import type { CorpusOutcome } from '../../workers/api';
import { ActionMenu } from '../shared/ActionMenu';
import { download } from '../shared/download';
import { count, plural } from '../shared/format';
import { CorpusTableView } from './CorpusTableView';
import { RunsTable } from './RunsTable';
import { encoderName, READING_NOTES, TABLE_NAMES } from './corpus-words';
import { saveZip } from './save-zip';

/** What came of a corpus run: the findings, how to read them, and a table at a time. */
export function CorpusResults({ outcome, choice }: { outcome: CorpusOutcome; choice: CorpusChoice }) {
  const { tables, runs, encoder, settings, failures, duplicates, files } = outcome;
  const [wanted, setWanted] = useState<string>(tables[0]?.id ?? 'runs');
  const shown = wanted === 'runs' || tables.some(({ id }) => id === wanted) ? wanted : (tables[0]?.id ?? 'runs');
  const table = tables.find(({ id }) => id === shown);
  const said = tables.map((one) => ({ id: one.id, lines: findings(one) })).filter(({ lines }) => lines.length > 0);
  const isOther = encoder.id !== choice.encoder || JSON.stringify(settings) !== JSON.stringify(settingsOf(choice));
  const fileOf = (name: string): string => files.find((file) => file.name === name)?.text ?? '';
  return (
    <section className="corpus-results" aria-label="Tables of the corpus">
      <header className="corpus-bar">
        <h2>Tables</h2>
        <span className="muted">
          {plural(runs.length, 'run')}, {count(runs.filter((run) => run.leftOut === null).length)} with checkpoints · {encoderName(encoder.id)}{!encoderName(encoder.id).includes(encoder.id) && <> <span className="mono">{encoder.id}</span></>} · seed {settings.seed}
          {outcome.reused > 0 && ` · ${count(outcome.reused)} from stored results`}
        </span>
        <span className="spacer" />
        <ActionMenu label="Download" actions={[
          { label: `All as one ZIP (${count(files.length)} files)`, run: () => saveZip(files) },
          { label: 'runs.csv', run: () => download('runs.csv', fileOf('runs.csv'), 'text/csv;charset=utf-8') },
          { label: 'summary.json', run: () => download('summary.json', fileOf('summary.json'), 'application/json') },
        ]} />
      </header>
      {isOther && <p className="corpus-stale small">These tables are of other settings than those chosen now: {encoder.id}, seed {settings.seed}, every {settings.every === 1 ? 'prefix' : `${count(settings.every)}th prefix`}, window {count(settings.budget)} tokens, tables {settings.tables.join(', ')}.</p>}
      {failures.length > 0 && (
        <details className="corpus-failures">
          <summary>{plural(failures.length, 'file')} could not be read as a run</summary>
          <ul>{failures.map(({ file, message }) => <li key={file}><strong className="mono">{file}</strong> {message}</li>)}</ul>
        </details>
      )}
      {duplicates.length > 0 && <p className="muted small">{plural(duplicates.length, 'run')} {duplicates.length === 1 ? 'stands in another file as well and is' : 'stand in another file as well and are'} counted once.</p>}
      <div className="corpus-said">
        <div className="corpus-findings">
          <h3>On these runs</h3>
          {said.length === 0 && <p className="muted">Tables C.1 and 1 say whether the paper’s two findings hold here; they were not among the tables made.</p>}
          {said.map(({ id, lines }) => (
            <div key={id}>{lines.map((line) => <p key={line} className={line.startsWith('  ') ? 'corpus-finding-more muted' : ''}>{line.trim()}</p>)}</div>
          ))}
        </div>
        <div className="corpus-reading">
          <h3>How to read them</h3>
          <ul>{READING_NOTES.map(([head, text]) => <li key={head}><strong>{head}</strong> {text}</li>)}</ul>
        </div>
      </div>
      <div className="corpus-tabs" role="group" aria-label="Which table">
        {tables.map(({ id }) => <button key={id} type="button" aria-pressed={shown === id} onClick={() => setWanted(id)}>{id === 'policies' ? 'Policies' : `Table ${TABLE_NAMES[id]}`}</button>)}
        <button type="button" aria-pressed={shown === 'runs'} onClick={() => setWanted('runs')}>Runs</button>
      </div>
      {table === undefined ? <RunsTable runs={runs} encoder={encoder.id} /> : <CorpusTableView key={table.id} table={table} outcome={outcome} fileOf={fileOf} />}
    </section>
  );
}
