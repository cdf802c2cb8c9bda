import { amp } from './amp';
import { antigravityCli } from './antigravity-cli';
import { claudeStream } from './claude-stream';
import { cline } from './cline';
import { clineUi } from './cline-ui';
import { codex } from './codex';
import { codexExec } from './codex-exec';
import { copilotCli } from './copilot-cli';
import { cursorAgent } from './cursor-agent';
import { cursorComposer } from './cursor-composer';
import { cursorMarkdown } from './cursor-markdown';
import { droid } from './droid';
import type { Format } from './format';
import { geminiCli } from './gemini-cli';
import { goose } from './goose';
import { grokBuild } from './grok-build';
import { iflowCli } from './iflow-cli';
import { kimiCli } from './kimi-cli';
import { kiro } from './kiro';
import { opencode } from './opencode';
import { opencodeStore } from './opencode-store';
import { qwenCode } from './qwen-code';
import { workbuddy } from './workbuddy';

/** Sessions that coding agents write on disk or export, one file a format (formats.md §2 to §4, §17, §18). */
export const CODING_AGENT_FORMATS: readonly Format[] = [
  amp, antigravityCli, claudeStream, cline, clineUi, codex, codexExec, copilotCli, cursorAgent, cursorComposer, cursorMarkdown, droid, geminiCli,
  goose, grokBuild, iflowCli, kimiCli, kiro, opencode, opencodeStore, qwenCode, workbuddy,
];
