/**
 * The context as paged memory (Pichay, arXiv 2603.09023; systems.md §5): taking a block out is an eviction, a call that
 * uses what is out is a page fault. Pichay's fault rate is faults ÷ evictions (0.0254 % over its 1.4 M replayed evictions);
 * its amplification is how often what is carried is sent again (median 84.4 × for stale results there).
 */
import { TOKENS_PER_MESSAGE } from '../trace/blocks-types';
import { blockIndex } from './kinds';
import { REMOVING_OPS } from './removing-ops';
import type { Op, PagingTotals, ReplayInput, ReplaySteps } from './types';

/** `isPage`: is it a recorded block or a copy of one (replay index)? Stand-ins that go are no evictions. Linear in steps, blocks and ops. */
export function pagingOf(input: ReplayInput, steps: ReplaySteps, ops: readonly Op[], protocolTokens: number, isPage: (item: number) => boolean): PagingTotals {
  let faults = 0;
  let tokensRead = 0;
  let tokensNeeded = 0;
  let sent = 0;
  for (let i = 0; i < steps.n; i++) {
    faults += steps.faults[i] ?? 0;
    tokensRead += steps.readTokens[i] ?? 0;
    tokensNeeded += steps.neededTokens[i] ?? 0;
    sent += steps.contextTokens[i] ?? 0;
  }
  let evictions = 0;
  for (const { op, ids, step } of ops) {
    if (REMOVING_OPS.has(op) && step <= steps.n) for (const id of ids) if (isPage(blockIndex(id))) evictions += 1;
  }
  const ratio = (part: number, whole: number): number | null => (whole > 0 ? part / whole : null);
  return {
    faults, faultsPerStep: ratio(faults, steps.n), evictions, faultRate: ratio(faults, evictions),
    tokensRead, tokensNeeded, readAmplification: ratio(tokensRead, tokensNeeded), amplification: ratio(sent, admittedTokens(input, steps.n) + protocolTokens),
  };
}

/** What the run put into its contexts, each block once: tool schemas and every block that some call could see. */
function admittedTokens({ blocks, facts }: ReplayInput, steps: number): number {
  let tokens = facts.toolSchemaTokens;
  for (let b = 0; b < blocks.n; b++) if ((blocks.bornStep[b] ?? 1) <= steps) tokens += (blocks.tokens[b] ?? 0) + TOKENS_PER_MESSAGE;
  return tokens;
}
