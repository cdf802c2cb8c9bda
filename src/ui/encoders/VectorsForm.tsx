import { useState } from 'react';
import { rangesOf, type VectorsCoverage, type VectorsSummary } from '../../core/embedding/imported-vectors';
import type { OwnEncoderInfo } from '../../core/embedding/own-encoder';
import { useApp } from '../../state/react/app-context';
import type { OpenLine } from '../../workers/api';
import { count } from '../shared/format';
import { FileField } from './FileField';

type Added = VectorsSummary & { info: OwnEncoderInfo };
type Reach = { state: 'unknown' } | { state: 'known'; coverage: VectorsCoverage } | { state: 'failed'; message: string };

/** Vectors made elsewhere: what is in the file, and how far it reaches on the open run. */
export function VectorsForm({ line, onChoose }: { line: OpenLine | undefined; onChoose: (info: OwnEncoderInfo) => void }) {
  const { workbench } = useApp();
  const [file, setFile] = useState<File | null>(null);
  const [name, setName] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [added, setAdded] = useState<Added | null>(null);
  const [reach, setReach] = useState<Reach>({ state: 'unknown' });

  const add = async (): Promise<void> => {
    if (!file) return;
    setBusy(true);
    setProblem(null);
    setAdded(null);
    setReach({ state: 'unknown' });
    try {
      const result = await workbench.encoders.addVectors(name.trim() || file.name, file);
      setAdded(result);
      if (line) {
        const coverage = await workbench.encoders.coverage(line, result.info.id).then((found): Reach => ({ state: 'known', coverage: found }), (error: unknown): Reach => ({ state: 'failed', message: error instanceof Error ? error.message : String(error) }));
        setReach(coverage);
      }
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form className="encoder-form" onSubmit={(event) => { event.preventDefault(); void add(); }}>
      <FileField label="Vectors" accept=".npy,.npz,.jsonl,.ndjson,.parquet" file={file} hint=".npy, .npz, JSONL or Parquet" onFile={(chosen) => { setFile(chosen); setProblem(null); setAdded(null); }} />
      <p className="muted small">
        Rows are found by <span className="mono">hash</span> (SHA-256 of a block&apos;s selection text, hexadecimal) or by <span className="mono">index</span> (number of the interaction block). An .npy holds the blocks in order. The texts:
        {' '}<span className="mono">contextscope select FILE --step T --texts --json</span>.
      </p>
      <label className="encoder-field">Name<input type="text" value={name} placeholder={file?.name ?? 'name of the file'} maxLength={80} onChange={(event) => setName(event.target.value)} /></label>
      <p className="encoder-actions"><button type="submit" className="primary" disabled={!file || busy}>{busy ? 'Reading…' : 'Add vectors'}</button></p>
      {problem !== null && <p className="danger" role="alert">{problem}</p>}
      <div role="status">
        {added && <p>{count(added.rows)} vectors of {count(added.dim)} numbers: {summaryWords(added)}{added.scaled > 0 ? `; ${count(added.scaled)} were not of unit length and are scaled` : ''}. Kept as {added.info.id}. <button type="button" className="link" onClick={() => onChoose(added.info)}>Use it</button></p>}
        {reach.state === 'known' && <ReachTable coverage={reach.coverage} />}
        {reach.state === 'failed' && <p className="danger">{reach.message}</p>}
      </div>
    </form>
  );
}

function summaryWords({ byHash, byPlace }: VectorsSummary): string {
  const places = (Object.entries(byPlace)).flatMap(([kind, n]) => (n > 0 ? [`${count(n)} by number of the ${kind}`] : []));
  return [...(byHash > 0 ? [`${count(byHash)} by hash`] : []), ...places].join(', ');
}

function ReachTable({ coverage }: { coverage: VectorsCoverage }) {
  const { blocks, missingBlocks, actions, goals, queries, final } = coverage;
  const rows: [string, string][] = [
    ['interaction blocks', missingBlocks.length === 0 ? `all ${count(blocks)}` : `${count(blocks - missingBlocks.length)} of ${count(blocks)}; missing ${rangesOf(missingBlocks)}`],
    ['next actions (measuring)', `${count(actions.of - actions.missing)} of ${count(actions.of)}`],
    ['goals (protection, goal projection)', `${count(goals.of - goals.missing)} of ${count(goals.of)}`],
    ['state queries (protection)', `${count(queries.of - queries.missing)} of ${count(queries.of)}`],
    ['final state (measuring)', final ? 'yes' : 'no'],
  ];
  return (
    <>
      <p>On the open run the file has vectors for:</p>
      <dl className="encoder-reach">{rows.map(([what, how]) => <div key={what}><dt>{what}</dt><dd>{how}</dd></div>)}</dl>
      {missingBlocks.length > 0 && <p className="danger">Every block needs a vector before this run can be analysed with it.</p>}
    </>
  );
}
