import type { ByteSource } from '../base/byte-source';
import type { UnpackGuard, UnpackOptions } from '../base/unpack-guard';
import type { LoadSqliteWasm } from './stores/sqlite-engine';

/** How what is given is taken apart. */
export interface OpenOptions extends UnpackOptions {
  /** Where SQLite's WebAssembly comes from; Node finds its own. */
  sqliteWasm?: LoadSqliteWasm;
  /** The write-ahead log of the given database, where it was given beside it. */
  wal?: ByteSource;
}

export type OpenGuard = UnpackGuard<OpenOptions>;
