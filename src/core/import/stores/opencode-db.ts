import type { AgentStore, StoreContext } from './agent-store';
import { cellText, cellValue, jsonCell, withFields } from './agent-store';
import { columnList } from './sqlite-engine';
import type { SqlRow } from './sqlite-engine';

/**
 * OpenCode's `opencode.db` (since February 2026; schema: anomalyco/opencode, packages/opencode/src/session/session.sql.ts):
 * `session`, `message` and `part`, whose `data` column holds the JSON that used to be a file, without its ids. Written
 * as a store dump, so that sub-agents' sessions become threads of the session that started them.
 */
export const opencodeDb: AgentStore = {
  title: 'OpenCode database',
  needs: { session: ['id', 'title'], message: ['id', 'session_id', 'data'], part: ['id', 'message_id', 'data'] },
  reads: ['session', 'message', 'part'],
  *write({ db, tables, note }) {
    for (const row of allRows({ db, tables }, 'session')) yield `${JSON.stringify(sessionRecord(row))}\n`;
    for (const row of allRows({ db, tables }, 'message')) {
      yield `${withFields({ id: cellValue(row['id']), sessionID: cellValue(row['session_id']) }, cellText(row['data']))}\n`;
    }
    for (const row of allRows({ db, tables }, 'part')) {
      yield `${withFields({ id: cellValue(row['id']), messageID: cellValue(row['message_id']), ...('session_id' in row ? { sessionID: cellValue(row['session_id']) } : {}) }, cellText(row['data']))}\n`;
    }
    if (tables.has('session_message') && db.count('session_message') > 0 && db.count('message') === 0) {
      note('The database keeps its messages in the table session_message, a newer layout that is not read here: export the sessions with `opencode export <session>`.');
    }
  },
};

function allRows({ db, tables }: Pick<StoreContext, 'db' | 'tables'>, name: string): Iterable<SqlRow> {
  return db.rows(`SELECT ${columnList(tables.get(name)!)} FROM ${name} LIMIT ${db.maxRows}`);
}

/** Columns that the JSON files called otherwise; the others keep their names. */
const SESSION_NAMES: Readonly<Record<string, string>> = { id: 'id', project_id: 'projectID', workspace_id: 'workspaceID', parent_id: 'parentID', slug: 'slug', directory: 'directory', title: 'title', version: 'version', path: 'path' };
const JSON_COLUMNS = new Set(['summary_diffs', 'revert', 'permission', 'goal', 'model', 'metadata']);
/** A share's address opens the session to anybody. */
const LEFT_OUT = new Set(['share_url']);

function sessionRecord(row: SqlRow): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  const time: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    if (value === null || LEFT_OUT.has(name)) continue;
    if (name.startsWith('time_')) time[name.slice(5)] = cellValue(value);
    else record[SESSION_NAMES[name] ?? name] = JSON_COLUMNS.has(name) ? jsonCell(value) : cellValue(value);
  }
  return { ...record, time };
}
