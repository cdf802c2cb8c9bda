import type { ToolResultPart } from '../trace/model';
import { headOf, offsetOfCodePoint, offsetOfTail } from './code-points';

/** Lines that start within the first or last so many code points of a result are looked at. */
const EDGE = 2_000;
/** … and of each line so many code points. */
const LINE_LIMIT = 300;

const ERROR_LINE =
  /^(?:[ \t]*Traceback \(most recent call last\)|[ \t]*(?:Uncaught )?[\w.$]*(?:Error|Exception)(?: \[[^\]]*\])?:|(?:fatal|error|panic|FATAL|ERROR)(?:\[[^\]]*\])?:|(?:FAILED|FAIL)\b|[^\n]{1,200}: (?:No such file or directory|Permission denied|command not found|not found)$)/u;

/** Why a block counts as a fresh error: recorded flag, exit code, or the line that says so; null = no error (gem.md §7). */
export function errorRule(results: readonly ToolResultPart[], texts: readonly string[]): string | null {
  for (const result of results) {
    if (result.isError) return 'the tool reported an error';
    if (result.exitCode) return `exit code ${result.exitCode}`;
  }
  for (const text of texts) {
    const line = errorLine(text);
    if (line !== null) return `the result says “${line}”`;
  }
  return null;
}

function errorLine(text: string): string | null {
  const headEnd = offsetOfCodePoint(text, EDGE);
  const tailStart = offsetOfTail(text, EDGE);
  for (let start = 0; start <= text.length; ) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end;
    if (start < headEnd || start >= tailStart) {
      const match = ERROR_LINE.exec(headOf(text.slice(start, stop), LINE_LIMIT));
      if (match) return headOf(match[0].trim(), 40);
    }
    if (end < 0) break;
    // Skip the middle of a long result at once.
    start = stop + 1;
    if (start >= headEnd && start < tailStart) {
      const next = text.indexOf('\n', tailStart - 1);
      if (next < 0) break;
      start = next + 1;
    }
  }
  return null;
}
