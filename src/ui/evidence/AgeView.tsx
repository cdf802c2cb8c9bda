import { scaleLinear } from 'd3';
import type { AgeRow, SourceChoice, UseByAge } from '../../core/evidence/evidence-by-age';
import { formatCount, formatFixed } from '../../core/layout/format';
import type { Card } from '../charts/card';
import { Chart, type Plot } from '../charts/Chart';
import { YAxis, type Scale } from '../charts/parts';
import type { Loaded } from '../policies/DifferenceView';
import { Notice } from '../shared/Notice';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import { count } from '../shared/format';
import { ageTable, ageVerdict, ageWords, kindWords } from './age-model';

const CHOICES: readonly [SourceChoice, string, string][] = [
  ['newest', 'Newest holder', 'How far back a window must reach, at least: the newest block that holds the string, echoes included'],
  ['origin', 'First holder', 'Where it came from: the first block that held it and did not merely repeat it'],
];

interface Props { age: Loaded<UseByAge>; choice: SourceChoice; onChoice: (choice: SourceChoice) => void }

/** Does importance fall with age in this run? The essay says that it does not. */
export function AgeView({ age, choice, onChoice }: Props) {
  const found = age.value;
  return (
    <div className="pane">
      <div className="pane-bar">
        <span className="muted">Source of a demand</span>
        <span className="segments" role="group" aria-label="Source of a demand">
          {CHOICES.map(([id, name, help]) => <button key={id} type="button" aria-pressed={choice === id} title={help} onClick={() => onChoice(id)}>{name}</button>)}
        </span>
        <span className="muted">age = step of the call − step the block came in; independent of the policy</span>
        <span className="spacer" />
        {found && <TableMenu name={() => fileName('use-against-age', found.source)} rows={() => ageTable(found)} caption={`Evidence weight by the age of its source (${found.source} holder)`} />}
      </div>
      {age.error !== null ? <Notice tone="failed" title="Use against age could not be measured" action={{ label: 'Try again', run: age.retry }}>{age.error.message}</Notice>
        : found === undefined ? <Notice tone="loading" title="Measuring use against age" />
          : found.weight <= 0 ? <Notice title="No call of this run repeats anything rare from earlier blocks">Use against age needs verbatim reuse; paraphrase is not counted.</Notice>
            : (
              <div className="evidence-scroll" tabIndex={0} role="region" aria-label="Use against age">
                <div className="age-claim">
                  <blockquote cite="https://deadneurons.substack.com/p/agentic-context-management-why-the">“the importance of context is highly non-uniform and not correlated with recency”<footer className="muted">the essay on Agentic Context Management (Dead Neurons, March 2026)</footer></blockquote>
                  <p><strong>This run:</strong> {ageVerdict(found)} <span className="muted">Verbatim reuse is a lower bound; what the prompt holds (weight {found.promptWeight.toFixed(0)}) is apart.</span></p>
                </div>
                <div className="age-charts">
                  <AgeChart title="Worth of a block by age" what="evidence weight per 1 000 block·steps" rows={found.rows} value={({ rate }) => rate ?? 0} definition="Weight of the demands whose source has this age ÷ blocks of this age that calls could have used, summed over the calls." />
                  <AgeChart title="Evidence by age" what="weight of the demands" rows={found.rows} value={({ weight }) => weight} definition="Old blocks are rare in short runs: the other chart divides by how many there were." />
                </div>
                <table aria-label="Use against age">
                  <thead><tr><th scope="col">Kind</th><th scope="col" className="num">Weight</th><th scope="col" className="num">Median age</th><th scope="col" className="num" title="Share of the weight from the older half of the blocks there were">Older half %</th>{found.rows.map((row) => <th key={row.from} scope="col" className="num" title={`Weight per 1 000 block·steps at ages ${ageWords(row)}`}>{ageWords(row)}</th>)}</tr></thead>
                  <tbody>
                    {[{ kind: 'all' as const, ...found }, ...found.byKind].map((each) => (
                      <tr key={each.kind}>
                        <th scope="row">{each.kind === 'all' ? 'all kinds' : kindWords(each.kind)}</th>
                        <td className="num">{count(each.weight)}</td><td className="num">{each.medianAge ?? '–'}</td><td className="num">{each.olderHalf === null ? '–' : (each.olderHalf * 100).toFixed(0)}</td>
                        {each.rows.map((row) => <td key={row.from} className="num" title={`weight ${row.weight.toFixed(1)}, ${row.demands} demands, ${row.blockSteps} block·steps`}>{row.rate === null ? '–' : row.rate < 10 ? formatFixed(row.rate, 1) : count(row.rate)}</td>)}
                      </tr>
                    ))}
                  </tbody>
                </table>
                <p className="muted evidence-note">Columns after the third: weight per 1 000 block·steps by age in steps.</p>
              </div>
            )}
    </div>
  );
}

interface ChartProps { title: string; what: string; rows: readonly AgeRow[]; value: (row: AgeRow) => number; definition: string }

function AgeChart({ title, what, rows, value, definition }: ChartProps) {
  const max = Math.max(1e-9, ...rows.map(value)) * 1.08;
  const x = (plot: Plot): Scale => scaleLinear([0, rows.length], [plot.left, plot.left + plot.width]);
  const y = (plot: Plot): Scale => scaleLinear([0, max], [plot.top + plot.height, plot.top]);
  const card = (px: number, _py: number, plot: Plot): Card | null => {
    const row = rows[Math.floor(x(plot).invert(px))];
    return row ? { title: `Age ${ageWords(row)} steps`, definition, rows: [['weight', row.weight.toFixed(1)], ['demands', formatCount(row.demands)], ['block·steps', formatCount(row.blockSteps)], ['per 1 000', row.rate === null ? '–' : row.rate.toFixed(1)]], source: 'exact, from the record' } : null;
  };
  return (
    <Chart title={title} what={what} height={190} margins={{ right: 16, left: 56 }} card={card} summary={`${title}: ${rows.map((row) => `age ${ageWords(row)}: ${value(row).toFixed(1)}`).join(', ')}.`}>
      {(plot) => {
        const sx = x(plot);
        const sy = y(plot);
        const bottom = plot.top + plot.height;
        return (
          <>
            <YAxis plot={plot} scale={sy} format={formatCount} />
            <line className="base" x1={plot.left} x2={plot.left + plot.width} y1={bottom + 0.5} y2={bottom + 0.5} />
            {rows.map((row, i) => (
              <g key={row.from}>
                <rect className="bar-strong" x={sx(i) + 2} width={Math.max(1, sx(i + 1) - sx(i) - 4)} y={sy(value(row))} height={Math.max(0, bottom - sy(value(row)))} />
                <text x={sx(i + 0.5)} y={bottom + 14} textAnchor="middle">{sx(1) - sx(0) > 46 || i % 2 === 0 ? ageWords(row) : ''}</text>
              </g>
            ))}
            <text className="axis-label" x={plot.left + plot.width / 2} y={bottom + 29} textAnchor="middle">age of the source, steps (doubling)</text>
          </>
        );
      }}
    </Chart>
  );
}
