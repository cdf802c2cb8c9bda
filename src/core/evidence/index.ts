/** Evidence lineage (evidence.md §1): what each action demonstrably used. */
export { analyseLine } from './analyse';
export type { LineAnalysis, LineReader } from './analyse';
export { EvidenceBuilder } from './evidence-builder';
export { lexemesOf } from './lexemes';
export { demandsOfStep, usersOfBlock } from './lineage';
export type { BlockUse, Demand, DemandSource } from './lineage';
export type { EvidenceIndex } from './types';
