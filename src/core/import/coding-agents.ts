import { codex } from './codex';
import type { Format } from './format';
import { opencode } from './opencode';

/** Sessions that coding agents write on disk or export, one file a format (formats.md §2 to §4, §17, §18). */
export const CODING_AGENT_FORMATS: readonly Format[] = [codex, opencode];
