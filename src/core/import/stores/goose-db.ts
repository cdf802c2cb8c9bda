import type { AgentStore } from './agent-store';
import { cellText, cellValue, jsonCell, jsonInside } from './agent-store';
import { columnList } from './sqlite-engine';
import type { SqlRow } from './sqlite-engine';
import { utcMs } from '../utc-time';

/**
 * Goose's `sessions.db` (schema: block/goose, crates/goose/src/session/session_manager.rs, versions 1 to 5 and later
 * columns): `sessions`, and `messages` with their content as JSON. Written as `goose session export --format json`
 * would, a session a line.
 */
export const gooseDb: AgentStore = {
  title: 'Goose session database',
  needs: { sessions: ['id', 'working_dir'], messages: ['id', 'session_id', 'role', 'content_json'] },
  reads: ['sessions', 'messages'],
  *write({ db, tables }) {
    const messages = tables.get('messages')!;
    // Ids first: a message is then one look into the table's own tree, whatever indexes the file has.
    const idsOf = new Map<string, number[]>();
    for (const row of db.rows(`SELECT id, session_id FROM messages LIMIT ${db.maxRows}`)) {
      const session = String(row['session_id']);
      const ids = idsOf.get(session);
      if (ids) ids.push(Number(row['id']));
      else idsOf.set(session, [Number(row['id'])]);
    }
    const write = function* (session: string, head: string): Generator<string> {
      yield `${head.slice(0, -1)}${head === '{}' ? '' : ','}"conversation":[`;
      let written = 0;
      // Rows are numbered in the order they were said; a compaction writes the conversation anew.
      for (const id of (idsOf.get(session) ?? []).sort((a, b) => a - b)) {
        for (const row of db.rows(`SELECT ${columnList(messages)} FROM messages WHERE id = ? LIMIT 1`, [id])) yield `${written++ > 0 ? ',' : ''}${messageRecord(row)}`;
      }
      yield ']}\n';
      idsOf.delete(session);
    };
    for (const row of db.rows(`SELECT ${columnList(tables.get('sessions')!)} FROM sessions LIMIT ${db.maxRows}`)) yield* write(String(row['id']), JSON.stringify(sessionRecord(row)));
    for (const session of [...idsOf.keys()]) yield* write(session, JSON.stringify({ id: session, working_dir: '', name: `Session ${session} (its row is missing)` }));
  },
};

const JSON_COLUMNS: Readonly<Record<string, string>> = { extension_data: 'extension_data', recipe_json: 'recipe', user_recipe_values_json: 'user_recipe_values', model_config_json: 'model_config' };

function sessionRecord(row: SqlRow): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null) continue;
    const as = JSON_COLUMNS[name];
    record[as ?? name] = as === undefined ? cellValue(value) : jsonCell(value);
  }
  // SQLite writes its times in UTC without saying so.
  for (const name of ['created_at', 'updated_at']) record[name] = isoTime(record[name]);
  return record;
}

function isoTime(value: unknown): unknown {
  const ms = typeof value === 'string' ? utcMs(value) : undefined;
  return ms === undefined ? value : new Date(ms).toISOString();
}

function messageRecord(row: SqlRow): string {
  const metadata = cellText(row['metadata_json'] ?? null);
  const id = cellText(row['message_id'] ?? null) ?? String(row['id']);
  const head = JSON.stringify({ id, role: cellValue(row['role']), created: cellValue(row['created_timestamp'] ?? null), tokens: row['tokens'] ?? undefined });
  return `${head.slice(0, -1)},"content":${jsonInside(cellText(row['content_json']) ?? 'null')}${metadata === null ? '' : `,"metadata":${jsonInside(metadata)}`}}`;
}
