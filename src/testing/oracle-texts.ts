import { readFileSync } from 'node:fs';
import { bytesSource } from '../core/base/byte-source';
import { importSource } from '../core/import/import-source';
import { createTraceReader } from '../core/import/reader';
import { blockRecord } from '../core/selection/block-record';
import { actionText, finalText, goalText, stateQueryText } from '../core/selection/texts';
import { interactionBlocks } from '../core/trace/interaction';
import { rowsOfLine } from '../core/trace/line';
import type { Message } from '../core/trace/model';
import { oracleJson } from './oracles';
import { sharedPath } from './shared';

/** What blocks.json says of a run, as far as texts and vectors need it. */
export interface OracleBlocks {
  file: string;
  trajectory: number;
  blocks: number;
  checkpoints: number[];
  rows: { sha256: string; wordpiece: number }[];
}

/** Our own texts of a run with reference vectors, in the order of the rows of each vector file. */
export interface OracleTexts {
  blocks: string[];
  actions: string[];
  queries: string[];
  /** Goals at the checkpoints, then the last goal, then the final text. */
  goalFinal: string[];
}

export const oracleBlocks = (run: string): OracleBlocks => oracleJson<OracleBlocks>('runs', run, 'blocks.json');

/** Imports the sample file behind a run and builds its texts. Throws what the importer throws. */
export async function oracleTexts(run: string): Promise<OracleTexts> {
  const { file, trajectory: index, checkpoints } = oracleBlocks(run);
  const source = bytesSource(file, readFileSync(sharedPath('trajectories', file)));
  const { trajectories } = await importSource(source);
  const trajectory = trajectories[index];
  const thread = trajectory?.threads[0];
  if (trajectory === undefined || thread === undefined) throw new Error(`${file} has no trajectory ${index}.`);
  const messages: Message[] = [];
  await createTraceReader(source, trajectory).readMessages(rowsOfLine(trajectory, { thread: thread.id }), (message) => void messages.push(message));
  const { blocks } = interactionBlocks(messages);
  const texts = blocks.map((positions, i) => blockRecord(i, positions.flatMap((at) => messages[at] ?? []), () => 0).text);
  // The next action at checkpoint n is the assistant message of block n.
  const next = checkpoints.flatMap((n) => blocks[n]?.[0] ?? []);
  return {
    blocks: texts,
    actions: next.flatMap((at) => (messages[at] === undefined ? [] : [actionText(messages[at])])),
    queries: next.map((at) => stateQueryText(messages, at)),
    goalFinal: [...next.map((at) => goalText(messages, at)), goalText(messages, messages.length), finalText(messages)],
  };
}
