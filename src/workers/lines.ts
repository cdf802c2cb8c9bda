import type { OpenLine } from './api';
import type { EncodingName } from '../core/trace/blocks-types';
import type { LineRef } from '../core/trace/model';
import { lineKey } from '../storage/rows';

/** Which line of which stored run, as sent between page and worker. */
export interface LineAddress { runId: string; line: LineRef; encoding: EncodingName }

export function addressKey({ runId, line, encoding }: LineAddress): string {
  return `${runId} ${lineKey(line)} ${encoding}`;
}

export function addressOf(line: OpenLine): LineAddress {
  return { runId: line.runId, line: line.line, encoding: line.blocks.encoding };
}
