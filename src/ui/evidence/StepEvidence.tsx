import { useMemo } from 'react';
import type { Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import { Notice } from '../shared/Notice';
import { TableMenu } from '../shared/TableMenu';
import { fileName } from '../shared/download';
import type { TableRows } from '../shared/table-text';
import { KindTag } from '../shared/KindTag';
import { count, middleCut, plural } from '../shared/format';
import { kindOf } from '../shared/kinds';
import { evidenceRows, type Availability, type EvidenceSource } from './evidence-rows';
import { paging, type Fact } from './run-evidence';

const GLYPH: Record<Availability, string> = { visible: '●', recoverable: '◐', lost: '✕' };
/** Sources drawn for one demand. */
const MAX_SOURCES = 8;

interface Props { line: OpenLine; replay: Replay; step: number; onSelect: (block: number) => void; onStep: (step: number) => void }

/** What the action of this step demonstrably took from earlier blocks, and whether it was still there. */
export function StepEvidence({ line, replay, step, onSelect, onStep }: Props) {
  const demands = useMemo(() => evidenceRows(line, replay, step), [line, replay, step]);
  const at = step - 1;
  const { steps } = replay;
  const total = steps.demandWeight[at] ?? 0;
  const shares: [Availability, number][] = [['visible', steps.visibleWeight[at] ?? 0], ['recoverable', steps.recoverableWeight[at] ?? 0], ['lost', steps.lostWeight[at] ?? 0]];
  const lastUse = (sources: readonly EvidenceSource[]): number => sources.reduce((last, { base, echo }) => (echo ? last : Math.max(last, line.evidence.lastUse[base] ?? 0)), 0);
  const facts: Fact[] = paging(steps, at);
  const loss = replay.totals.firstLoss;
  const rows = (): TableRows => [
    ['State', 'Repeated string', 'Weight', 'Sources', 'Echoes', 'Last use'],
    ...demands.map((demand) => [
      demand.inPrompt ? 'in the prompt' : demand.availability, demand.lexeme, Number(demand.weight.toFixed(4)), demand.sources.filter(({ echo }) => !echo).map(({ id }) => id).join(' '),
      demand.sources.filter(({ echo }) => echo).map(({ id }) => id).join(' '), lastUse(demand.sources) || null,
    ]),
  ];
  return (
    <div className="pane">
      <div className="pane-bar evidence-bar">
        <span className="muted">{plural(demands.length, 'demand')} of step {count(step)}, weight {total.toFixed(1)}</span>
        {total > 0 && shares.map(([name, weight]) => <span key={name} className={`evidence-share evidence-${name}`}><span aria-hidden="true">{GLYPH[name]}</span> {name} {((weight / total) * 100).toFixed(0)} %</span>)}
        {(steps.promptWeight[at] ?? 0) > 0 && <span className="muted">and {(steps.promptWeight[at] ?? 0).toFixed(1)} in the system prompt or task</span>}
        <span className="spacer" />
        <TableMenu name={() => fileName('evidence', replay.policy, 'step', step)} rows={rows} />
      </div>
      <p className="evidence-facts">
        <span>{facts.map(({ name, value, help }) => <span key={name} title={help}><span className="muted">{name}</span> <strong>{value}</strong></span>)}</span>
        <span><span className="muted">first loss under</span> <span className="mono">{replay.policy}</span> {loss === null ? <strong>none</strong> : <><button type="button" className="link evidence-lost" onClick={() => onStep(loss.step)}>step {count(loss.step)}</button> <span className="mono" title={loss.lexeme}>{middleCut(loss.lexeme.replace(/\s+/g, ' '), 40)}</span></>}</span>
      </p>
      <div className="evidence-scroll" tabIndex={0} role="region" aria-label="Demands">
        <p className="evidence-note muted">A demand is a rare string that this step’s action repeats word for word from an earlier block. Verbatim reuse is a <strong>lower bound</strong> on what the action depended on: paraphrase is not counted. Weight = ln(blocks so far ÷ blocks that hold it).</p>
        {demands.length === 0
          ? <Notice title="This step repeats nothing rare from earlier blocks">It may still depend on them: only word-for-word reuse is counted here.</Notice>
          : (
            <table aria-label="Demands of this step">
              <thead><tr><th scope="col">State</th><th scope="col">Repeated string</th><th scope="col" className="num">Weight</th><th scope="col" className="num" title="Last step of the run that uses one of its sources">Last use</th><th scope="col">Sources</th></tr></thead>
              <tbody>
                {demands.map((demand, i) => (
                  <tr key={i} className={demand.inPrompt ? 'muted' : ''}>
                    <td className={`evidence-${demand.availability}`}><span aria-hidden="true">{GLYPH[demand.availability]}</span> {demand.inPrompt ? 'in the prompt' : demand.availability}</td>
                    <td className="mono evidence-lexeme" title={demand.lexeme}>{middleCut(demand.lexeme.replace(/\s+/g, ' '), 90)}</td>
                    <td className="num">{demand.weight.toFixed(2)}</td>
                    <td className="num">{lastUse(demand.sources) === 0 ? '–' : count(lastUse(demand.sources))}</td>
                    <td>
                      <span className="evidence-sources">
                        {demand.sources.slice(0, MAX_SOURCES).map((source) => (
                          <button key={source.base} type="button" className="quiet evidence-source" disabled={source.index < 0} onClick={() => onSelect(source.index)} title={`${source.status}${source.copy >= 0 ? `, brought back as B${source.copy + 1}` : ''}${source.echo ? '; the assistant merely repeated it here' : ''}; last used in step ${line.evidence.lastUse[source.base] || '–'}`}>
                            <span aria-hidden="true" className={`evidence-${source.availability}`}>{GLYPH[source.availability]}</span>
                            <KindTag kind={kindOf(line.blocks.kind[source.base])} isError={line.blocks.isError[source.base] === 1} word={false} />
                            <span className="mono">{source.id}</span>{source.echo && <span className="muted">echo</span>}
                          </button>
                        ))}
                        {demand.df > Math.min(MAX_SOURCES, demand.sources.length) && <span className="muted">and {count(demand.df - Math.min(MAX_SOURCES, demand.sources.length))} more</span>}
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
      </div>
    </div>
  );
}
