/** Words as LaTeX prints them: XeLaTeX, or pdfLaTeX with utf8 input. */
const SPECIAL: Record<string, string> = {
  '\\': '\\textbackslash{}', '&': '\\&', '%': '\\%', $: '\\$', '#': '\\#', _: '\\_', '{': '\\{', '}': '\\}', '~': '\\textasciitilde{}', '^': '\\textasciicircum{}',
  τ: '$\\tau$', σ: '$\\sigma$', Δ: '$\\Delta$', '−': '$-$', '–': '--', '≥': '$\\geq$', '≤': '$\\leq$', '·': '$\\cdot$', '…': '\\ldots{}', '’': "'", '“': '``', '”': "''", '₉': '$_9$', '₀': '$_0$',
};

/** Text for LaTeX; a control character is left out. */
export function latexText(text: string): string {
  return [...text].map((char) => (char < ' ' ? ' ' : (SPECIAL[char] ?? char))).join('');
}
