import { ContextscopeError } from '../core/base/errors';
import type { ImportProgress } from '../core/import/types';

/** Where a command prints: results to standard output, everything else to standard error. */
export interface Output {
  print(text: string): void;
  /** A piece of a longer output, as it is. */
  write(piece: string): void;
  /** One line on standard error; with `json` also the error object on standard output. */
  fail(error: unknown, json: boolean): void;
  /** A callback that shows progress, on a terminal only. */
  progress(label: string): (progress: ImportProgress) => void;
  exitCode(error: unknown): number;
}

const EXIT: Partial<Record<ContextscopeError['code'], number>> = { 'bad-argument': 2, 'unknown-format': 3 };

export function consoleOutput(stdout: NodeJS.WriteStream = process.stdout, stderr: NodeJS.WriteStream = process.stderr): Output {
  return {
    print: (text) => void stdout.write(text.endsWith('\n') ? text : `${text}\n`),
    write: (piece) => void stdout.write(piece),
    fail(error, json) {
      const message = error instanceof Error ? error.message : String(error);
      stderr.write(`contextscope: ${message.replaceAll('\n', ' ')}\n`);
      if (json) stdout.write(`${JSON.stringify({ error: errorObject(error, message) })}\n`);
    },
    progress(label) {
      if (!stderr.isTTY) return () => undefined;
      let shown = 0;
      return ({ bytesRead, bytesTotal }) => {
        const now = Date.now();
        if (now - shown < 100 && bytesRead < bytesTotal) return;
        shown = now;
        stderr.write(`\r${label} ${Math.round((100 * bytesRead) / Math.max(1, bytesTotal))} %${bytesRead >= bytesTotal ? '\n' : ''}`);
      };
    },
    exitCode: (error) => (error instanceof ContextscopeError ? (EXIT[error.code] ?? 1) : 1),
  };
}

function errorObject(error: unknown, message: string): Record<string, unknown> {
  if (!(error instanceof ContextscopeError)) return { code: 'internal', message, file: null };
  const { file, line, byteOffset } = error.place;
  return { code: error.code, message, file: file ?? null, ...(line === undefined ? {} : { line }), ...(byteOffset === undefined ? {} : { byteOffset }) };
}
