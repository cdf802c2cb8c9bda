/**
 * Lossless Context Management: trigger a soft and a hard threshold, choice the oldest blocks outside the fresh tail (else
 * the oldest sibling nodes), replacement a node of a summary DAG by three-level escalation, way back lcm_expand.
 */
import { isSpareCopy, NONE, offload, summarise, type By } from '../operations';
import { blockId, KIND } from '../kinds';
import { escalate } from './parts/escalation';
import { amount, share, tokens } from './parts/parameters';
import { LCM_PROTOCOL } from './parts/protocol-text';
import { roundOf } from './parts/oldest-rounds';
import { LOSSLESS } from './parts/shape';
import { numberOf, type PolicyDefinition, type PolicyRun, type PolicySetup } from './policy';

/** Compactions that a blocked step may take. */
const MOST_ROUNDS = 10;
/** A leaf of fewer blocks is worth it only when it is a whole chunk. */
const LEAST_BLOCKS = 3;

class Lcm implements PolicyRun {
  constructor(private readonly setup: PolicySetup) {}

  act(): void {
    const { ws, parameters } = this.setup;
    const soft = numberOf(parameters, 'soft') * ws.budget;
    const hard = ws.budget - Math.min(numberOf(parameters, 'reserve'), 0.25 * ws.budget);
    if (ws.size <= soft) return;
    if (ws.size <= hard) void this.compactOnce(false);
    for (let round = 0; round < MOST_ROUNDS && ws.size > hard; round++) if (!this.compactOnce(true)) return;
  }

  overflow(): void {
    const { ws } = this.setup;
    while (ws.size > ws.budget) if (!this.compactOnce(true)) return;
  }

  /** One node more: a leaf while there are old blocks, else a node over sibling nodes. */
  private compactOnce(blocking: boolean): boolean {
    const fanout = numberOf(this.setup.parameters, 'fanout');
    return this.makeLeaf(blocking) || this.condense(fanout) || (blocking && this.condense(2));
  }

  private makeLeaf(blocking: boolean): boolean {
    const { ws, parameters } = this.setup;
    const tail = this.tailStart();
    const most = numberOf(parameters, 'chunk');
    const chunk: number[] = [];
    const taken = new Set<number>();
    let size = 0;
    for (let slot = ws.stream.head; slot >= 0 && slot < tail && size < most; ) {
      const next = ws.stream.after(slot);
      const item = ws.stream.at(slot);
      // A copy that came back by expansion goes back where it came from.
      if (isSpareCopy(ws, item) && ws.isFree(item) && !ws.isFresh(item)) offload(ws, item, { actor: 'engine', reason: 'expanded text is put back' });
      else if (ws.columns.kind.get(item) !== KIND.summary && !taken.has(item)) {
        // A call and its results are one source, else what stays of them would need a marker.
        const round = roundOf(ws, item);
        if (round.every((member) => ws.isFree(member) && !ws.isFresh(member) && ws.columns.slot.get(member) < tail)) {
          for (const member of round) taken.add(member);
          chunk.push(...round);
          for (const member of round) size += ws.columns.tokens.get(member);
        } else if (chunk.length > 0) break;
      } else if (chunk.length > 0 && !taken.has(item)) break;
      slot = next;
    }
    if (size < most && chunk.length < (blocking ? 1 : LEAST_BLOCKS)) return false;
    return this.makeNode(chunk, numberOf(parameters, 'leaf'), 'leaf');
  }

  /** The oldest run of neighbouring nodes of one depth, at least `fanout` of them, becomes one node. */
  private condense(fanout: number): boolean {
    const { ws, parameters } = this.setup;
    let run: number[] = [];
    const tryRun = (): boolean => run.length >= fanout && this.makeNode(run, numberOf(parameters, 'condensed'), 'condensed');
    for (let slot = ws.stream.head; slot >= 0; slot = ws.stream.after(slot)) {
      const item = ws.stream.at(slot);
      const isNode = ws.columns.kind.get(item) === KIND.summary && ws.isFree(item) && !ws.isFresh(item);
      if (isNode && (run.length === 0 || ws.columns.level.get(item) === ws.columns.level.get(run[0] ?? 0))) run.push(item);
      else {
        if (tryRun()) return true;
        run = isNode ? [item] : [];
      }
    }
    return tryRun();
  }

  private makeNode(sources: readonly number[], target: number, kind: 'leaf' | 'condensed'): boolean {
    const { ws, management } = this.setup;
    let input = 0;
    for (const item of sources) input += ws.columns.tokens.get(item);
    const first = sources[0] ?? 0;
    const heading = `<summary ${kind} of ${blockId(first)}..${blockId(sources.at(-1) ?? first)}, ~${input} tokens; lcm_expand for the exact text>`;
    const made = escalate(ws, sources, input, target, heading);
    if (!made) return false;
    const by: By = { actor: 'engine', reason: `${kind} over ${sources.length} blocks, escalation level ${made.level}` };
    if (summarise(ws, 'summarise', sources, made.text, by, made.tokens) === NONE) return false;
    // Deterministic truncation asks no model.
    if (made.level < 3) management.charge(ws.step, input, made.tokens);
    return true;
  }

  /** First slot of the fresh tail: so many messages, and no more tokens than it may have. */
  private tailStart(): number {
    const { ws, parameters } = this.setup;
    let messages = numberOf(parameters, 'tailMessages');
    let room = numberOf(parameters, 'tailTokens');
    let start = Infinity;
    for (let slot = ws.stream.tail; slot >= 0 && messages > 0; slot = ws.stream.before(slot)) {
      room -= ws.columns.tokens.get(ws.stream.at(slot));
      if (room < 0) break;
      messages -= 1;
      start = slot;
    }
    return start;
  }
}

export const lcm: PolicyDefinition = {
  ...LOSSLESS,
  id: 'lcm',
  name: 'Lossless Context Management',
  explanation: 'Every message is kept in a store; what is shown is a fresh tail and a DAG of summary nodes over the rest. Below the soft threshold nothing happens; above it one node a step is made; above the hard one the step waits. '
    + 'A node is accepted only if it is smaller than its sources: details, then bullets at half the length, then truncation, so it always converges. Nodes can be expanded to their sources.',
  source: 'LCM arXiv 2605.04050; thresholds of volt, node sizes of lossless-claw (systems.md §4.1); window 200 000',
  parameters: [
    share('soft', 'Soft threshold', 'One node a step above this share of B.', 0.6),
    tokens('reserve', 'Reserve', 'The hard threshold is B less this, at most a quarter of B.', 20_000, 200_000),
    amount('tailMessages', 'Fresh tail', 'Newest messages that stay raw.', 64, 'messages', 1),
    tokens('tailTokens', 'Fresh tail, most', 'Most tokens of the tail.', 24_000, 200_000),
    tokens('chunk', 'Leaf chunk', 'Tokens of blocks that one leaf covers.', 20_000, 200_000),
    tokens('leaf', 'Leaf', 'Target length of a leaf.', 2400, 200_000, 32),
    tokens('condensed', 'Condensed node', 'Target length of a node over nodes.', 2000, 200_000, 32),
    amount('fanout', 'Fan-out', 'Sibling nodes that are condensed together; at the hard threshold two do.', 4, 'nodes', 2),
  ],
  replayClass: 'stand-in',
  protocol: () => LCM_PROTOCOL,
  start: (setup) => new Lcm(setup),
};
