/** A hand-made run of twelve blocks with a known answer for every policy. Token = word. */
import { replay } from '../core/workspace/replay';
import { stateAt } from '../core/workspace/state-at';
import type { ParameterValue, Replay, ReplayRequest } from '../core/workspace/types';
import { blocksOf, countWords, inputOf } from './workspace';

/** Base blocks 0–11; call 6 uses a text that only base block 3 (the first, largest result) holds. */
export const TWELVE = blocksOf('S 100, T 50, A 100, O 1000 read, A 100, O 600 bash, A 100, O 300 grep, A 100, O 800 bash, A 100, O 200 read, A 10');
export const TWELVE_INPUT = inputOf(TWELVE, [{ step: 6, sources: [3], lexeme: 'needle', weight: 3 }]);

export const runTwelve = (policy: string, params: Record<string, ParameterValue> = {}, request: Partial<ReplayRequest> = {}): Replay =>
  replay(TWELVE_INPUT, { policy, params, budget: 2000, ...request }, countWords);

/** Base blocks in the context, and what ops made as `kind(members)`. */
export function contextAt(replayed: Replay, step: number): string {
  const { blocks } = replayed;
  const name = (item: number): string => {
    const base = blocks.base[item] ?? -1;
    if (base >= 0) return String(base);
    const members = [...blocks.members.slice(blocks.memberStart[item], blocks.memberStart[item + 1])];
    return `${{ 5: 'copy', 6: 'handle', 7: 'placeholder', 8: 'summary', 9: 'notice' }[blocks.kind[item] ?? 0] ?? '?'}(${members.map(name).join(' ')})`;
  };
  return [...stateAt(replayed, step).visible].map(name).join(' ');
}

export const contextsOf = (replayed: Replay): string[] => Array.from({ length: replayed.steps.n }, (_, k) => contextAt(replayed, k + 1));
export const tokensOf = (replayed: Replay): number[] => [...replayed.steps.contextTokens];
