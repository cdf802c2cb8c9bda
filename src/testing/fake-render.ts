import { BLOCK_KINDS } from '../core/trace/blocks-types';
import { statusAt } from '../core/layout/status-at';
import type { RenderTarget, RenderedPrompt, Replay } from '../core/workspace/types';
import type { OpenLine } from '../workers/api';

/** One row a visible block, its preview as text: enough to test how the page shows a prompt. */
export function renderPromptRows(line: OpenLine, replay: Replay, step: number, as: RenderTarget): RenderedPrompt {
  const rows = Array.from({ length: replay.blocks.n }, (_, i) => i)
    .filter((i) => statusAt(replay.history, i, step).status === 'visible')
    .map((i) => ({
      role: 'user', blocks: [`B${i + 1}`], tokens: replay.blocks.tokens[i] ?? 0, cached: (replay.blocks.bornStep[i] ?? 1) < step,
      text: line.blocks.preview[replay.blocks.base[i] ?? 0] ?? '', kind: BLOCK_KINDS[replay.blocks.kind[i] ?? 0] ?? ('user' as const),
    }));
  return { as, body: { messages: rows.map(({ role, text }) => ({ role, content: text })) }, rows };
}
