import type { ByteSource } from '../base/byte-source';
import { concatSource } from '../base/concat-source';
import { ContextscopeError, isCancelled } from '../base/errors';
import type { Trajectory } from '../trace/model';
import { callRows } from './claude-threads';
import type { FileLinks } from './format';
import { MAIN_THREAD } from './draft';
import { openContainer } from './containers';
import type { Opened, UnopenedMember } from './containers';
import { hashSource } from './hash-source';
import { asImportError, importOpened, unpackOptions } from './import-source';
import type { LinkedFile } from './import-source';
import { continuationChains } from './continuations';
import { joinTrajectories } from './merge';
import { pairWals } from './stores/pair-wal';
import type { Joined } from './merge';
import { findOverlaps, joinLines, overlapSets, overlapText } from './overlaps';
import type { Overlapping } from './overlaps';
import { gatherStores } from './store-folder';
import type { SourceUnit } from './store-folder';
import type { ImportFiles, ImportOptions, ImportedFiles, ImportedGroup, Overlap } from './types';

interface Member { index: number; source: ByteSource; file: LinkedFile; parent: { member: Member; callId?: string; title?: string } | null }

/**
 * Imports files that were dropped together; archives are taken apart, and every file in one counts as given. Sub-agent
 * files of Claude Code become threads of the session that started them: by agent id, else by equal prompt text, else by
 * the only session with the same id or the one that its folder is named after. The files of an OpenCode store are one,
 * and so are those in which a run goes on. One report a file; a file that fails does not stop the others. Copies of one
 * conversation are told, and joined when asked.
 */
export const importFiles: ImportFiles = async (sources, options = {}) => {
  const out: ImportedFiles = { groups: [], failures: [], overlaps: [] };
  let members: Member[] = [];
  const { walOf, used, failures: lonely } = await pairWals(sources);
  for (const { source, error } of lonely) out.failures.push({ index: sources.indexOf(source), file: source.name, error });
  const total = sources.reduce((sum, source) => sum + source.size, 0);
  let before = 0;
  let records = 0;
  // A format that is forced is that of each file as it was given.
  const units = options.format === undefined ? await gatherStores(sources) : sources.map((source, i): SourceUnit => ({ indexes: [i], source }));
  for (const [at, { indexes, source }] of units.entries()) {
    if (used.has(source)) continue;
    const index = indexes[0]!;
    const done = before;
    const counted = records;
    const place: ImportOptions = {
      ...options,
      onProgress: options.onProgress && ((progress) => { options.onProgress!({ bytesRead: done + progress.bytesRead, bytesTotal: total, records: counted + progress.records }); }),
      onFirst: at === 0 ? options.onFirst : undefined,
    };
    const { files, failures } = await importOne(source, place, walOf.get(source));
    for (const { opened, file } of files) {
      records += file.report.records;
      if (indexes.length > 1) file.report.warnings.push(`${indexes.length} files of an OpenCode store were read together.`);
      members.push({ index, source: opened.source, file, parent: null });
    }
    out.failures.push(...failures.map(({ name, error }) => ({ index, file: name, error })));
    before += source.size;
  }
  members = await joinContinuations(members, options);
  out.overlaps = findOverlaps(members.map(compared));
  if (options.join) members = await joinCopies(members, out.overlaps, options);
  else for (const overlap of out.overlaps) noteOverlap(members, overlap);
  linkMembers(members);
  for (const root of members.filter((member) => member.parent === null)) out.groups.push(await buildGroup(root, members, options));
  return out;
};

/** One given file: itself, or what is in it. */
async function importOne(source: ByteSource, options: ImportOptions, wal?: ByteSource): Promise<{ files: { opened: Opened; file: LinkedFile }[]; failures: UnopenedMember[] }> {
  const files: { opened: Opened; file: LinkedFile }[] = [];
  const failures: UnopenedMember[] = [];
  let sha256: Promise<string> | null = null;
  const hashGiven = (): Promise<string> => (sha256 ??= hashSource(source, options));
  try {
    for await (const opened of openContainer(source, unpackOptions(source, options, wal))) {
      if ('error' in opened) {
        failures.push(opened);
        continue;
      }
      try {
        files.push({ opened, file: await importOpened(source, opened, options, hashGiven) });
      } catch (error) {
        if (isCancelled(error)) throw error;
        failures.push({ name: opened.name, error: asImportError(error, opened.name) });
      }
    }
  } catch (error) {
    if (isCancelled(error)) throw error;
    failures.push({ name: source.name, error: asImportError(error, source.name) });
  }
  return { files, failures: excuse(source.name, files, failures) };
}

const compared = ({ index, file: { report, trajectories } }: Member): Overlapping => ({ index, report, trajectories });

/** A run that goes on in other files is read again as one, its documents one after the other. */
async function joinContinuations(members: readonly Member[], options: ImportOptions): Promise<Member[]> {
  const left = new Set(members);
  const joined: Member[] = [];
  for (const chain of continuationChains(members.map(({ source, file }) => ({ path: source.name, format: file.report.format, links: file.links })))) {
    const parts = chain.map((at) => members[at]!);
    if (!parts.every(isJoinable)) continue;
    const [first] = parts;
    const { files } = await importOne(concatSource(first!.source.name, parts.map(({ source }) => source)), { ...options, onFirst: undefined, onProgress: undefined });
    // What does not read as one run stays as it is.
    if (files.length !== 1 || files[0]!.file.trajectories.length !== 1) continue;
    const { opened, file } = files[0]!;
    file.report.warnings.push(`The run goes on from file to file: ${parts.map(({ source }) => source.name).join(', ')}.`);
    for (const part of parts) left.delete(part);
    joined.push({ index: first!.index, source: opened.source, file, parent: null });
  }
  return [...left, ...joined].sort((a, b) => a.index - b.index);
}

/** Members that are one conversation are read again as one file. */
async function joinCopies(members: readonly Member[], overlaps: readonly Overlap[], options: ImportOptions): Promise<Member[]> {
  const left = new Set(members);
  const joined: Member[] = [];
  for (const set of overlapSets(members.map(compared), overlaps)) {
    const parts = set.map((at) => members[at]!);
    if (parts.some(({ file }) => !file.plain)) continue;
    const { files } = await importOne(joinLines(parts.map(({ source }) => source)), { ...options, onFirst: undefined, onProgress: undefined });
    const [first] = files;
    if (!first) continue;
    first.file.report.warnings.push(`Joined from ${parts.map(({ file }) => file.report.file).join(', ')}: model calls that stand in several of them are one.`);
    for (const part of parts) left.delete(part);
    joined.push({ index: parts.at(-1)!.index, source: first.opened.source, file: first.file, parent: null });
  }
  return [...left, ...joined].sort((a, b) => a.index - b.index);
}

function noteOverlap(members: readonly Member[], overlap: Overlap): void {
  for (const { index, file } of members) if (overlap.indexes.includes(index) && overlap.files.includes(file.report.file)) file.report.warnings.push(overlapText(overlap));
}

const NAMES_SHOWN = 5;

/**
 * An archive of a project holds much that is no trajectory. Where something was found in it, the rest is one warning;
 * where nothing was, one failure that says what was seen. Files that are damaged stay failures of their own.
 */
function excuse(archive: string, files: readonly { opened: Opened; file: LinkedFile }[], failures: readonly UnopenedMember[]): UnopenedMember[] {
  const strangers = failures.filter(({ name, error }) => name !== archive && (error.code === 'unknown-format' || error.code === 'unsupported'));
  if (strangers.length < 2 && (files.length === 0 || strangers.length === 0)) return [...failures];
  const others = failures.filter((failure) => !strangers.includes(failure));
  const names = strangers.slice(0, NAMES_SHOWN).map(({ name }) => name.slice(archive.length + 1)).join(', ');
  const text = `${strangers.length} ${strangers.length === 1 ? 'file' : 'files'} in ${archive} ${strangers.length === 1 ? 'is' : 'are'} in no format that is known here: ${names}${strangers.length > NAMES_SHOWN ? ', …' : ''}.`;
  if (files.length > 0) files[0]!.file.report.warnings.push(text);
  else others.push({ name: archive, error: new ContextscopeError('unknown-format', `${text} ${strangers[0]!.error.message}`, { file: archive }) });
  return others;
}

function linkMembers(members: readonly Member[]): void {
  const taken = new Set<string>();
  for (const member of members) {
    const links = member.file.links;
    if (!links?.isSubagent || !isJoinable(member)) continue;
    const candidates = members.filter((candidate) => candidate !== member && candidate.file.links && isJoinable(candidate) && !isBelow(candidate, member));
    member.parent = byAgent(links, candidates) ?? byPrompt(links, candidates, taken) ?? bySession(links, candidates) ?? byFolder(member, candidates);
  }
}

/** Offsets of joined files only add up where spans are offsets into the file itself. */
function isJoinable({ source, file }: Member): boolean {
  return file.plain && file.trajectories.length === 1 && source.size > 0;
}

function isBelow(candidate: Member, member: Member): boolean {
  for (let at: Member | undefined = candidate; at; at = at.parent?.member) if (at === member) return true;
  return false;
}

function byAgent(links: FileLinks, candidates: readonly Member[]): Member['parent'] {
  if (links.agentId === undefined) return null;
  for (const member of candidates) {
    const callId = member.file.links!.callOfAgent.get(links.agentId);
    if (callId !== undefined) return { member, callId, title: titleOf(member, callId) };
  }
  return null;
}

function titleOf(member: Member, callId: string): string | undefined {
  for (const spawns of member.file.links!.spawnByPrompt.values()) {
    const spawn = spawns.find((candidate) => candidate.callId === callId);
    if (spawn) return spawn.title;
  }
  return undefined;
}

function byPrompt(links: FileLinks, candidates: readonly Member[], taken: Set<string>): Member['parent'] {
  if (links.prompt === undefined) return null;
  for (const member of candidates) {
    const spawn = member.file.links!.spawnByPrompt.get(links.prompt)?.find((candidate) => !taken.has(`${member.index} ${candidate.callId}`));
    if (!spawn) continue;
    taken.add(`${member.index} ${spawn.callId}`);
    return { member, ...spawn };
  }
  return null;
}

function bySession(links: FileLinks, candidates: readonly Member[]): Member['parent'] {
  const same = candidates.filter(({ file }) => !file.links!.isSubagent && links.sessionId !== undefined && file.links!.sessionId === links.sessionId);
  return same.length === 1 ? { member: same[0]! } : null;
}

/** A sub-agent's file lies in a folder that is named after the session that started it (Gemini CLI; Claude Code: one folder further up). */
function byFolder(member: Member, candidates: readonly Member[]): Member['parent'] {
  const folders = member.source.name.split(/[\\/]/).slice(0, -1);
  const named = candidates.filter(({ file }) => !file.links!.isSubagent && file.links!.sessionId !== undefined && file.report.format === member.file.report.format && folders.includes(file.links!.sessionId));
  return named.length === 1 ? { member: named[0]! } : null;
}

async function buildGroup(root: Member, members: readonly Member[], options: ImportOptions): Promise<ImportedGroup> {
  const below = members.filter((member) => member !== root && isBelow(member, root));
  if (below.length === 0) return { members: [root.index], source: root.source, reports: [root.file.report], trajectories: root.file.trajectories };
  // Parents before children, so that a child's parent thread already has its name.
  const ordered = below.sort((a, b) => depth(a) - depth(b) || a.index - b.index);
  const source = concatSource(root.source.name, [root.source, ...ordered.map((member) => member.source)]);
  const names = new Map<Member, string>([[root, MAIN_THREAD]]);
  const used = new Set(root.file.trajectories[0]!.threads.map((thread) => thread.id));
  let base = root.source.size;
  const joined = ordered.map((member): Joined => {
    const parent = member.parent!;
    const name = uniqueName(member.file.links?.agentId ?? `agent-${names.size}`, used);
    names.set(member, name);
    const piece: Joined = { trajectory: member.file.trajectories[0]!, base, threadId: name, parentThread: parentThread(parent, names), spawnedBy: parent.callId, title: parent.title };
    base += member.source.size;
    return piece;
  });
  const id = `${await hashSource(source, options)}#0`;
  const trajectory = joinTrajectories(root.file.trajectories[0]!, joined, id);
  return { members: [root.index, ...ordered.map((member) => member.index)], source, reports: [root.file.report, ...ordered.map((member) => member.file.report)], trajectories: [trajectory] };
}

/** The thread of the parent file that makes the call: its main one, or a sidechain inside the file. */
function parentThread({ member, callId }: NonNullable<Member['parent']>, names: Map<Member, string>): string {
  const name = names.get(member)!;
  const trajectory = member.file.trajectories[0]!;
  const row = callId === undefined ? undefined : callRows(trajectory.columns).get(callId);
  const index = row === undefined ? 0 : ownerIndex(trajectory, row);
  if (index <= 0) return name;
  const inner = trajectory.threads[index]!.id;
  return member.parent === null ? inner : `${name}/${inner}`;
}

function ownerIndex(trajectory: Trajectory, row: number): number {
  return trajectory.threads.findIndex((thread) => thread.main.includes(row) || thread.branches.some((branch) => branch.rows.includes(row)));
}

function depth(member: Member): number {
  let steps = 0;
  for (let at = member.parent; at; at = at.member.parent) steps++;
  return steps;
}

function uniqueName(wanted: string, used: Set<string>): string {
  let name = wanted;
  for (let i = 2; used.has(name); i++) name = `${wanted}-${i}`;
  used.add(name);
  return name;
}
