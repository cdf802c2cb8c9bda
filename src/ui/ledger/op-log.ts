import type { Op, Replay } from '../../core/workspace/types';

/** The op log as `contextscope replay --json` prints it (cli.md): admissions are left out, the step rows say them. */
export function opLogJson({ policy, params, budget, encoding, replayClass, ops }: Pick<Replay, 'policy' | 'params' | 'budget' | 'encoding' | 'replayClass' | 'ops'>): string {
  return `${JSON.stringify({ policy, params, budget, encoding, replayClass, ops: ops.filter(({ op }) => op !== 'admit').map(opRow) }, null, 2)}\n`;
}

const opRow = ({ step, op, actor, ids, result, range, reason, label, tokensBefore, tokensAfter }: Op): Record<string, unknown> => ({
  step, op, actor, ids, ...(result === undefined ? {} : { result }), ...(range === undefined ? {} : { range }), reason,
  ...(label === undefined ? {} : { label }), tokensBefore, tokensAfter,
});
