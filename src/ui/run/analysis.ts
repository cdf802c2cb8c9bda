/** Between the run page and the vector tabs: where the analysis stands, and block ↔ interaction block. */
import type { Replay } from '../../core/workspace/types';
import { MIN_BLOCKS } from '../../core/selection/constants';
import { encoderTitle, type Embedding } from '../../state/react/use-embedding';
import type { Resource } from '../../state/react/use-resource';
import type { OpenLine } from '../../workers/api';
import type { AnalysisStatus } from '../charts/analysis-status';
import { bytes, count } from '../shared/format';

export function analysisStatus(embedding: Embedding, resource: Resource<unknown>, checkpoint: number): AnalysisStatus {
  if (checkpoint < MIN_BLOCKS) return { state: 'too-small', blocks: checkpoint };
  if (embedding.ready === null) {
    if (embedding.error !== null) return { state: 'failed', message: embedding.error.message };
    if (embedding.paused) return { state: 'cancelled', done: embedding.done, total: embedding.total };
    return { state: 'no-vectors', done: embedding.done, total: embedding.total, model: embedding.model };
  }
  if (resource.status === 'failed') return { state: 'failed', message: resource.error?.message ?? '' };
  return resource.status === 'ready' ? { state: 'ready' } : { state: 'loading', ...comingWords(embedding) };
}

/** How far the chosen encoder is, while another one's vectors stand in for it. */
function comingWords({ ready, chosen, running, model, done, total }: Embedding): { coming?: string } {
  if (!running || ready === chosen) return {};
  const title = encoderTitle(chosen);
  if (model !== null) return { coming: `Loading the encoder ${title}${Number.isFinite(model.total) ? `, ${bytes(model.done)} of ${bytes(model.total)}` : ''}` };
  return { coming: `${title}: ${count(done)} of ${count(total)} texts` };
}

/** Message position → interaction block; −1 = in none. Built once a line. */
export function interactionOfMessage(line: OpenLine): Int32Array {
  const out = new Int32Array(line.rows.length).fill(-1);
  line.interactionBlocks.forEach((positions, index) => {
    for (const position of positions) out[position] = index;
  });
  return out;
}

/** The interaction block that holds the selected block; null = none. */
export function selectedInteraction(line: OpenLine, replay: Replay, selected: number | null, ofMessage: Int32Array): number | null {
  const base = selected === null ? -1 : (replay.blocks.base[selected] ?? -1);
  const index = base < 0 ? -1 : (ofMessage[line.blocks.messageIndex[base] ?? 0] ?? -1);
  return index < 0 ? null : index;
}

/** "read · src/a.ts …": what a hover card says of an interaction block. */
export function interactionName(line: OpenLine, baseOfMessage: (position: number) => number, index: number): string {
  const position = line.interactionBlocks[index]?.[0];
  const base = position === undefined ? -1 : baseOfMessage(position);
  return base < 0 ? `block ${index}` : (line.blocks.preview[base] ?? '');
}
