/** The hover card of what is under the pointer: name, value, share, definition, source of the number. */
import { eventTotalWords, type EventMarkKind } from '../../core/layout/event-marks';
import { formatCount, formatShare } from '../../core/layout/format';
import { KIND_WORDS, SWATCH_DEFINITIONS, SWATCH_WORDS, sourceOfBlock, STATUS_WORDS, swatchOfBlock } from '../../core/layout/names';
import { statusAt } from '../../core/layout/status-at';
import type { TimelineHit } from '../../core/layout/timeline-frame';
import { SWATCHES } from '../../core/workspace/types';
import type { Card } from '../charts/card';
import { blockId, kindOfBlock, provenance, type TimelineModel } from './timeline-data';

/** Longest list of single events in a card. */
const MAX_LINES = 5;

export function timelineCard(model: TimelineModel, hit: TimelineHit): Card | null {
  switch (hit.band) {
    case 'composition': return compositionCard(model, hit.step, hit.swatch);
    case 'events': return hit.kind === null ? null : eventCard(model, hit.kind, hit.fromStep, hit.toStep);
    case 'lifelines': return hit.block === null ? null : blockCard(model, hit.block, hit.step);
    case 'axis': return { title: `Step ${formatCount(hit.step)}`, rows: [], definition: 'One model call. Click or drag to move the playhead.' };
  }
}

function budgetShare({ replay }: TimelineModel, tokens: number): [string, string][] {
  return replay.budget > 0 && Number.isFinite(replay.budget) ? [['of the budget', formatShare(tokens / replay.budget)]] : [];
}

function compositionCard(model: TimelineModel, step: number, swatch: number): Card {
  const { steps } = model.replay;
  const total = steps.contextTokens[step - 1] ?? 0;
  const measured = model.facts.measuredInput[step - 1] ?? NaN;
  const rows: [string, string][] = [];
  const name = SWATCHES[swatch];
  if (name !== undefined) {
    const value = steps.bySwatch[(step - 1) * SWATCHES.length + swatch] ?? 0;
    rows.push([SWATCH_WORDS[name], `${model.approx}${formatCount(value)} tokens`], ['of the window', formatShare(total > 0 ? value / total : NaN)]);
  }
  rows.push(['whole window', `${model.approx}${formatCount(total)} tokens`], ...budgetShare(model, total));
  const dashboard = steps.dashboardTokens[step - 1] ?? 0;
  if (dashboard > 0) rows.push(['dashboard', `${formatCount(dashboard)} tokens`]);
  if (!Number.isNaN(measured)) rows.push(['measured by the provider', `${formatCount(measured)} tokens`]);
  return {
    title: `Step ${formatCount(step)}${name ? ` · ${SWATCH_WORDS[name]}` : ''}`, ...(name ? { swatch: name } : {}), rows,
    definition: name ? SWATCH_DEFINITIONS[name] : 'Tokens in the window at this call.', source: provenance(model),
  };
}

function eventCard(model: TimelineModel, kind: EventMarkKind, from: number, to: number): Card {
  const events = model.marks.filter((event) => event.kind === kind && event.step >= from && event.step <= to);
  const count = events.reduce((sum, event) => sum + event.count, 0);
  const steps = from === to ? `Step ${formatCount(from)}` : `Steps ${formatCount(from)}–${formatCount(to)}`;
  const rows = events.slice(0, MAX_LINES).map((event): [string, string] => [`step ${formatCount(event.step)}`, [event.count > 1 ? `${formatCount(event.count)} blocks` : '', event.inferred ? 'inferred' : ''].filter(Boolean).join(', ')]);
  if (events.length > MAX_LINES) rows.push([`and ${formatCount(events.length - MAX_LINES)} more`, '']);
  const [first] = events;
  return {
    title: `${steps} · ${eventTotalWords(kind, count, events.reduce((sum, event) => sum + (event.inferred ? event.count : 0), 0))}`, rows: events.length > 1 ? rows : [],
    ...(first ? { excerpt: first.text } : {}), source: kind === 'error' ? 'recorded in the trace' : events.every(({ inferred }) => inferred) ? 'inferred from measured tokens or prompts; no record says so' : `policy ${model.replay.policy}`,
  };
}

export function blockCard(model: TimelineModel, block: number, step: number): Card {
  const { replay, blocks, evidence } = model;
  const source = sourceOfBlock(replay.blocks, block);
  const base = replay.blocks.base[source] ?? -1;
  const tool = base >= 0 ? (blocks.strings[blocks.toolName[base] ?? 0] ?? '') : '';
  const tokens = replay.blocks.tokens[block] ?? 0;
  const { status, pinned } = statusAt(replay.history, block, step);
  const rows: [string, string][] = [
    ['tokens', `${model.approx}${formatCount(tokens)}`], ...budgetShare(model, tokens), ['born at step', formatCount(replay.blocks.bornStep[block] ?? NaN)],
  ];
  if (base >= 0) {
    const last = evidence.lastUse[base] ?? 0;
    rows.push(['last use', last > 0 ? `step ${formatCount(last)}` : 'never seen'], ['uses', formatCount(evidence.uses[base] ?? 0)]);
  }
  rows.push([`at step ${formatCount(step)}`, `${STATUS_WORDS[status]}${pinned ? ', pinned' : ''}`]);
  const swatch = SWATCHES[swatchOfBlock(replay.blocks, blocks, block)];
  return {
    title: `${blockId(block)} ${KIND_WORDS[kindOfBlock(replay, block)]}${tool ? ` · ${tool}` : ''}`, ...(swatch ? { swatch } : {}), rows,
    ...(base >= 0 ? { excerpt: blocks.preview[base] ?? '' } : {}),
    definition: 'Use: a later action repeats rare words of this block verbatim. A lower bound on dependence.', source: `tokens ${blocks.tokensAre === 'exact' ? `exact, ${blocks.encoding}` : '≈ estimated'}`,
  };
}
