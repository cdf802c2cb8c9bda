import { columnsOf } from './trace-reader';
import { parseTrace } from './trace';
import type { FinishedImport } from '../storage/repository';

/** A finished import of one made-up run, as the import service hands it to storage. */
export function finishedImport(fileId: string, name = 'run.jsonl', sizeBytes = 10): FinishedImport {
  const messages = parseTrace('user: hello\nassistant: hi');
  const usage = { input: null, cachedInput: null, cacheWrite: null, output: null, reasoning: null };
  const id = `${fileId}#0`;
  return {
    file: {
      id: fileId, name, sizeBytes, format: 'pi', addedMs: 1,
      report: {
        file: name, bytes: sizeBytes, sha256: fileId, format: 'pi', formatTitle: 'pi', formatConfidence: 'certain', container: 'none', records: 2, recordKinds: {},
        badRecords: [], badRecordCount: 0, unknownRecords: {}, warnings: [], messages: 2, toolCalls: 0, toolResults: 0, matchedPairs: 0, usage,
      },
    },
    runs: [{
      id, fileId, indexInFile: 0, name, fileName: name, format: 'pi', model: null, steps: 1, messages: 2, threads: 1, peakTokens: null, sizeBytes,
      createdMs: null, addedMs: 1, pinned: false, example: false,
    }],
    trajectories: [{
      id, indexInFile: 0, name, format: 'pi', events: [], warnings: [], usage, columns: columnsOf(messages),
      threads: [{ id: 'main', tools: [], main: Uint32Array.of(0, 1), branches: [], countsReasoning: true }],
    }],
  };
}
