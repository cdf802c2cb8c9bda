/** What a person chose on the corpus page; kept as a preference, so that a reloaded page goes on where it was. */
import { DEFAULT_SETTINGS, TABLE_IDS, type CorpusSettings, type TableId } from '../core/corpus/types';
import { isOwnId } from '../core/embedding/own-encoder';
import { ENCODERS } from '../core/embedding/registry';
import type { EncoderId } from '../core/embedding/types';

export interface CorpusChoice {
  /** Ids of runs; null = all of the library. */
  chosen: string[] | null;
  encoder: EncoderId;
  tables: TableId[];
  seed: number;
  every: number;
  /** Window of the table of policies, tokens. */
  budget: number;
}

export const DEFAULT_CHOICE: CorpusChoice = { chosen: null, encoder: 'static-minilm-384@1', tables: [...TABLE_IDS], seed: DEFAULT_SETTINGS.seed, every: DEFAULT_SETTINGS.every, budget: DEFAULT_SETTINGS.budget };

/** The settings as the command line makes them of the same options. */
export function settingsOf({ tables, seed, every, budget }: CorpusChoice): CorpusSettings {
  return { ...DEFAULT_SETTINGS, tables: TABLE_IDS.filter((id) => tables.includes(id)), seed, every, budget };
}

/** An id that one can choose: a bundled encoder's, or one that the user brought, whether or not it is still in this browser. */
function encoderOf(id: unknown): EncoderId | undefined {
  return typeof id === 'string' && isOwnId(id) ? id : ENCODERS.find((encoder) => encoder.id === id)?.id;
}

/** A saved choice; what is not understood is the default. */
export function choiceOf(saved: unknown): CorpusChoice {
  if (typeof saved !== 'object' || saved === null) return DEFAULT_CHOICE;
  const from = saved as Partial<Record<keyof CorpusChoice, unknown>>;
  const whole = (value: unknown, least: number, otherwise: number): number => (typeof value === 'number' && Number.isSafeInteger(value) && value >= least ? value : otherwise);
  const tables = Array.isArray(from.tables) ? TABLE_IDS.filter((id) => (from.tables as unknown[]).includes(id)) : DEFAULT_CHOICE.tables;
  return {
    chosen: Array.isArray(from.chosen) ? from.chosen.filter((id): id is string => typeof id === 'string') : null,
    encoder: encoderOf(from.encoder) ?? DEFAULT_CHOICE.encoder,
    tables: tables.length > 0 ? tables : DEFAULT_CHOICE.tables,
    seed: whole(from.seed, 0, DEFAULT_CHOICE.seed),
    every: whole(from.every, 1, DEFAULT_CHOICE.every),
    budget: whole(from.budget, 1000, DEFAULT_CHOICE.budget),
  };
}
