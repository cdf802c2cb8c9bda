import type { FileOperation } from './detect-operations';
import { pythonWrites } from './python-writes';
import { lexShell, splitHeredocs } from './shell-lexer';
import { baseName, normalisePath } from './tool-arguments';

const OUTPUT_OPERATORS = new Set(['>', '>>', '>|', '&>', '&>>']);
const PREFIX_WORDS = new Set(['sudo', 'time', 'nohup', 'env', 'command', 'exec', 'then', 'do', 'else', '{', '!']);
const GIT_WRITES = new Set(['apply', 'am', 'checkout', 'restore', 'reset', 'stash', 'commit', 'merge', 'rebase', 'cherry-pick']);
const INSTALLERS = new Set(['pip', 'pip3', 'npm', 'pnpm', 'yarn', 'bun', 'apt', 'apt-get', 'brew', 'cargo', 'gem', 'conda', 'poetry', 'uv']);
const INSTALL_WORDS = new Set(['install', 'add', 'i', 'ci', 'remove', 'uninstall']);
const FILE_COMMANDS = new Set(['rm', 'mkdir', 'touch', 'ln', 'chmod', 'install', 'patch', 'truncate']);
const READERS = new Set(['cat', 'head', 'tail', 'less']);
const PYTHONS = new Set(['python', 'python3', 'python2', 'ipython']);
const HEREDOC_WORD = /^\0(\d+)\0$/;

interface Command { name: string; args: string[]; flags: string[]; rest: string[]; heredocs: string }

/** Writes and reads of a shell text (gem.md §7); heredoc bodies are not shell. */
export function shellOperations(command: string): FileOperation[] {
  const { line, bodies } = splitHeredocs(command);
  const operations: FileOperation[] = [];
  let words: string[] = [];
  let targets: [string, string][] = [];
  let pending: string | null = null;
  for (const token of [...lexShell(line), { kind: 'separator', text: ';' } as const]) {
    if (token.kind === 'redirection') {
      pending = token.text;
    } else if (token.kind === 'word') {
      if (pending === null) words.push(token.text);
      else targets.push([pending, token.text]);
      pending = null;
    } else {
      operations.push(...redirections(targets), ...simpleCommand(words, bodies));
      words = [];
      targets = [];
    }
  }
  return operations;
}

function redirections(targets: readonly [string, string][]): FileOperation[] {
  return targets
    .filter(([operator, target]) => OUTPUT_OPERATORS.has(operator) && target !== '' && !target.startsWith('/dev/') && !target.includes('\0'))
    .map(([operator, target]) => write(normalisePath(target), `shell ${operator}`));
}

const write = (path: string, rule: string): FileOperation => ({ role: 'write', path, rule });
const writes = (paths: readonly string[], rule: string): FileOperation[] => paths.map((path) => write(normalisePath(path), rule));
const reads = (paths: readonly string[], rule: string): FileOperation[] => paths.map((path) => ({ role: 'read', path: normalisePath(path), rule }));

function simpleCommand(words: readonly string[], bodies: readonly string[]): FileOperation[] {
  let start = 0;
  while (start < words.length && (/^[A-Za-z_]\w*=/.test(words[start]!) || PREFIX_WORDS.has(words[start]!))) start++;
  if (start === words.length) return [];
  const args = words.slice(start + 1);
  const command: Command = {
    name: baseName(words[start]!),
    args,
    flags: args.filter((word) => word.startsWith('-')),
    rest: args.filter((word) => !word.startsWith('-') && !word.includes('\0')),
    heredocs: args.flatMap((word) => bodies[Number(HEREDOC_WORD.exec(word)?.[1] ?? -1)] ?? []).join('\n'),
  };
  return [...fileCommand(command), ...(PYTHONS.has(command.name) ? pythonCommand(command) : [])];
}

function fileCommand(command: Command): FileOperation[] {
  const { name, rest } = command;
  if (name === 'tee') return writes(rest, 'shell tee');
  if (name === 'sed') return sed(command);
  if (name === 'perl') return command.flags.some((flag) => /^-[a-zA-Z0-9]*i/.test(flag)) ? writes(rest.slice(1), 'shell perl -i') : [];
  if (name === 'cp' || name === 'mv') {
    if (rest.length < 2) return [];
    const target = writes(rest.slice(-1), `shell ${name}`);
    return name === 'mv' ? [...target, ...writes(rest.slice(0, -1), 'shell mv')] : target;
  }
  if (FILE_COMMANDS.has(name)) return pathCommand(command);
  if (name === 'git') return git(command);
  if (INSTALLERS.has(name) && rest.some((word) => INSTALL_WORDS.has(word))) return [write('(packages)', `package ${name}`)];
  if (READERS.has(name)) return reads(rest.filter((word) => !/^\d+$/.test(word)), `shell ${name}`);
  return [];
}

function sed({ flags, rest }: Command): FileOperation[] {
  const scriptGiven = flags.some((flag) => /^(?:-[a-zA-Z]*[ef]$|--expression|--file)/.test(flag));
  const paths = scriptGiven && !flags.includes('-e') && !flags.includes('-f') ? rest : rest.slice(1);
  if (flags.some((flag) => /^(?:-[a-zA-Z]*i|--in-place)/.test(flag))) return writes(paths, 'shell sed -i');
  return flags.some((flag) => /^-[a-zA-Z]*n/.test(flag)) ? reads(paths, 'shell sed -n') : [];
}

function pathCommand({ name, args, rest }: Command): FileOperation[] {
  let targets = name === 'chmod' ? rest.slice(1) : name === 'ln' || name === 'install' ? rest.slice(-1) : rest;
  const size = args.indexOf('-s');
  if (name === 'truncate' && size >= 0) targets = targets.filter((path) => path !== args[size + 1]);
  return targets.length > 0 ? writes(targets, `shell ${name}`) : [write(`(${name})`, `shell ${name}`)];
}

function git({ args, rest }: Command): FileOperation[] {
  const action = rest[0] ?? '';
  if (!GIT_WRITES.has(action)) return [];
  const named = args.includes('--') ? args.slice(args.indexOf('--') + 1) : [];
  return named.length > 0 ? writes(named, `git ${action}`) : [write('(git)', `git ${action}`)];
}

function pythonCommand({ args, rest, heredocs }: Command): FileOperation[] {
  const out: FileOperation[] = [];
  const viaModule = args.includes('-m') && args.includes('pip') && args.includes('install');
  if ((rest[0] === 'pip' && rest[1] === 'install') || viaModule) out.push(write('(packages)', 'package python -m pip'));
  const inline = args.includes('-c') ? args[args.indexOf('-c') + 1] : undefined;
  const code = inline === undefined ? heredocs : `${heredocs}\n${inline}`;
  return code.trim() === '' ? out : [...out, ...pythonWrites(code)];
}
