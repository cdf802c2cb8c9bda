import { useMemo, useState } from 'react';
import { MIN_BLOCKS } from '../../core/selection/constants';
import type { LabSettings } from '../../core/selection/lab';
import { basesOfInteractions, interactionsOfBases } from '../../state/brushed';
import { useApp, useView } from '../../state/react/app-context';
import type { Embedding } from '../../state/react/use-embedding';
import { useGeometry, useGeometryOverTime, useLab, useSelect, useUmap } from '../../state/react/use-run-data';
import { GeometryTab } from '../geometry/GeometryTab';
import { analysisStatus } from './analysis';
import { useAnalysis, type AnalysisProps } from './use-analysis';

interface Props extends AnalysisProps { embedding: Embedding; onStep: (step: number) => void }

/** The Geometry tab on the live data of the step. */
export function GeometryPane({ embedding, onStep, ...props }: Props) {
  const { jobs, view } = useApp();
  const bases = useView((state) => state.brushed);
  const { line, step } = props;
  const brushed = useMemo(() => interactionsOfBases(line, bases), [line, bases]);
  const { checkpoint, settings, selectedIndex, select, nameOf } = useAnalysis(props);
  const report = useGeometry(line, embedding.ready, checkpoint, settings.seed, settings.call);
  const overTime = useGeometryOverTime(line, embedding.ready, settings.seed);
  const selection = useSelect(line, embedding.ready, settings);
  const [wanted, setWanted] = useState(false);
  const umap = useUmap(line, embedding.ready, checkpoint, settings.seed, wanted && checkpoint >= MIN_BLOCKS);
  const { call, k, tau, seed, capacity } = settings;
  const labSettings = useMemo<LabSettings>(() => ({ checkpoint, call, k, tau, seed, capacity, selectors: [] }), [checkpoint, call, k, tau, seed, capacity]);
  const ranking = useLab(line, embedding.ready, checkpoint < MIN_BLOCKS ? null : 'ranking', labSettings).value;
  return (
    <GeometryTab
      umap={{ wanted, onWanted: setWanted, state: umap.status, value: umap.value ?? null, problem: umap.error?.message ?? null, onRetry: umap.retry }}
      ranking={ranking?.part === 'ranking' ? ranking : null}
      tau={tau}
      report={report.value ?? null}
      overTime={overTime.value ?? null}
      status={analysisStatus(embedding, report, checkpoint)}
      encoder={embedding.ready ?? embedding.chosen}
      step={step}
      checkpoint={checkpoint}
      selected={selectedIndex}
      onSelectBlock={select}
      nameOf={nameOf}
      brushed={brushed}
      onBrush={(indices) => view.setState({ brushed: basesOfInteractions(line, indices) })}
      keptSets={selection.value?.selectors ?? []}
      onCheckpoint={(wanted) => onStep(stepOfCheckpoint(line.checkpointOfStep, wanted))}
      onRetry={embedding.error === null ? report.retry : embedding.resume}
      onEmbed={embedding.resume}
      onCancel={() => jobs.getState().jobs.filter(({ progress }) => progress.unit === 'blocks' || progress.label.startsWith('Loading the encoder')).forEach((job) => job.cancel())}
      onLastStep={() => onStep(line.facts.steps)}
    />
  );
}

/** The first step that has so many complete blocks before it. */
function stepOfCheckpoint(checkpointOfStep: Uint32Array, checkpoint: number): number {
  const at = checkpointOfStep.findIndex((blocks) => blocks >= checkpoint);
  return at < 0 ? checkpointOfStep.length : at + 1;
}
