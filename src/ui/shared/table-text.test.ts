import { describe, expect, it } from 'vitest';
import { fileName } from './download';
import { toCsv, toLatex, toMarkdown, toTsv } from './table-text';

const ROWS = [['id', 'text', 'tokens'], ['B1', 'a,"b"\nc\td', 25139], ['B2', '=HYPERLINK("x")', null], ['B3', 'x | y \\', NaN]] as const;

describe('tables as text', () => {
  it('TSV keeps one line a row', () => {
    expect(toTsv(ROWS)).toBe('id\ttext\ttokens\nB1\ta,"b" c d\t25139\nB2\t=HYPERLINK("x")\t\nB3\tx | y \\\t\n');
  });

  it('CSV quotes and lets no cell be a formula; numbers may be negative', () => {
    expect(toCsv(ROWS)).toBe('id,text,tokens\r\nB1,"a,""b""\nc\td",25139\r\nB2," =HYPERLINK(""x"")",\r\nB3,x | y \\,\r\n');
    expect(toCsv([['-3.5', -2, '-rm', '+1']])).toBe('-3.5,-2," -rm"," +1"\r\n');
  });

  it('Markdown escapes pipes and aligns numbers', () => {
    expect(toMarkdown(ROWS)).toBe('| id | text | tokens |\n| --- | --- | ---: |\n| B1 | a,"b" c\td | 25139 |\n| B2 | =HYPERLINK("x") | – |\n| B3 | x \\| y \\\\ | – |\n');
  });

  it('LaTeX escapes what it reads as commands', () => {
    const text = toLatex([['policy', 'share_%'], ['a&b', 12.5], ['c{d}', null]], '5 % of B');
    expect(text).toContain('\\caption{5 \\% of B}\n\\begin{tabular}{lr}\n\\toprule\npolicy & share\\_\\% \\\\\n\\midrule\na\\&b & 12.5 \\\\\nc\\{d\\} & -- \\\\\n\\bottomrule');
  });

  it('file names hold no path', () => {
    expect(fileName('Effective rank', 'step', 12)).toBe('effective-rank-step-12');
    expect(fileName('../../ r₉₀ / n')).toBe('..-..-r90-n');
    expect(fileName('…')).toBe('...');
  });
});
