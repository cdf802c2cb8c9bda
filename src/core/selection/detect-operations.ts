import type { ToolCallPart } from '../trace/model';
import { pythonWrites } from './python-writes';
import { shellOperations } from './shell-operations';
import { asObject, normalisePath, parsedArguments, PATH_KEYS, pathKey } from './tool-arguments';

/** A detected touch of a file: possible evidence, not proof (gem.md §7). `path` in brackets groups what has no path. */
export interface FileOperation { role: 'write' | 'read'; path: string; rule: string }

const WRITE_TOOL = /edit|write|create|str_replace|apply_patch|multi_?edit|insert|notebook_?edit|move|rename|delete|save/i;
const READ_TOOL = /read|view|open_file/i;
const SHELL_TOOL = /bash|shell|sh$|terminal/i;
const SHELL_KEYS = ['command', 'cmd', 'script'];
const CODE_KEYS = ['code'];
const PATCH_HEADER = /(?<![^\n])(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |\+\+\+ b\/|--- a\/|diff --git a\/)(\S[^\n]*)/g;

/** Writes and reads of one call: by tool name and path, by shell text, by Python code. Write wins over read. */
export function callOperations(call: ToolCallPart): FileOperation[] {
  const parsed = parsedArguments(call);
  const args = asObject(parsed) ?? {};
  const operations: FileOperation[] = [];
  const paths = namedPaths(args);
  if (paths.length > 0) {
    const role = WRITE_TOOL.test(call.name) ? 'write' : READ_TOOL.test(call.name) ? 'read' : null;
    if (role) operations.push(...paths.map((path): FileOperation => ({ role, path, rule: `tool ${call.name}` })));
  }
  const shell = typeof parsed === 'string' ? (SHELL_TOOL.test(call.name) ? parsed : null) : shellText(args);
  if (shell !== null) operations.push(...shellOperations(shell));
  for (const key of CODE_KEYS) {
    const code = args[key];
    if (typeof code === 'string') operations.push(...pythonWrites(code));
  }
  return operations;
}

function namedPaths(args: Record<string, unknown>): string[] {
  const paths: string[] = [];
  for (const [key, value] of Object.entries(args)) {
    if (PATH_KEYS.has(pathKey(key)) && typeof value === 'string' && value !== '') paths.push(normalisePath(value));
  }
  if (paths.length === 0) {
    for (const value of Object.values(args)) {
      if (typeof value !== 'string') continue;
      for (const match of value.matchAll(PATCH_HEADER)) {
        if (match[1] !== '/dev/null') paths.push(normalisePath(match[1]!.split(' b/')[0]!));
      }
    }
  }
  return [...new Set(paths)];
}

function shellText(args: Record<string, unknown>): string | null {
  for (const key of SHELL_KEYS) {
    const value = args[key];
    if (typeof value === 'string') return value;
    if (Array.isArray(value)) {
      const words = value.map(String);
      const flag = words[words.length - 2];
      return flag === '-c' || flag === '-lc' ? words[words.length - 1]! : words.join(' ');
    }
  }
  return null;
}
