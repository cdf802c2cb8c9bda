/** A word or an operator of a shell line. */
export interface ShellToken { kind: 'word' | 'separator' | 'redirection'; text: string }

const OPERATOR = /&>>|&>|>>|>\||>&|<<<|<&|<|>|\|\||&&|\|&|\||&/y;
const HEREDOC = /<<-?[ \t]*(['"]?)([A-Za-z_][A-Za-z0-9_]*)\1([^\n]*)\n([\s\S]*?)(?:(?<![^\n])[ \t]*\2[ \t]*(?![^\n])|(?![\s\S]))/;

/** Takes the heredoc bodies out of a command; each leaves a word NUL index NUL in its place. */
export function splitHeredocs(command: string): { line: string; bodies: string[] } {
  const bodies: string[] = [];
  let line = command;
  for (;;) {
    const match = HEREDOC.exec(line);
    if (!match) return { line, bodies };
    bodies.push(match[4]!);
    line = `${line.slice(0, match.index)} \0${bodies.length - 1}\0 ${match[3]!}\n${line.slice(match.index + match[0].length)}`;
  }
}

/** Words (quotes removed), separators and redirections; an unterminated quote runs to the end. */
export function lexShell(line: string): ShellToken[] {
  const out: ShellToken[] = [];
  let word = '';
  let has = false;
  const push = (): void => {
    if (has) out.push({ kind: 'word', text: word });
    word = '';
    has = false;
  };
  for (let i = 0; i < line.length; ) {
    const c = line[i]!;
    if (c === '\\' && i + 1 < line.length) {
      if (line[i + 1] !== '\n') {
        word += line[i + 1]!;
        has = true;
      }
      i += 2;
    } else if (c === "'" || c === '"') {
      const [text, next] = quoted(line, i);
      word += text;
      has = true;
      i = next;
    } else if (c === '#' && !has) {
      const end = line.indexOf('\n', i);
      i = end < 0 ? line.length : end;
    } else if (c === ' ' || c === '\t' || c === '\r') {
      push();
      i++;
    } else if (';\n()'.includes(c)) {
      push();
      out.push({ kind: 'separator', text: c });
      i++;
    } else if ('|&<>'.includes(c)) {
      OPERATOR.lastIndex = i;
      const operator = OPERATOR.exec(line)![0];
      if ((c === '<' || c === '>') && /^\d+$/.test(word)) {
        // A file descriptor, not a word.
        word = '';
        has = false;
      }
      push();
      out.push({ kind: /[<>]/.test(operator) ? 'redirection' : 'separator', text: operator });
      i += operator.length;
    } else {
      word += c;
      has = true;
      i++;
    }
  }
  push();
  return out;
}

/** Text of a quoted string that opens at `start`, and the position after it. */
function quoted(line: string, start: number): [string, number] {
  const quote = line[start]!;
  let text = '';
  let i = start + 1;
  while (i < line.length && line[i] !== quote) {
    if (quote === '"' && line[i] === '\\' && i + 1 < line.length) i++;
    text += line[i]!;
    i++;
  }
  return [text, i + 1];
}
