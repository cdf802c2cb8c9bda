import { useApp, useView } from '../../state/react/app-context';
import { encoderTitle, type Embedding } from '../../state/react/use-embedding';
import { closeRun } from '../../state/view';
import type { PolicyInfo } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import { Settings } from '../app/Settings';
import { useTheme, useToggleTheme } from '../app/use-theme';
import { EncoderSelect } from '../encoders/EncoderSelect';
import { PaletteButton } from '../palette/PaletteButton';
import { count, middleCut } from '../shared/format';
import { BudgetDial } from './BudgetDial';
import { PolicyPicker } from './PolicyPicker';
import { StepControls } from './StepControls';

interface Props {
  name: string;
  line: OpenLine | undefined;
  policies: readonly PolicyInfo[];
  budget: number;
  step: number;
  steps: number;
  playing: boolean;
  embedding: Embedding;
  onStep: (step: number) => void;
  onPlay: () => void;
  onHelp: () => void;
  onSearch: () => void;
  onPalette: () => void;
}

/** One row: which run, under which policy and budget, with which encoder, at which step. */
export function RunHeader({ name, line, policies, budget, step, steps, playing, embedding, onStep, onPlay, onHelp, onSearch, onPalette }: Props) {
  const { view } = useApp();
  const policy = useView((state) => state.policy);
  const params = useView((state) => state.params);
  const speed = useView((state) => state.speed);
  const shown = useTheme();
  const toggleTheme = useToggleTheme();
  return (
    <header className="run-head">
      <button type="button" className="quiet brand" onClick={() => closeRun(view)} title="Back to the library">Contextscope</button>
      <span className="run-name" title={name}>{middleCut(name, 44)}</span>
      {line !== undefined && <LineSelect line={line} />}
      <PolicyPicker policies={policies} policy={policy} params={params} onPolicy={(next) => view.setState({ policy: next, params: {} })} onParams={(next) => view.setState({ params: next })} />
      <BudgetDial budget={budget} onChange={(next) => view.setState({ budget: next })} />
      <EncoderSelect line={line} />
      <EmbeddingState embedding={embedding} />
      <span className="spacer" />
      <span className="run-right">
        <StepControls step={step} steps={steps} playing={playing} speed={speed} onStep={onStep} onPlay={onPlay} onSpeed={(next) => view.setState({ speed: next })} />
        <span className="run-tools">
          <PaletteButton onClick={onPalette} />
          <button type="button" className="quiet square" onClick={onSearch} aria-label="Search" title="Search the whole run  /">
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><circle cx="5" cy="5" r="3.600" fill="none" stroke="currentColor" strokeWidth="1.400" /><path d="M7.800 7.800 11 11" stroke="currentColor" strokeWidth="1.600" /></svg>
          </button>
          <button type="button" className="quiet square" onClick={toggleTheme} aria-label={shown === 'dark' ? 'Light theme' : 'Dark theme'} title={shown === 'dark' ? 'Light theme' : 'Dark theme'}>
            <svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true"><circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" /><path d="M6 1.500a4.500 4.500 0 0 1 0 9z" fill="currentColor" /></svg>
          </button>
          <Settings />
          <button type="button" className="quiet square" onClick={onHelp} aria-label="Keys" title="Keys  ?">?</button>
        </span>
      </span>
    </header>
  );
}

/** Thread and branch in one list, as they nest; hidden where there is only one line. */
function LineSelect({ line }: { line: OpenLine }) {
  const { view } = useApp();
  const { threads } = line.trajectory;
  const options = threads.flatMap((thread, i) => [
    { value: JSON.stringify({ thread: thread.id }), label: thread.title ?? (i === 0 ? 'main thread' : `thread ${thread.id}`) },
    ...thread.branches.map((branch, b) => ({ value: JSON.stringify({ thread: thread.id, branch: branch.id }), label: `— branch ${branch.title ?? b + 1}, from message ${branch.forkAfter + 1}` })),
  ]);
  if (options.length < 2) return <span className="muted only-line">main thread</span>;
  const value = JSON.stringify(line.line.branch === undefined ? { thread: line.line.thread } : { thread: line.line.thread, branch: line.line.branch });
  return (
    <select className="line-select" aria-label="Thread" value={value} onChange={(event) => {
      const next = JSON.parse(event.target.value) as { thread: string; branch?: string };
      view.setState({ thread: next.thread, branch: next.branch ?? null, step: 1, block: null, scenario: null });
    }}>
      {options.map((option) => <option key={option.value} value={option.value}>{middleCut(option.label, 48)}</option>)}
    </select>
  );
}

function EmbeddingState({ embedding }: { embedding: Embedding }) {
  if (embedding.error !== null) return <span className="embed-state danger" title={embedding.error.message}>encoder failed <button type="button" className="link" onClick={embedding.resume}>retry</button></span>;
  if (embedding.total === 0) return <span className="embed-state muted">no blocks</span>;
  if (embedding.paused) return <span className="embed-state muted">{count(embedding.done)} / {count(embedding.total)} <button type="button" className="link" onClick={embedding.resume}>go on</button></span>;
  const shown = embedding.ready === null ? 'No vectors yet' : `Vectors shown now: ${encoderTitle(embedding.ready)}`;
  return <span className="embed-state muted" title={`${shown}. Texts embedded: blocks, goals, actions and the final state.${embedding.note === null ? '' : ` ${embedding.note}`}`}>{embedding.running ? `${count(embedding.done)} / ${count(embedding.total)} texts` : `${count(embedding.total)} texts ready`}{embedding.note !== null && ' · some without'}</span>;
}
