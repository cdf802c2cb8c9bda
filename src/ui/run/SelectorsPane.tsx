import { useEffect, useMemo, useState } from 'react';
import type { LabSettings } from '../../core/selection/lab';
import { useApp, useView } from '../../state/react/app-context';
import type { Embedding } from '../../state/react/use-embedding';
import { useLab, useSelect } from '../../state/react/use-run-data';
import type { SelectionReportStore } from '../../state/selection-report';
import { CAPACITY, MIN_BLOCKS } from '../../core/selection/constants';
import { SelectorsTab } from '../selectors/SelectorsTab';
import { analysisStatus } from './analysis';
import { useAnalysis, type AnalysisProps } from './use-analysis';

interface Props extends AnalysisProps { embedding: Embedding; selection: SelectionReportStore; onStep: (step: number) => void }

/** The Selectors tab on the live data of the step; its settings are part of the view, hence of the link. */
export function SelectorsPane({ embedding, selection, onStep, ...props }: Props) {
  const { view, jobs } = useApp();
  const reference = useView((state) => state.reference);
  const { line, step } = props;
  const { checkpoint, settings, selectedIndex, select, nameOf } = useAnalysis(props);
  const pane = useView((state) => state.selectorPane);
  const [wide, setWide] = useState(false);
  const report = useSelect(line, embedding.ready, settings);
  const newest = report.current ? report.value : undefined;
  useEffect(() => {
    if (newest !== undefined) selection.setState({ shown: { line, step, report: newest } });
  }, [selection, line, step, newest]);
  const { call, k, tau, seed, selectors, capacity } = settings;
  const labSettings = useMemo<LabSettings>(() => ({ checkpoint, call, k, tau, seed, selectors, capacity, wide }), [checkpoint, call, k, tau, seed, selectors, capacity, wide]);
  const part = pane === 'matrix' || checkpoint < MIN_BLOCKS ? null : pane;
  const lab = useLab(line, embedding.ready, part, labSettings);
  return (
    <SelectorsTab
      report={report.value ?? null}
      settings={settings}
      onSettings={({ k, tau, seed, mode, selectors, capacity = CAPACITY, match = 'count' }) => view.setState({ k, tau, seed, mode, selectors, capacity, match })}
      status={analysisStatus(embedding, report, checkpoint)}
      encoder={embedding.ready ?? embedding.chosen}
      step={step}
      selected={selectedIndex}
      onSelectBlock={select}
      reference={reference}
      onReference={(next) => view.setState({ reference: next })}
      nameOf={nameOf}
      pane={pane}
      onPane={(next) => view.setState({ selectorPane: next })}
      lab={{ report: lab.value ?? null, status: lab.status === 'idle' ? 'loading' : lab.status, error: lab.error?.message ?? null, onRetry: lab.retry }}
      wide={wide}
      onWide={setWide}
      onRetry={embedding.error === null ? report.retry : embedding.resume}
      onEmbed={embedding.resume}
      onCancel={() => jobs.getState().jobs.filter(({ progress }) => progress.unit === 'blocks' || progress.label.startsWith('Loading the encoder')).forEach((job) => job.cancel())}
      onLastStep={() => onStep(line.facts.steps)}
    />
  );
}
