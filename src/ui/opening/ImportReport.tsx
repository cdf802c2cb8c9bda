import { useMemo } from 'react';
import { useResource } from '../../state/react/use-resource';
import { loadFormats } from './formats';
import { bytes, count, plural } from '../shared/format';
import type { ImportReport as Report } from '../../core/import/types';
import type { ImportOutcome, LibraryRun } from '../../workers/api';
import { reportRows } from './report-rows';
import { RunPicker } from './RunPicker';

const CONFIDENCE: Record<Report['formatConfidence'], string> = { certain: 'certain', likely: 'likely', forced: 'chosen by you' };
const CONTAINERS: Readonly<Record<Report['container'], string>> = { none: '', gzip: 'gzip', zip: 'ZIP archive', zstd: 'zstd', tar: 'tar archive', sqlite: 'SQLite database', parquet: 'Parquet table', csv: 'table' };
/** Bad records shown before "and N more". */
const SHOWN = 8;

interface Props {
  outcome: ImportOutcome;
  /** null = the library is not read yet. */
  runs: LibraryRun[] | null;
  /** Names of the files as they were given. */
  given: readonly string[];
  onOpen: (run: LibraryRun) => void;
  /** What imports a file of the report again as another format; null = it is no longer at hand. */
  onFormat: (file: string) => ((format: string) => void) | null;
  /** Makes one run of files that hold the same conversation; null = they are no longer at hand. */
  onJoin: ((files: readonly string[]) => void) | null;
  onDismiss: () => void;
}

/** What became of the files: counts by record kind, what was skipped and where, warnings, and what to do next. */
export function ImportReport({ outcome, runs, given, onOpen, onFormat, onJoin, onDismiss }: Props) {
  const rows = useMemo(() => reportRows(outcome, runs, given), [outcome, runs, given]);
  if (rows.length === 0) return null;
  const firstOpen = rows.findIndex((row) => row.kind === 'file' && row.runs.length > 0);
  return (
    <section className="report" aria-label="Import report">
      <header className="report-head">
        <h2>Import report</h2>
        <span className="spacer" />
        <button type="button" className="quiet square" onClick={onDismiss} aria-label="Close the import report">✕</button>
      </header>
      {outcome.overlaps.map(({ files, sharedCalls, callsOfSmaller, canJoin }) => (
        <p key={files.join('\n')} className="report-overlap">
          <span><strong className="mono">{files[0]}</strong> and <strong className="mono">{files[1]}</strong> hold the same conversation: {count(sharedCalls)} of {plural(callsOfSmaller, 'model call')} stand in both.</span>
          {canJoin && onJoin !== null && <button type="button" onClick={() => onJoin(files)}>Join them into one run</button>}
        </p>
      ))}
      {rows.map((row, i) => {
        if (row.kind === 'file') return <FileReport key={i} report={row.report} runs={row.runs} isFirst={i === firstOpen} stored={outcome.alreadyStored.includes(row.report.file)} onOpen={onOpen} onFormat={onFormat(row.report.file)} />;
        const change = onFormat(row.file);
        return (
          <div key={i} className="report-failure" role="alert">
            <p><strong>{row.file}</strong> was not imported. {row.message}</p>
            {change !== null && <FormatSelect value="" onChange={change} label="Read it as" />}
          </div>
        );
      })}
    </section>
  );
}

interface FileProps { report: Report; runs: LibraryRun[]; isFirst: boolean; stored: boolean; onOpen: (run: LibraryRun) => void; onFormat: ((format: string) => void) | null }

function FileReport({ report, runs, isFirst, stored, onOpen, onFormat }: FileProps) {
  const [run] = runs;
  const kinds = Object.entries(report.recordKinds).sort((a, b) => b[1] - a[1]);
  const unknown = Object.entries(report.unknownRecords);
  return (
    <article className="report-file">
      <p className="report-line">
        <strong className="mono">{report.file}</strong>
        <span className="muted"> {bytes(report.bytes)}{report.container === 'none' ? '' : ` · ${CONTAINERS[report.container]}`} · </span>
        {report.formatTitle} <span className="muted">({CONFIDENCE[report.formatConfidence]})</span>
        {onFormat !== null && <FormatSelect value={report.format} onChange={onFormat} label="Format" />}
      </p>
      {run !== undefined && (
        <p className="report-runs">
          <button type="button" className={isFirst ? 'primary' : ''} autoFocus={isFirst} onClick={() => onOpen(run)}>Open {run.name} · {plural(run.steps, 'step')}</button>
          {runs.length > 1 && <span className="muted">or one of the others, which are in the library too:</span>}
        </p>
      )}
      {runs.length > 1 && <RunPicker file={report.file} runs={runs} onOpen={onOpen} />}
      {stored && <p className="muted">These bytes were stored before, so nothing was stored twice.</p>}
      <dl className="report-counts">
        <div><dt>Messages</dt><dd>{count(report.messages)}</dd></div>
        <div><dt>Tool calls</dt><dd>{count(report.toolCalls)}</dd></div>
        <div><dt>Results</dt><dd>{count(report.toolResults)}</dd></div>
        <div><dt>Matched pairs</dt><dd>{count(report.matchedPairs)}</dd></div>
        <div><dt>Records</dt><dd>{count(report.records)}</dd></div>
        {kinds.map(([kind, n]) => <div key={kind}><dt className="mono">{kind}</dt><dd>{count(n)}</dd></div>)}
      </dl>
      {report.formats && <p className="muted">Records by format: {Object.entries(report.formats).map(([format, n]) => `${format} ${count(n)}`).join(', ')}</p>}
      {unknown.length > 0 && <p className="muted">Kept as raw records: {unknown.map(([kind, n]) => `${kind} ${count(n)}`).join(', ')}</p>}
      {report.badRecordCount > 0 && (
        <div className="report-bad">
          <p className="danger">{plural(report.badRecordCount, 'record')} skipped</p>
          <ul>
            {report.badRecords.slice(0, SHOWN).map((bad, i) => (
              <li key={i}>{bad.line > 0 ? `line ${count(bad.line)}` : `byte ${count(bad.byteOffset)}`}: {bad.reason}</li>
            ))}
            {report.badRecordCount > SHOWN && <li className="muted">and {count(report.badRecordCount - SHOWN)} more</li>}
          </ul>
        </div>
      )}
      {report.warnings.map((warning, i) => <p key={i} className="report-warning">{warning}</p>)}
    </article>
  );
}

function FormatSelect({ value, onChange, label }: { value: string; onChange: (format: string) => void; label: string }) {
  const formats = useResource('formats', loadFormats).value ?? [];
  const known = formats.some(({ id }) => id === value);
  return (
    <label className="inline report-format">
      <span className="muted">{label}</span>
      <select value={value} onChange={(event) => onChange(event.target.value)}>
        {!known && <option value={value}>{value === '' ? 'choose a format' : value}</option>}
        {formats.map(({ id, title }) => <option key={id} value={id}>{title}</option>)}
      </select>
    </label>
  );
}
