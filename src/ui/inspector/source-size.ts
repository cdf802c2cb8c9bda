import type { ReplayBlocks } from '../../core/workspace/types';

/** Size of the blocks that a stand-in holds in the end, through all levels: `blocks` leaves, their tokens and bytes. Each counts once, however many nodes hold it. */
export function sourceSize(replay: Pick<ReplayBlocks, 'memberStart' | 'members' | 'payloadTokens' | 'payloadBytes'>, block: number): { blocks: number; tokens: number; bytes: number } {
  const size = { blocks: 0, tokens: 0, bytes: 0 };
  const seen = new Set<number>();
  const waiting = [block];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const from = replay.memberStart[next] ?? 0;
    const to = replay.memberStart[next + 1] ?? from;
    if (to > from) {
      for (const member of replay.members.subarray(from, to)) waiting.push(member);
      continue;
    }
    size.blocks++;
    size.tokens += replay.payloadTokens[next] ?? 0;
    size.bytes += replay.payloadBytes[next] ?? 0;
  }
  return size;
}
