import type { ByteSource } from '../base/byte-source';
import { blobSource } from '../base/byte-source';
import { concatSource } from '../base/concat-source';
import { decodeUtf8 } from '../base/text';

/** Sources that are read as one: files of a store where each record is a file of its own. */
export interface SourceUnit { /** Index of each given source, in the order of their bytes. */ indexes: number[]; source: ByteSource }

/** Bytes in which a record of the store names itself. */
const HEAD_BYTES = 2048;
/** Answers of two providers have such ids too, but name no session. */
const MESSAGE_OR_PART = /^\s*\{\s*"id"\s*:\s*"(msg|prt)_/;
const SESSION = /^\s*\{\s*"id"\s*:\s*"ses_/;
/** What lies beside the sessions in the store's folder and belongs to none: project facts, lists, differences. */
const BESIDE = /(^|[\\/])(project|todo|session_diff|session_share|share|permission)[\\/][^\\/]*\.json$/;
/** Folders of the store, by which one store is told from another. */
const STORE_PATH = /^(.*?)(^|[\\/])(session|message|part|project|todo|session_diff|session_share|share|permission)[\\/]/;

/**
 * Puts the files of OpenCode's folder store (`storage/session|message|part/…/<id>.json`, a record a file, until Feb 2026;
 * formats.md §4) together, a unit a store; every other source is a unit alone. By content: names only say which store.
 */
export async function gatherStores(sources: readonly ByteSource[]): Promise<SourceUnit[]> {
  const units: SourceUnit[] = [];
  if (sources.length < 2) return sources.map((source, i) => ({ indexes: [i], source }));
  const stores = new Map<string, { index: number; lines: number }[]>();
  const beside: number[] = [];
  const empty = new Set<ByteSource>();
  for (const [index, source] of sources.entries()) {
    const head = source.size === 0 ? '' : decodeUtf8(await source.read(0, HEAD_BYTES));
    if (isStoreRecord(head)) {
      const record = { index, lines: head.trimEnd().split('\n').length };
      const found = stores.get(storeOf(source.name));
      if (found) found.push(record);
      else stores.set(storeOf(source.name), [record]);
    } else if (BESIDE.test(source.name)) {
      beside.push(index);
      if (/^\s*\[\s*\]\s*$/.test(head)) empty.add(source);
    } else units.push({ indexes: [index], source });
  }
  for (const index of beside) {
    // One record file is a file; two or more are a store.
    const store = stores.get(storeOf(sources[index]!.name));
    if (store && store.length > 1) store.push({ index, lines: 0 });
    else units.push({ indexes: [index], source: sources[index]! });
  }
  for (const [name, records] of stores) {
    // JSON lines are told by the first lines: a record that stands on many goes first.
    const indexes = records.sort((a, b) => b.lines - a.lines || a.index - b.index).map(({ index }) => index);
    // Lists that nothing was ever put in say nothing.
    const own = indexes.map((index) => sources[index]!).filter((source) => !empty.has(source));
    units.push({ indexes, source: own.length === 1 ? own[0]! : joined(name || 'OpenCode store', own) });
  }
  return units.sort((a, b) => Math.min(...a.indexes) - Math.min(...b.indexes));
}

/** Do these first characters open one record of OpenCode's store? */
export function isStoreRecord(head: string): boolean {
  return (MESSAGE_OR_PART.test(head) && head.includes('"sessionID"')) || (SESSION.test(head) && head.includes('"time"'));
}

/** Could a file of this name lie beside the sessions of such a store? Only where there is a store at all. */
export function isBesideStore(name: string): boolean {
  return BESIDE.test(name);
}

function storeOf(name: string): string {
  const path = STORE_PATH.exec(name);
  return path ? path[1]! : name.replace(/[\\/]?[^\\/]*$/, '');
}

function joined(name: string, sources: readonly ByteSource[]): ByteSource {
  const all = concatSource(name, sources);
  return all.blob ? blobSource(name, all.blob) : all;
}
