import { asArray, asObject, asString } from '../../base/json';
import type { AgentStore } from './agent-store';
import { cellText, jsonCell, jsonInside } from './agent-store';
import type { SqlDatabase } from './sqlite-engine';

/**
 * Cursor's `state.vscdb` (global storage): `cursorDiskKV` holds `composerData:<composer>` (a conversation: name, model,
 * the order of its messages) and `bubbleId:<composer>:<bubble>` (a message each). Keys and shapes as public readers of the
 * store describe them (michaeldhood/chatrxiv, docs/cursor/storage-reference.md; thomas-pedersen/cursor-chat-browser).
 * Written as one record a conversation for the format `cursor-composer`. `ItemTable` holds the user's tokens and is
 * never read.
 */
export const cursorDb: AgentStore = {
  title: 'Cursor state database',
  needs: { cursorDiskKV: ['key', 'value'] },
  reads: ['cursorDiskKV', 'composerHeaders', 'ItemTable'],
  *write({ db, tables, note }) {
    const heads = tables.get('composerHeaders')?.columns.includes('value') ? subagentHeads(db) : new Map<string, string>();
    const bubbles = keysOf(db, 'bubbleId');
    const perComposer = new Map<string, Map<string, number>>();
    for (const [key, rowid] of bubbles) {
      const [, composer = '', bubble = ''] = /^bubbleId:([^:]*):(.*)$/s.exec(key) ?? [];
      const own = perComposer.get(composer);
      if (own) own.set(bubble, rowid);
      else perComposer.set(composer, new Map([[bubble, rowid]]));
    }
    let unlisted = 0;
    for (const [key, rowid] of keysOf(db, 'composerData')) {
      const composer = key.slice('composerData:'.length);
      const text = valueAt(db, rowid);
      if (text === null || text === 'null') continue;
      const own = perComposer.get(composer) ?? new Map<string, number>();
      const head = heads.get(composer);
      yield `{"composerId":${JSON.stringify(composer)},${head === undefined ? '' : `"composerHeader":${jsonInside(head)},`}"composerData":${jsonInside(text)},"bubbles":[`;
      let written = 0;
      for (const bubble of orderOf(text, own)) {
        const at = own.get(bubble);
        own.delete(bubble);
        const value = at === undefined ? null : valueAt(db, at);
        if (value !== null && value !== 'null') yield `${written++ > 0 ? ',' : ''}${jsonInside(value)}`;
      }
      yield ']}\n';
      unlisted += own.size;
      perComposer.delete(composer);
    }
    let orphans = 0;
    for (const own of perComposer.values()) orphans += own.size;
    if (unlisted > 0) note(`Messages in the database that no conversation lists (edited away, or undone) are left out: ${unlisted}.`);
    if (orphans > 0) note(`Messages of conversations that are not in the database any more are left out: ${orphans}.`);
  },
};

/** Key → rowid, in the order of keys. */
function keysOf(db: SqlDatabase, kind: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const row of db.rows(`SELECT rowid AS at, key FROM (SELECT rowid, key FROM cursorDiskKV LIMIT ${db.maxRows}) WHERE key >= ? AND key < ?`, [`${kind}:`, `${kind};`])) {
    found.set(String(row['key']), Number(row['at']));
  }
  return found;
}

function valueAt(db: SqlDatabase, rowid: number): string | null {
  for (const row of db.rows('SELECT value FROM cursorDiskKV WHERE rowid = ? LIMIT 1', [rowid])) return cellText(row['value']);
  return null;
}

/** Newer versions say which conversation is a sub-agent's in a table of its own. */
function subagentHeads(db: SqlDatabase): Map<string, string> {
  const heads = new Map<string, string>();
  for (const row of db.rows(`SELECT value FROM composerHeaders LIMIT ${db.maxRows}`)) {
    const text = cellText(row['value']);
    const id = asString(asObject(jsonCell(row['value']))?.['composerId']);
    if (id !== undefined && text !== null) heads.set(id, text);
  }
  return heads;
}

/** The conversation's own list says which messages are left of it, and in which order; old ones have none. */
function orderOf(text: string, own: ReadonlyMap<string, number>): string[] {
  const data = asObject(jsonCell(text));
  const list = asArray(data?.['fullConversationHeadersOnly']);
  if (list) return list.flatMap((header) => asString(asObject(header)?.['bubbleId']) ?? []);
  return Array.isArray(data?.['conversation']) ? [] : [...own.keys()];
}
