/** Really runs the commands of a scripted agent in a fresh copy of `project/` and records what they printed. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One turn of a scripted agent: what it says and the commands it runs (several = parallel calls). */
export interface Turn {
  say: string;
  think?: string;
  run?: string[];
}
export interface Outcome { command: string; output: string; exitCode: number }

/** Where the paths in the records point, whatever folder the commands really ran in. */
const HOME = '/home/dev/tally';

export class Project {
  readonly #dir = realpathSync(mkdtempSync(join(tmpdir(), 'tally-')));

  constructor() {
    cpSync(new URL('project', import.meta.url), this.#dir, { recursive: true });
    this.run('node data/generate.js && git init -q -b main && git add -A && git commit -qm "tally 2.4.1"');
  }

  run(command: string): Outcome {
    const fixed = { GIT_AUTHOR_DATE: '2026-04-01T09:00:00Z', GIT_COMMITTER_DATE: '2026-04-01T09:00:00Z' };
    const who = { GIT_AUTHOR_NAME: 'dev', GIT_AUTHOR_EMAIL: 'dev@tally.example', GIT_COMMITTER_NAME: 'dev', GIT_COMMITTER_EMAIL: 'dev@tally.example' };
    const env = { PATH: process.env['PATH'], HOME: this.#dir, LANG: 'C', NO_COLOR: '1', TZ: 'UTC', ...fixed, ...who };
    const done = spawnSync('bash', ['-c', `${command}`], { cwd: this.#dir, env, encoding: 'utf8', maxBuffer: 1 << 26 });
    return { command, output: this.#settle(done.stdout + done.stderr), exitCode: done.status ?? 1 };
  }

  remove(): void {
    rmSync(this.#dir, { recursive: true, force: true });
  }

  /** Takes out what differs from one machine or minute to the next, so that making the examples again changes nothing. */
  #settle(text: string): string {
    return text
      .replaceAll(this.#dir, HOME)
      .replace(/duration_ms:? [\d.]+/g, 'duration_ms 1.0')
      .replace(/^Node\.js v.*$/gm, 'Node.js v20')
      .replace(/^.*node:internal.*\n/gm, '')
      .trimEnd();
  }
}
