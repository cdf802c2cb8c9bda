import { asObject, asString, parseJson } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag, ROLES } from '../trace/model';
import type { MessageColumns, Part, Thread } from '../trace/model';
import type { ColumnsBuilder } from './columns-builder';
import { MAIN_THREAD } from './draft';
import type { FileLinks, Spawn } from './format';
import { MessageTree, splitLines } from './message-tree';

/**
 * Links of a Claude Code session: the uuid tree, which sidechain belongs to which tool call, and which fan-out of the
 * tree is no branch (formats.md §1).
 */
export class ClaudeThreads {
  private readonly tree = new MessageTree();
  /** Calls that start a sub-agent, by their prompt text; and by the agent id that their result names. */
  private readonly spawnByPrompt = new Map<string, Spawn[]>();
  private readonly callOfAgent = new Map<string, string>();
  private readonly agentOfRow = new Map<number, string>();
  private readonly promptOfRow = new Map<number, string>();
  private sessionId: string | undefined;
  /** The last compaction summary, and the lines that were written again behind it. */
  private summaryUuid: string | null = null;
  private readonly keptTail = new Set<string>();

  constructor(private readonly columns: ColumnsBuilder) {}

  message(uuid: string | undefined, record: JsonObject, row: number): void {
    this.sessionId ??= asString(record['sessionId']);
    const agent = asString(record['agentId']);
    if (agent !== undefined && record['isSidechain'] === true) this.agentOfRow.set(row, agent);
    const recorded = asString(record['parentUuid']) ?? asString(record['logicalParentUuid']) ?? (record['isCompactSummary'] === true ? '' : null);
    const parent = recorded !== null && this.keptTail.has(recorded) ? this.summaryUuid : recorded;
    if (record['isCompactSummary'] === true) {
      this.summaryUuid = uuid ?? null;
      this.keptTail.clear();
    }
    this.tree.add(uuid, parent, row, lane(record['isSidechain'] === true, agent));
  }

  /** Row of the message line with this uuid; −1 = not seen. */
  rowOf(uuid: string): number { return this.tree.rowOf(uuid); }

  /** Has a line with this uuid been seen, message or not? */
  knows(uuid: string): boolean { return this.tree.has(uuid); }

  /** A line that a compaction wrote again: what hangs on it comes after the summary. */
  rewritten(uuid: string): void {
    if (this.summaryUuid !== null) this.keptTail.add(uuid);
  }

  link(uuid: string | undefined, parent: string | null, sidechain: boolean, agent: string | null): void {
    if (uuid !== undefined) this.tree.add(uuid, parent, -1, lane(sidechain, agent ?? undefined));
  }

  calls(parts: readonly Part[]): void {
    for (const part of parts) {
      if (part.type !== 'tool_call' || part.id === '' || (part.name !== 'Task' && part.name !== 'Agent')) continue;
      const input = asObject(parseJson(part.args || 'null'));
      const prompt = asString(input?.['prompt']);
      if (prompt === undefined) continue;
      const title = asString(input?.['description']);
      const spawn: Spawn = { callId: part.id, ...(title ? { title: firstLine(title, 120) } : {}) };
      this.spawnByPrompt.set(prompt, [...(this.spawnByPrompt.get(prompt) ?? []), spawn]);
    }
  }

  results(record: JsonObject, parts: readonly Part[]): void {
    const agent = asString(asObject(record['toolUseResult'])?.['agentId']);
    const result = parts.find((part) => part.type === 'tool_result');
    if (agent !== undefined && result?.type === 'tool_result') this.callOfAgent.set(agent, result.callId);
  }

  /** Remembers the first text of a possible sub-agent root. */
  prompt(row: number, parts: readonly Part[]): void {
    if (!(this.columns.rowFlags(row) & MessageFlag.sidechain)) return;
    const text = parts.find((part) => part.type === 'text');
    if (text?.type === 'text') this.promptOfRow.set(row, text.text);
  }

  /** For joining this file with the files of its sub-agents, or with the session that started it. */
  links(): FileLinks {
    let firstSide = -1;
    let isSubagent = this.columns.rowCount > 0;
    for (let row = 0; row < this.columns.rowCount; row++) {
      const isSide = (this.columns.rowFlags(row) & MessageFlag.sidechain) !== 0;
      if (!isSide) isSubagent = false;
      else if (firstSide < 0) firstSide = row;
    }
    return {
      sessionId: this.sessionId, isSubagent, agentId: this.agentOfRow.get(firstSide), prompt: this.promptOfRow.get(firstSide),
      callOfAgent: this.callOfAgent, spawnByPrompt: this.spawnByPrompt,
    };
  }

  build(columns: MessageColumns): Thread[] {
    const parents = this.tree.parentRows(columns.n);
    joinFanOut(columns, parents);
    const groups = groupByRoot(columns, parents);
    const usedCalls = new Set<string>();
    const threads = groups.map((group, i) => this.thread(group.rows, parents, i, group.sidechain, usedCalls));
    const usedIds = new Set<string>();
    for (const thread of threads) {
      while (usedIds.has(thread.id)) thread.id += '+';
      usedIds.add(thread.id);
    }
    this.linkParents(columns, threads);
    return threads;
  }

  private thread(rows: readonly number[], parents: Int32Array, index: number, sidechain: boolean, usedCalls: Set<string>): Thread {
    const { main, branches } = splitLines(rows, parents);
    const first = rows[0];
    const agent = first === undefined ? undefined : this.agentOfRow.get(first);
    const thread: Thread = { id: index === 0 ? MAIN_THREAD : agent ?? `sidechain-${index}`, tools: [], main, branches, countsReasoning: true };
    if (!sidechain || first === undefined) return thread;
    const prompt = this.promptOfRow.get(first);
    const byAgent = agent === undefined ? undefined : this.callOfAgent.get(agent);
    const candidates = prompt === undefined ? [] : this.spawnByPrompt.get(prompt) ?? [];
    const spawn = candidates.find(({ callId }) => (byAgent === undefined ? !usedCalls.has(callId) : callId === byAgent));
    const spawnedBy = byAgent ?? spawn?.callId;
    if (spawnedBy !== undefined) {
      thread.spawnedBy = spawnedBy;
      usedCalls.add(spawnedBy);
    }
    const title = spawn?.title ?? (prompt === undefined ? undefined : firstLine(prompt, 120));
    if (title) thread.title = title;
    return thread;
  }

  private linkParents(columns: MessageColumns, threads: Thread[]): void {
    const ownerOfRow = new Map<number, string>();
    for (const thread of threads) {
      for (const rows of [thread.main, ...thread.branches.map((branch) => branch.rows)]) for (const row of rows) ownerOfRow.set(row, thread.id);
    }
    const rowOfCall = callRows(columns);
    threads.forEach((thread, i) => {
      if (i === 0) return;
      const row = thread.spawnedBy === undefined ? undefined : rowOfCall.get(thread.spawnedBy);
      const owner = row === undefined ? undefined : ownerOfRow.get(row);
      thread.parentThread = owner !== undefined && owner !== thread.id ? owner : MAIN_THREAD;
    });
  }
}

function lane(sidechain: boolean, agent: string | undefined): string {
  return sidechain ? `side:${agent ?? ''}` : '';
}

/** Call id → the first row that makes it. */
export function callRows(columns: MessageColumns): Map<string, number> {
  const rows = new Map<string, number>();
  for (let row = 0; row < columns.n; row++) {
    for (let i = columns.callStart[row]!; i < columns.callStart[row + 1]!; i++) {
      const id = columns.strings[columns.callIds[i]!]!;
      if (id !== '' && !rows.has(id)) rows.set(id, row);
    }
  }
  return rows;
}

const TOOL = ROLES.indexOf('tool');
const ASSISTANT = ROLES.indexOf('assistant');

/**
 * Parallel results each point at the line of the call they answer, so one assistant row has several children that are
 * no branches: they become one chain in file order, and what hung on any of them hangs on its end. A second result of
 * the same call is a real branch (the turn was tried again).
 */
function joinFanOut(columns: MessageColumns, parents: Int32Array): void {
  if (!hasFork(parents)) return;
  const groupOf = new Map<number, { members: number[]; answered: Set<number> }>();
  const callerOf = new Map<number, number>();
  for (let row = 0; row < columns.n; row++) {
    if (columns.role[row] !== TOOL) continue;
    const parent = parents[row]!;
    if (parent < 0) continue;
    const caller = columns.role[parent] === ASSISTANT ? parent : callerOf.get(parent);
    if (caller === undefined) continue;
    let group = groupOf.get(caller);
    if (!group) groupOf.set(caller, (group = { members: [], answered: new Set() }));
    const ids = [...columns.resultCallIds.subarray(columns.resultStart[row]!, columns.resultStart[row + 1]!)];
    if (ids.some((id) => group.answered.has(id))) continue;
    ids.forEach((id) => group.answered.add(id));
    group.members.push(row);
    callerOf.set(row, caller);
  }
  for (let row = 0; row < columns.n; row++) {
    const parent = parents[row]!;
    const caller = parent < 0 ? undefined : callerOf.get(parent) ?? (groupOf.has(parent) ? parent : undefined);
    if (caller === undefined) continue;
    const { members } = groupOf.get(caller)!;
    // A retried result stays on the caller: it is the start of another line.
    if (columns.role[row] === TOOL && !callerOf.has(row) && parent === caller) continue;
    if (!callerOf.has(row)) parents[row] = members[members.length - 1]!;
  }
  for (const [caller, { members }] of groupOf) members.forEach((row, i) => { parents[row] = i === 0 ? caller : members[i - 1]!; });
}

function hasFork(parents: Int32Array): boolean {
  const isParent = new Uint8Array(parents.length);
  return parents.some((parent) => {
    if (parent < 0) return false;
    if (isParent[parent] === 1) return true;
    isParent[parent] = 1;
    return false;
  });
}

/** Main rows first (all roots of the main lane are alternatives of one another), then a group a sidechain root. */
function groupByRoot(columns: MessageColumns, parents: Int32Array): { rows: number[]; sidechain: boolean }[] {
  const main: number[] = [];
  const byRoot = new Map<number, number[]>();
  const rootOf = new Int32Array(columns.n).fill(-1);
  for (let row = 0; row < columns.n; row++) {
    if (!(columns.flags[row]! & MessageFlag.sidechain)) {
      main.push(row);
      continue;
    }
    const path: number[] = [];
    let at = row;
    while (rootOf[at]! < 0 && parents[at]! >= 0) {
      path.push(at);
      at = parents[at]!;
    }
    const root = rootOf[at]! < 0 ? at : rootOf[at]!;
    rootOf[at] = root;
    for (const passed of path) rootOf[passed] = root;
    const rows = byRoot.get(root);
    if (rows) rows.push(row);
    else byRoot.set(root, [row]);
  }
  const sides = [...byRoot.values()].map((rows) => ({ rows, sidechain: true }));
  // A sub-agent's own file: its first tree is what the file is about.
  return main.length > 0 || sides.length === 0 ? [{ rows: main, sidechain: false }, ...sides] : sides;
}
