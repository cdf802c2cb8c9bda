/** What the timeline is given, and what it derives from it once a replay. */
import { tokenAxis, type TokenAxis } from '../../core/layout/composition';
import { countEvents, stepEvents, type EventAtStep, type EventCounts, type StepEvent } from '../../core/layout/event-marks';
import { EvidenceArcs } from '../../core/layout/evidence-arcs';
import { buildLifelines, type Lifelines } from '../../core/layout/lifelines';
import { blockCounts } from '../../core/layout/status-at';
import type { EvidenceIndex } from '../../core/evidence/types';
import { BLOCK_KINDS, type BlockTable, type LineFacts } from '../../core/trace/blocks-types';
import type { Replay } from '../../core/workspace/types';

export interface TimelineData {
  replay: Replay;
  blocks: BlockTable;
  facts: LineFacts;
  evidence: EvidenceIndex;
  /** Recorded events with the step before which they happened. */
  events: readonly EventAtStep[];
}

export interface TimelineModel extends TimelineData {
  lines: Lifelines;
  /** Made when they are looked at. */
  arcs: EvidenceArcs;
  marks: StepEvent[];
  counts: EventCounts;
  /** Of `counts`, those that no record says. */
  inferred: EventCounts;
  axis: TokenAxis;
  blockCount: { visible: Int32Array; born: Int32Array };
  /** '≈ ' where the token numbers of this replay are no measurement. */
  approx: string;
}

export function timelineModel(data: TimelineData): TimelineModel {
  const { replay, blocks, facts, evidence, events } = data;
  const marks = stepEvents(replay, blocks, events);
  const lines = buildLifelines(replay, blocks, evidence);
  return {
    ...data, marks, counts: countEvents(marks), inferred: countEvents(marks.filter((mark) => mark.inferred === true)), lines, arcs: new EvidenceArcs(replay, blocks, facts, evidence, lines),
    axis: tokenAxis(replay.steps, replay.budget, facts.measuredInput), blockCount: blockCounts(replay),
    approx: isApproximate(data) ? '≈\u202f' : '',
  };
}

function isApproximate({ replay, blocks }: TimelineData): boolean {
  return blocks.tokensAre === 'estimated' || replay.replayClass === 'stand-in' || replay.replayClass === 'size-only';
}

/** The part of the title line that says how the numbers came about. */
export function provenance({ replay, blocks }: Pick<TimelineData, 'replay' | 'blocks'>): string {
  const tokens = blocks.tokensAre === 'exact' ? `exact, ${blocks.encoding}` : '≈ estimated, bytes ÷ 4';
  const how: Record<Replay['replayClass'], string> = {
    exact: 'policy replay over the recorded actions', 'recorded-words': 'recorded operations, recorded words',
    'stand-in': '≈ policy replay with stand-in texts', 'size-only': '≈ sizes only, texts unknown',
  };
  return `${tokens} · ${replay.policy === 'manual' ? 'exact (by hand), over the recorded actions' : how[replay.replayClass]}`;
}

export function blockId(block: number): string {
  return `B${block + 1}`;
}

export function kindOfBlock(replay: Replay, block: number): (typeof BLOCK_KINDS)[number] {
  return BLOCK_KINDS[replay.blocks.kind[block] ?? 0] ?? 'notice';
}
