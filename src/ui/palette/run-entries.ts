/** Blocks and tools of the open run as palette entries. */
import { sourceOfBlock } from '../../core/layout/names';
import type { Replay } from '../../core/workspace/types';
import type { OpenLine } from '../../workers/api';
import { count, plural } from '../shared/format';
import { kindLook, kindOf } from '../shared/kinds';
import type { Entry } from './entries';

type Go = (block: number, step: number) => void;

export function blockEntries(line: OpenLine, replay: Replay, go: Go): Entry[] {
  const { blocks } = replay;
  return Array.from({ length: blocks.n }, (_, block): Entry => {
    const origin = blocks.base[sourceOfBlock(blocks, block)] ?? -1;
    const tool = origin < 0 ? '' : (line.blocks.strings[line.blocks.toolName[origin] ?? 0] ?? '');
    const preview = origin < 0 ? (blocks.text[block] ?? '').slice(0, 120) : (line.blocks.preview[origin] ?? '');
    const born = Math.min(blocks.bornStep[block] ?? 1, Math.max(1, line.facts.steps));
    return {
      id: `block ${block}`, group: 'Block', label: `B${block + 1} ${tool === '' ? '' : `${tool} · `}${preview}`.replace(/\s+/g, ' ').trim(),
      hint: `${kindLook(kindOf(blocks.kind[block])).word} · ${count(blocks.tokens[block])} tokens · step ${count(born)}`,
      run: () => go(block, born),
    };
  });
}

/** Each leads to the tool's next result after the playhead, and from the last one back to the first. */
export function toolEntries(line: OpenLine, indexOfBase: Int32Array, step: () => number, go: Go): Entry[] {
  const { blocks, facts } = line;
  const results = new Map<string, number[]>();
  for (let base = 0; base < blocks.n; base++) {
    const name = blocks.strings[blocks.toolName[base] ?? 0] ?? '';
    if (name === '' || kindOf(blocks.kind[base]) !== 'tool_result') continue;
    const list = results.get(name);
    if (list === undefined) results.set(name, [base]);
    else list.push(base);
  }
  return [...results].sort((a, b) => b[1].length - a[1].length).map(([name, bases]): Entry => ({
    id: `tool ${name}`, group: 'Tool', label: name, hint: `next of ${plural(bases.length, 'result')}`,
    run: () => {
      const next = bases.find((base) => (blocks.bornStep[base] ?? 0) > step()) ?? bases[0] ?? 0;
      go(indexOfBase[next] ?? -1, Math.min(blocks.bornStep[next] ?? 1, Math.max(1, facts.steps)));
    },
  }));
}
