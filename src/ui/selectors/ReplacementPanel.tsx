import { formatCount, formatDifference, formatFixed } from '../../core/layout/format';
import type { ComparedBlock, LabReport } from '../../core/selection/lab';
import type { EffectName } from '../../core/selection/replacement';
import { fileName } from '../shared/download';
import { Notice } from '../shared/Notice';
import type { TableRows } from '../shared/table-text';
import { stopOf } from './lab-metrics';
import { LabTable, type LabColumn } from './LabTable';
import type { PanelWords } from './SweepPanels';

type Report = LabReport & { part: 'replacement' };
interface Effect { name: EffectName; words: string; before: number | null; targeted: number; matched: number; effect: number }

const EFFECTS: readonly [EffectName, string][] = [['actionProjection', 'next action in the span°'], ['top3', 'Top-3°'], ['centroid', 'centroid'], ['coverage', 'coverage E']];

function effectsOf({ effects, arms, before }: Report): Effect[] {
  if (!effects || !arms) return [];
  return EFFECTS.map(([name, words]) => ({ name, words, before: before[name], targeted: arms.targeted[name], matched: arms.matched[name], effect: effects[name] }));
}

const COLUMNS: readonly LabColumn<Effect>[] = [
  { key: 'quantity', title: 'quantity', words: true, cell: (row) => row.words },
  { key: 'before', title: 'before', cell: (row) => formatFixed(row.before, 3) },
  { key: 'targeted', title: 'targeted removed', cell: (row) => formatFixed(row.targeted, 3) },
  { key: 'matched', title: 'matched removed', cell: (row) => formatFixed(row.matched, 3) },
  { key: 'effect', title: 'targeted − matched', cell: (row) => formatDifference(row.effect, 3) },
];

interface Props extends PanelWords { report: Report; nameOf: (index: number) => string; onSelectBlock: (index: number) => void }

/** The same number of blocks, two of them exchanged in turn: what the aligned one was worth (gem.md §6; paper §4.3, Table 2). */
export function ReplacementPanel({ report, nameOf, onSelectBlock, step, what }: Props) {
  const { targeted, matched, replacement, reason, k, stop, r90, medianAlpha } = report;
  const rows = effectsOf(report);
  const text = (): TableRows => [['quantity', 'before', 'targeted', 'matched', 'effect'], ...rows.map((row) => [row.name, row.before, row.targeted, row.matched, row.effect])];
  return (
    <>
      <p className="lab-bar muted">
        Of the {formatCount(k)} blocks that gem keeps ({stopOf(stop)}), the one most aligned with the next action beyond the first {formatCount(r90)} directions (90 % of the centred energy) is removed; against it, one of low alignment
        (at most the median, α ≤ {formatFixed(medianAlpha, 3)}) matched on similarity to the mean, age and length. The same block takes the free place in both arms. The next action chooses what is removed here, for measuring only; no selector sees it.
      </p>
      {reason !== null && <Notice title="No pair to compare at this step">{reason}</Notice>}
      <div className="lab-pair">
        <BlockCard title="Targeted: strongest alignment" block={targeted} nameOf={nameOf} onSelectBlock={onSelectBlock} />
        <BlockCard title="Matched: low alignment" block={matched} nameOf={nameOf} onSelectBlock={onSelectBlock} />
      </div>
      {replacement && <p className="lab-bar">In both arms block <button type="button" className="link" title={nameOf(replacement.index)} onClick={() => onSelectBlock(replacement.index)}>{formatCount(replacement.index)}</button> takes the place: nearest to the pair among those not kept and not among the nearest three to the next action (α {formatFixed(replacement.alpha, 3)}, {formatCount(replacement.chars)} characters).</p>}
      {rows.length > 0 && <LabTable name="Effect of the replacement" caption={what} columns={COLUMNS} rows={rows} rowKey={(row) => row.name} fileName={() => fileName('replacement', 'step', step)} text={text} />}
    </>
  );
}

function BlockCard({ title, block, nameOf, onSelectBlock }: { title: string; block: ComparedBlock | null; nameOf: (index: number) => string; onSelectBlock: (index: number) => void }) {
  return (
    <section className="lab-block" aria-label={title}>
      <h3>{title}</h3>
      {block === null ? <p className="muted">none</p> : <>
        <p className="lab-facts">
          <button type="button" className="link" title={nameOf(block.index)} onClick={() => onSelectBlock(block.index)}>block {formatCount(block.index)}</button>
          <span>α {formatFixed(block.alpha, 3)}</span><span>age {formatCount(block.age)} blocks</span><span>{formatCount(block.chars)} characters</span><span title="Product with the mean of all blocks">similarity {formatFixed(block.similarity, 3)}</span>
        </p>
        <pre tabIndex={0} aria-label={`Selection text of block ${block.index}`}>{block.text ?? nameOf(block.index)}</pre>
      </>}
    </section>
  );
}
