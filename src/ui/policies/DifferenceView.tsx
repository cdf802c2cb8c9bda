import { lazy, Suspense, useMemo, useState } from 'react';
import type { BlockTable } from '../../core/trace/blocks-types';
import type { PolicyInfo, RenderedPrompt, Replay } from '../../core/workspace/types';
import { KindTag } from '../shared/KindTag';
import { Notice } from '../shared/Notice';
import { count, plural } from '../shared/format';
import { kindOf } from '../shared/kinds';
import { differenceAt, tokensOf, type DifferenceBlock, type MadeBlock } from './difference-model';

const PromptDiff = lazy(() => import('../prompt/PromptDiff'));
/** Rows drawn of one list; the head says how many there are. */
const MAX_ROWS = 300;

export interface Loaded<T> { value: T | undefined; current: boolean; error: Error | null; retry: () => void }
interface Props {
  policies: readonly PolicyInfo[];
  blocks: BlockTable;
  /** Any two policies at the same budget. */
  a: Loaded<Replay>;
  b: Loaded<Replay>;
  promptA: Loaded<RenderedPrompt>;
  promptB: Loaded<RenderedPrompt>;
  step: number;
  /** Their ids; the replayed one is named beside its own. */
  from: string;
  against: string;
  replayed: string;
  onFrom: (policy: string) => void;
  onAgainst: (policy: string) => void;
  /** Index in the base table. */
  onBase: (base: number) => void;
}

/** Two policies at the playhead: which blocks only one shows, and the two prompts line by line. */
export function DifferenceView({ policies, blocks, a, b, promptA, promptB, step, from, against, replayed, onFrom, onAgainst, onBase }: Props) {
  const [prompts, setPrompts] = useState(false);
  const left = a.value;
  const right = b.value;
  const difference = useMemo(() => (left === undefined || right === undefined ? null : differenceAt(left, right, blocks, step)), [left, right, blocks, step]);
  const failed = a.error ?? b.error ?? (prompts ? (promptA.error ?? promptB.error) : null);
  return (
    <div className="pane">
      <div className="pane-bar">
        <PolicySelect label="First policy" value={from} replayed={replayed} policies={policies} onChange={onFrom} />
        <span className="muted">against</span>
        <PolicySelect label="Policy to compare with" value={against} replayed={replayed} policies={policies} onChange={onAgainst} />
        <button type="button" className="quiet square" aria-label="Exchange the two policies" title="Exchange the two policies" onClick={() => { onFrom(against); onAgainst(from); }}>⇄</button>
        <span className="muted">at step {count(step)}{a.current && b.current ? '' : ' · replaying…'}</span>
        <span className="spacer" />
        <span className="segments" role="group" aria-label="What is compared">
          <button type="button" aria-pressed={!prompts} onClick={() => setPrompts(false)}>Blocks</button>
          <button type="button" aria-pressed={prompts} onClick={() => setPrompts(true)}>Prompt diff</button>
        </span>
      </div>
      {failed !== null
        ? <Notice tone="failed" title="The two could not be compared" action={{ label: 'Try again', run: () => { a.retry(); b.retry(); promptA.retry(); promptB.retry(); } }}>{failed.message}</Notice>
        : difference === null || left === undefined || right === undefined
          ? <Notice tone="loading" title={`Replaying ${left === undefined ? from : against}`} />
          : prompts
            ? promptA.value === undefined || promptB.value === undefined
              ? <Notice tone="loading" title="Rendering both prompts" />
              : <Suspense fallback={<Notice tone="loading" title="Comparing" />}><PromptDiff before={promptB.value.rows} after={promptA.value.rows} label={`Changes from ${right.policy} to ${left.policy} at step ${step}`} /></Suspense>
            : (
              <div className="difference" tabIndex={0} role="region" aria-label={`Blocks under ${left.policy} and ${right.policy} at step ${step}`}>
                <BlockList title={`Only ${left.policy}`} list={difference.onlyA} made={difference.madeA} blocks={blocks} onBase={onBase} />
                <BlockList title={`Only ${right.policy}`} list={difference.onlyB} made={difference.madeB} blocks={blocks} onBase={onBase} />
                <BlockList title="Both" list={difference.both} made={[]} blocks={blocks} onBase={onBase} />
                <BlockList title="Neither" list={difference.neither} made={[]} blocks={blocks} onBase={onBase} />
              </div>
            )}
    </div>
  );
}

interface SelectProps { label: string; value: string; replayed: string; policies: readonly PolicyInfo[]; onChange: (policy: string) => void }

function PolicySelect({ label, value, replayed, policies, onChange }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {!policies.some(({ id }) => id === value) && <option value={value}>{value} (unknown)</option>}
      {policies.map(({ id }) => <option key={id} value={id}>{id}{id === replayed ? ' (replayed)' : ''}</option>)}
    </select>
  );
}

interface ListProps { title: string; list: readonly DifferenceBlock[]; made: readonly MadeBlock[]; blocks: BlockTable; onBase: (base: number) => void }

function BlockList({ title, list, made, blocks, onBase }: ListProps) {
  return (
    <section className="difference-list" aria-label={title}>
      <h3><span className="mono cut">{title}</span><span className="muted">{plural(list.length, 'block')} · {count(tokensOf(list))} tokens{made.length > 0 ? ` + ${plural(made.length, 'stand-in')} · ${count(tokensOf(made))}` : ''}</span></h3>
      {list.length === 0 && made.length === 0 && <p className="muted difference-none">None.</p>}
      <ul>
        {made.slice(0, MAX_ROWS).map((block) => (
          <li key={`made ${block.index}`} className="difference-made" title={block.text}><KindTag kind={kindOf(block.kind)} word={false} /><span className="cut">{block.text}</span><span className="num">{count(block.tokens)}</span></li>
        ))}
        {list.slice(0, MAX_ROWS).map(({ base, tokens, copied }) => (
          <li key={base}>
            <button type="button" className="quiet" onClick={() => onBase(base)} title={blocks.preview[base]}>
              <KindTag kind={kindOf(blocks.kind[base])} isError={blocks.isError[base] === 1} word={false} />
              <span className="cut">{blocks.preview[base]}</span>
              <span className="muted small">{copied ? 'copy · ' : ''}step {count(blocks.bornStep[base])}</span>
              <span className="num">{count(tokens)}</span>
            </button>
          </li>
        ))}
      </ul>
      {list.length > MAX_ROWS && <p className="muted difference-none">and {count(list.length - MAX_ROWS)} more</p>}
    </section>
  );
}
