import type { SelectReport } from '../../core/selection/types';
import { COMPLETION_LETTER, GROUP_LETTERS, GROUP_WORDS, usedGroups } from './selector-reasons';

/** Hue, letter and word of every kind of cell that occurs, and what the frames mean. */
export function SelectorLegend({ report }: { report: SelectReport }) {
  return (
    <ul className="selector-legend" aria-label="Legend">
      {usedGroups(report).map((group) => <li key={group}><span className={`cell cell-${group}`} data-letter={GROUP_LETTERS[group]} aria-hidden="true" />{group === GROUP_WORDS[group] ? group : `${group}: ${GROUP_WORDS[group]}`}</li>)}
      <li><span className="cell cell-completion" data-letter={COMPLETION_LETTER} aria-hidden="true" />completion, by residual or gain</li>
      <li><span className="cell cell-rule" aria-hidden="true" />kept by its rule</li>
      <li><span className="cell cell-out" aria-hidden="true" />left out</li>
      <li><span className="cell cell-rule only" aria-hidden="true" />only here</li>
      {report.nextActionTop3.length > 0 && <li><span className="cell cell-out nearest" aria-hidden="true" />nearest three to the recorded next action (measuring only)</li>}
    </ul>
  );
}
