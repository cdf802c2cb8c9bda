/**
 * The database, version by version. A new shape is a new entry at the end with its upgrader; entries are never edited,
 * for somebody's browser holds data of each. Large fields are never indexed.
 *
 * 1: files, sources, imports, runs, trajectories, derived, vectors, vectorUses, settings.
 * 2: corpusParts, what a corpus run made of a file.
 * 3: scenarios, what a person does to the context of a run.
 * 4: encoders, models and vectors that the user brought.
 */
import Dexie, { type EntityTable, type Table, type Transaction } from 'dexie';
import type { EncoderId } from '../core/embedding/types';
import type { EncodingName } from '../core/trace/blocks-types';
import type {
  CorpusPartRow, DerivedRow, FileRow, ImportRow, LibraryRun, OwnEncoderRow, ScenarioRow, SettingRow, SourceRow, TrajectoryRow, VectorRow, VectorUseRow,
} from './rows';

export const DATABASE_NAME = 'contextscope';

export interface SchemaStep {
  version: number;
  stores: Record<string, string>;
  upgrade?: (transaction: Transaction) => Promise<void>;
}

export const SCHEMA_STEPS: readonly SchemaStep[] = [
  {
    version: 1,
    stores: {
      files: 'id, sizeBytes',
      sources: 'key',
      imports: 'token',
      runs: 'id, fileId, addedMs',
      trajectories: 'id, fileId',
      derived: '[runId+line+encoding], runId',
      vectors: '[encoder+hash]',
      vectorUses: '[runId+line+encoder], runId',
      settings: 'key',
    },
  },
  { version: 2, stores: { corpusParts: 'key, fileId' } },
  { version: 3, stores: { scenarios: 'id, [runId+line], runId' } },
  { version: 4, stores: { encoders: 'id' } },
];
export const SCHEMA_VERSION = SCHEMA_STEPS.at(-1)!.version;
/** Dexie multiplies its versions by ten in IndexedDB. */
export const NATIVE_VERSION_FACTOR = 10;

export class Database extends Dexie {
  files!: EntityTable<FileRow, 'id'>;
  sources!: EntityTable<SourceRow, 'key'>;
  imports!: EntityTable<ImportRow, 'token'>;
  runs!: EntityTable<LibraryRun, 'id'>;
  trajectories!: EntityTable<TrajectoryRow, 'id'>;
  derived!: Table<DerivedRow, [string, string, EncodingName]>;
  vectors!: Table<VectorRow, [EncoderId, string]>;
  vectorUses!: Table<VectorUseRow, [string, string, EncoderId]>;
  settings!: EntityTable<SettingRow, 'key'>;
  corpusParts!: EntityTable<CorpusPartRow, 'key'>;
  scenarios!: EntityTable<ScenarioRow, 'id'>;
  encoders!: EntityTable<OwnEncoderRow, 'id'>;

  constructor(name: string = DATABASE_NAME, steps: readonly SchemaStep[] = SCHEMA_STEPS) {
    // autoOpen off: what is not opened by openDatabase() has not been checked.
    super(name, { autoOpen: false });
    for (const step of steps) {
      const version = this.version(step.version).stores(step.stores);
      if (step.upgrade) version.upgrade(step.upgrade);
    }
  }
}
