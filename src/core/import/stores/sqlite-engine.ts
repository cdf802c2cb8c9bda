import type { Database, SqlJsStatic, SqlValue } from 'sql.js';
import { ContextscopeError } from '../../base/errors';

/** SQLite as WebAssembly (sql.js), loaded when the first database is opened. Nothing is ever written. */

export type { SqlValue };
export type SqlRow = Readonly<Record<string, SqlValue>>;
export interface SqlTable { name: string; columns: readonly string[] }

/** Bytes of `sql-wasm-browser.wasm`; in Node the library finds its own. */
export type LoadSqliteWasm = () => Promise<ArrayBuffer>;

/** A table with its rowid at hand needs at least this many bytes a row (cell pointer, header, key). */
const MIN_ROW_BYTES = 6;

export async function openSqlite(bytes: Uint8Array, file: string, loadWasm?: LoadSqliteWasm): Promise<SqlDatabase> {
  const sql = await loadEngine(loadWasm);
  return new SqlDatabase(sql, bytes, file);
}

async function loadEngine(loadWasm: LoadSqliteWasm | undefined): Promise<SqlJsStatic> {
  // The bytes first: the library keeps a failed start for good, and a network that is away may come back.
  const wasmBinary = loadWasm && (await loadWasm());
  const { default: start } = await import('sql.js');
  return start(wasmBinary ? { wasmBinary } : {});
}

/** One open database. Throws ContextscopeError('corrupt') wherever SQLite cannot read on. */
export class SqlDatabase {
  /** More rows than the file has room for can only come from pages that point to each other: reading stops there. */
  readonly maxRows: number;
  private readonly database: Database;

  constructor(sql: SqlJsStatic, bytes: Uint8Array, private readonly file: string) {
    this.maxRows = Math.ceil(bytes.length / MIN_ROW_BYTES);
    this.database = new sql.Database(bytes);
  }

  /** Plain tables; views, virtual tables and SQLite's own are left out, and so are columns that are computed. */
  tables(): SqlTable[] {
    const names = [...this.rows("SELECT name FROM (SELECT name, type, sql FROM sqlite_master LIMIT 10000) WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND sql NOT LIKE 'CREATE VIRTUAL%'")].map((row) => String(row['name']));
    return names.map((name) => ({
      name,
      columns: [...this.rows(`SELECT name, hidden FROM pragma_table_xinfo(?)`, [name])].filter((row) => row['hidden'] === 0).map((row) => String(row['name'])),
    }));
  }

  /** Rows as they are found; text as strings, blobs as bytes. */
  *rows(query: string, parameters: SqlValue[] = []): Generator<SqlRow> {
    let statement;
    try {
      statement = this.database.prepare(query, parameters);
      const names = statement.getColumnNames();
      while (statement.step()) {
        const values = statement.get();
        yield Object.fromEntries(names.map((name, i): [string, SqlValue] => [name, values[i] ?? null]));
      }
    } catch (error) {
      if (error instanceof ContextscopeError) throw error;
      throw this.damage(error);
    } finally {
      statement?.free();
    }
  }

  /** Number of rows, as far as the file can hold them. */
  count(table: string): number {
    for (const row of this.rows(`SELECT count(*) AS n FROM (SELECT 1 FROM ${quoted(table)} LIMIT ${this.maxRows})`)) return Number(row['n']);
    return 0;
  }

  close(): void { this.database.close(); }

  private damage(error: unknown): ContextscopeError {
    const reason = error instanceof Error ? error.message : String(error);
    return new ContextscopeError('corrupt', `${this.file} starts like an SQLite database but cannot be read (${reason}): it is damaged, encrypted, or was copied while it was written. Close its program and copy it again, or save it with \`sqlite3 FILE ".backup COPY.db"\`.`, { file: this.file });
  }
}

/** A name as SQL writes it. */
export function quoted(name: string): string { return `"${name.replaceAll('"', '""')}"`; }

/** The columns that are plain values, by name; `*` would compute what a hostile schema asks for. */
export function columnList(table: SqlTable): string { return table.columns.map(quoted).join(', '); }
