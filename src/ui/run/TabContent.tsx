import { lazy } from 'react';
import type { Replay, ReplayRequest } from '../../core/workspace/types';
import { STAND_IN_ENCODER, type Embedding } from '../../state/react/use-embedding';
import type { SelectionReportStore } from '../../state/selection-report';
import type { Tab } from '../../state/view';
import type { OpenLine } from '../../workers/api';
import { Ledger } from '../ledger/Ledger';
import type { ManualControls } from '../manual/use-manual';

const Transcript = lazy(() => import('../transcript/Transcript').then((module) => ({ default: module.Transcript })));
const Prompt = lazy(() => import('../prompt/Prompt').then((module) => ({ default: module.Prompt })));
const EvidencePane = lazy(() => import('./EvidencePane').then((module) => ({ default: module.EvidencePane })));
const GeometryPane = lazy(() => import('./GeometryPane').then((module) => ({ default: module.GeometryPane })));
const SelectorsPane = lazy(() => import('./SelectorsPane').then((module) => ({ default: module.SelectorsPane })));
const PoliciesPane = lazy(() => import('./PoliciesPane').then((module) => ({ default: module.PoliciesPane })));
const CostPane = lazy(() => import('./CostPane').then((module) => ({ default: module.CostPane })));

const ManualPane = lazy(() => import('../manual/ManualPane').then((module) => ({ default: module.ManualPane })));

export interface TabProps {
  tab: Tab;
  line: OpenLine;
  replay: Replay;
  request: ReplayRequest;
  step: number;
  /** Replay index. */
  selected: number | null;
  embedding: Embedding;
  manual: ManualControls;
  /** Where the Selectors tab leaves its newest report. */
  selection: SelectionReportStore;
  onSelect: (block: number | null) => void;
  onSelectMessage: (position: number) => void;
  onStep: (step: number) => void;
}

export function TabContent({ tab, line, replay, request, step, selected, embedding, manual, selection, onSelect, onSelectMessage, onStep }: TabProps) {
  switch (tab) {
    case 'transcript': return <Transcript line={line} replay={replay} step={step} selected={selected} onSelect={onSelect} />;
    case 'ledger': return <Ledger line={line} replay={replay} step={step} selected={selected} onSelect={onSelect} onMenu={(items, x, y) => manual.menu(replay, items, x, y)} />;
    case 'prompt': return <Prompt line={line} request={request} step={step} selectedId={selected === null ? null : `B${selected + 1}`} onSelectId={(id) => onSelect(Number(id.slice(1)) - 1)} />;
    case 'evidence': return <EvidencePane line={line} replay={replay} request={request} step={step} onSelect={onSelect} onStep={onStep} />;
    case 'geometry': return <GeometryPane line={line} replay={replay} step={step} selected={selected} embedding={embedding} onSelectMessage={onSelectMessage} onStep={onStep} />;
    case 'selectors': return <SelectorsPane line={line} replay={replay} step={step} selected={selected} embedding={embedding} selection={selection} onSelectMessage={onSelectMessage} onStep={onStep} />;
    case 'cost': return <CostPane line={line} replay={replay} request={request} scenario={manual.scenarios.ops} encoder={embedding.ready ?? STAND_IN_ENCODER} step={step} onStep={onStep} />;
    case 'policies': return <PoliciesPane line={line} replay={replay} request={request} scenario={manual.scenarios.ops} encoder={embedding.ready ?? STAND_IN_ENCODER} step={step} onSelect={onSelect} onStep={onStep} />;
    case 'manual': return <ManualPane line={line} replay={replay} step={step} controls={manual} onStep={onStep} onSelect={onSelect} />;
  }
}
