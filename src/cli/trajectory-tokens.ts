import { analyseLine } from '../core/evidence/analyse';
import type { TraceReader } from '../core/import/types';
import type { TokenCounter } from '../core/tokens/types';
import { TOKENS_ONCE, TOKENS_PER_MESSAGE, type BlockTable, type LineFacts } from '../core/trace/blocks-types';
import type { Trajectory } from '../core/trace/model';
import type { InspectTokens } from './inspect';

/** `total`: content of every thread's main line; `peakContext`: the largest C_t of any thread if everything is kept. */
export async function tokensOfTrajectory(trajectory: Trajectory, reader: TraceReader, counter: TokenCounter): Promise<InspectTokens> {
  let total = 0;
  let peakContext = 0;
  for (const thread of trajectory.threads) {
    const { blocks, facts } = await analyseLine(reader, trajectory, { thread: thread.id }, counter);
    total += blocks.tokens.reduce((sum, tokens) => sum + tokens, 0);
    peakContext = Math.max(peakContext, lastContext(blocks, facts));
  }
  return { encoding: counter.encoding, total, peakContext };
}

/** Nothing is ever removed, so the context of the last call is the largest. */
function lastContext(blocks: BlockTable, facts: LineFacts): number {
  if (facts.steps === 0) return 0;
  let tokens = facts.toolSchemaTokens + TOKENS_ONCE;
  let message = -1;
  for (let i = 0; i < blocks.n; i += 1) {
    if (blocks.bornStep[i]! > facts.steps) continue;
    tokens += blocks.tokens[i]!;
    if (blocks.messageIndex[i] !== message) tokens += TOKENS_PER_MESSAGE;
    message = blocks.messageIndex[i]!;
  }
  return tokens;
}
