import { useApp, useView } from '../../state/react/app-context';
import type { Embedding } from '../../state/react/use-embedding';
import { useSelect } from '../../state/react/use-run-data';
import { SelectorsTab } from '../selectors/SelectorsTab';
import { analysisStatus } from './analysis';
import { useAnalysis, type AnalysisProps } from './use-analysis';

interface Props extends AnalysisProps { embedding: Embedding; onStep: (step: number) => void }

/** The Selectors tab on the live data of the step; its settings are part of the view, hence of the link. */
export function SelectorsPane({ embedding, onStep, ...props }: Props) {
  const { view, jobs } = useApp();
  const reference = useView((state) => state.reference);
  const { line, step } = props;
  const { checkpoint, settings, selectedIndex, select, nameOf } = useAnalysis(props);
  const report = useSelect(line, embedding.ready, settings);
  return (
    <SelectorsTab
      report={report.value ?? null}
      settings={settings}
      onSettings={({ k, tau, seed, mode, selectors }) => view.setState({ k, tau, seed, mode, selectors })}
      status={analysisStatus(embedding, report, checkpoint)}
      encoder={embedding.ready ?? embedding.chosen}
      step={step}
      selected={selectedIndex}
      onSelectBlock={select}
      reference={reference}
      onReference={(next) => view.setState({ reference: next })}
      nameOf={nameOf}
      onRetry={embedding.error === null ? report.retry : embedding.resume}
      onEmbed={embedding.resume}
      onCancel={() => jobs.getState().jobs.filter(({ progress }) => progress.unit === 'blocks' || progress.label.startsWith('Loading the encoder')).forEach((job) => job.cancel())}
      onLastStep={() => onStep(line.facts.steps)}
    />
  );
}
