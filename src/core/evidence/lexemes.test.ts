import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lexemesOf, MAX_LEXEME, scanLexemes, scanLines } from './lexemes';
import { LEXEME_PATTERN } from './lexeme-pattern';

describe('lexemes', () => {
  it.each<[string, string[]]>([
    ['open src/core/app.ts:120 please', ['src/core/app.ts', 'app.ts', '120']],
    ['see https://x.org/a/b_c?q=1#z.', ['https://x.org/a/b_c?q=1#z', 'x.org']],
    ['/etc/hosts ./run.sh ~/notes/2024.md ../up', ['/etc/hosts', './run.sh', 'run.sh', '~/notes/2024.md', '2024.md', '2024', '../up']],
    ['bob@example.com and @scope/pkg', ['bob@example.com', '@scope/pkg']],
    ['os.path.join_all', ['os.path.join_all', 'join_all']],
    ['snake_case camelCase PascalCase kebab-case x1y2 --max-width', ['snake_case', 'camelCase', 'PascalCase', 'kebab-case', 'x1y2', 'max-width']],
    ['12 123 4567 1.2.3', ['123', '4567', '1.2.3']],
    ['0x1f9a deadbeef42 d41d8cd98f00b204e9800998ecf8427e', ['0x1f9a', 'deadbeef42', 'd41d8cd98f00b204e9800998ecf8427e']],
    ['ENOENT EACCES SIGKILL TS2345 HELLO', ['ENOENT', 'EACCES', 'SIGKILL', 'TS2345']],
    ['say "two words" and `a b c` or \'x y z\'', ['two words', 'a b c', 'x y z']],
    ["don't take it's \"abc\" or \"a", []],
    ['plain Words only, and/or none. Really', []],
    ['café_über 漢字', ['café_über']],
    ['', []],
  ])('of %j', (text, expected) => expect(lexemesOf(text)).toEqual(expected));

  it('keeps case', () => expect(lexemesOf('Foo_Bar foo_bar')).toEqual(['Foo_Bar', 'foo_bar']));

  it('can leave the parts of a compound out', () => expect(lexemesOf('src/core/app.ts', false)).toEqual(['src/core/app.ts']));

  it('takes data for what it is', () => expect(lexemesOf(`${'a1b2/'.repeat(400)} x_y_z`)).toEqual(['x_y_z']));

  it('finds what a regular expression finds in ordinary text', () => {
    const text = 'In src/app/main.ts the call load_config(42) fails with ENOENT for /etc/app/config.json; see https://docs.example.org/errors and "no such file".';
    const found = new Set(lexemesOf(text));
    const matched = [...text.matchAll(LEXEME_PATTERN)].map((m) => m[0].replace(/^"|"$/g, '')).filter((l) => l.length >= 4);
    expect(matched.length).toBeGreaterThan(5);
    for (const lexeme of matched) expect(found).toContain(lexeme);
  });

  it('never leaves the text, and does a bounded amount of work a character', () => {
    const piece = fc.constantFrom('/', '.', '-', '@', '~', ':', '://', '?', '"', "'", '`', '\\', '\n', ' ', 'a', 'B', '7', '_', 'é', '漢', '😀', 'abc/');
    fc.assert(fc.property(fc.array(piece, { maxLength: 200 }).map((p) => p.join('')), (text) => {
      let characters = 0;
      scanLexemes(text, (source, from, to) => {
        expect(from >= 0 && to <= source.length && to - from >= 3 && to - from <= MAX_LEXEME).toBe(true);
        characters += to - from;
        return false;
      });
      // Path, component, word, and a quoted literal around them.
      expect(characters).toBeLessThanOrEqual(4 * text.length);
    }), { numRuns: 1000 });
  });
});

describe('copied lines', () => {
  const linesOf = (text: string): string[] => {
    const found: string[] = [];
    scanLines(text, (source, from, to) => found.push(source.slice(from, to)));
    return found;
  };
  const code = 'const answer = computeTheAnswer(question);';

  it('are found without numbers, signs and indentation', () => {
    expect(linesOf([code, `   12\t${code}`, `    7→  ${code}`, `+  ${code}`, `- ${code}`, `33:${code}  `].join('\n'))).toEqual(Array(6).fill(code));
  });

  it('have at least 32 characters', () => {
    expect(linesOf(`${'x'.repeat(31)}\n${'y'.repeat(32)}`)).toEqual(['y'.repeat(32)]);
  });
});
