import { useState } from 'react';
import type { Replay } from '../../core/workspace/types';

export interface Marks { set: ReadonlySet<number>; toggle: (block: number) => void; add: (blocks: readonly number[]) => void; clear: () => void }

const NONE: ReadonlySet<number> = new Set();

/** Blocks marked to be acted on together. An index belongs to one replay, so the marks go with it. */
export function useMarks(replay: Replay): Marks {
  const [held, setHeld] = useState<{ of: Replay; set: ReadonlySet<number> }>({ of: replay, set: NONE });
  const set = held.of === replay ? held.set : NONE;
  const change = (next: Iterable<number>): void => setHeld({ of: replay, set: new Set(next) });
  return {
    set,
    toggle: (block) => change(set.has(block) ? [...set].filter((one) => one !== block) : [...set, block]),
    add: (blocks) => change([...set, ...blocks]),
    clear: () => change([]),
  };
}
