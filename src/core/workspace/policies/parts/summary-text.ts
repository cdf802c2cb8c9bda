/**
 * Stand-in summaries (policies.md): extracts of the blocks in order, cut so that the whole stays within a length. No
 * model; the same blocks give the same words.
 */
import { KIND } from '../../kinds';
import type { Workspace } from '../../workspace';
import { cutWords, isErrorBlock, speakerOf, toolOf, wordsOf } from './block-words';

/** `detail`: the gist of each block; `bullets`: its first words; `sections`: goal, files, results, errors, open questions. */
export type SummaryForm = 'detail' | 'bullets' | 'sections';
export interface SummaryWords { text: string; tokens: number }

/** Text that a token stands for at least, mostly; a summary that is still too long is cut again by its count. */
const CHARACTERS_PER_TOKEN = 3.5;
/** A line below this says nothing: rather fewer blocks, evenly chosen. */
const SHORTEST_LINE = 48;
const BULLET = 64;

export function summaryText(ws: Workspace, items: readonly number[], limit: number, heading: string, form: SummaryForm = 'detail'): SummaryWords {
  const room = Math.max(SHORTEST_LINE, Math.floor(limit * CHARACTERS_PER_TOKEN) - heading.length);
  const body = form === 'sections' ? [sections(ws, items, room, heading)] : lines(ws, items, room, heading, form === 'bullets' ? BULLET : Infinity);
  // One join: each further step would copy the whole once more.
  return within(ws, [heading, ...(body.length > 0 ? body : [''])].join('\n'), limit);
}

/** The longest beginning found that has at most `limit` tokens; at least the first word or two. */
export function within(ws: Workspace, text: string, limit: number): SummaryWords {
  let cut = text;
  let tokens = ws.setup.count(cut);
  while (tokens > limit && cut.length > 8) {
    cut = cutWords(cut, Math.max(8, Math.floor(cut.length * Math.min(0.9, limit / tokens))));
    tokens = ws.setup.count(cut);
  }
  return { text: cut, tokens };
}

function lines(ws: Workspace, items: readonly number[], room: number, heading: string, longest = Infinity): string[] {
  const told = evenly(items.filter((item) => wordsOf(ws, item) !== ''), Math.max(1, Math.floor(room / SHORTEST_LINE)));
  const each = Math.min(longest, Math.floor(room / Math.max(1, told.length)));
  // An earlier summary holds many blocks: it may use what the short ones leave.
  let spare = 0;
  const short = told.map((item) => {
    const line = speakerOf(ws, item) + withoutHeading(wordsOf(ws, item), heading);
    if (ws.columns.kind.get(item) !== KIND.summary) spare += Math.max(0, each - line.length - 1);
    return line;
  });
  return short.map((line, k) => cutWords(line, ws.columns.kind.get(told[k] ?? 0) === KIND.summary ? each + spare : each));
}

/** A summary that is written again keeps one heading: else a running one would be little but headings after a while. */
const withoutHeading = (words: string, heading: string): string => (words.startsWith(`${heading}\n`) ? words.slice(heading.length + 1) : words);

/** CAT's structured memory: what was asked, touched, found, failed and left open. */
function sections(ws: Workspace, items: readonly number[], room: number, heading: string): string {
  const part = (title: string, chosen: readonly number[], shareOfRoom: number): string =>
    chosen.length === 0 ? '' : `${title}:\n${lines(ws, chosen, Math.floor(room * shareOfRoom), heading).join('\n')}`;
  const of = (kind: number): number[] => items.filter((item) => ws.columns.kind.get(item) === kind);
  const results = of(KIND.tool_result);
  const files = [...new Set(items.flatMap((item) => wordsOf(ws, item).match(PATH) ?? []))];
  return [
    part('Earlier memory', of(KIND.summary), 0.3),
    part('Goal and constraints', of(KIND.user), 0.15),
    part('Plan and decisions', of(KIND.assistant), 0.2),
    files.length === 0 ? '' : cutWords(`Files touched: ${files.join(' ')}`, Math.floor(room * 0.1)),
    part('Results', results.filter((item) => !isErrorBlock(ws, item)).filter((item) => toolOf(ws, item) !== ''), 0.15),
    part('Errors', results.filter((item) => isErrorBlock(ws, item)), 0.1),
  ].filter((text) => text !== '').join('\n');
}

const PATH = /(?<![\w./-])(?:\.{0,2}\/)?(?:[\w@.-]+\/)+[\w@.-]*\w/g;

/** At most `count` of the items, evenly spread, the last one always among them. */
function evenly(items: readonly number[], count: number): readonly number[] {
  if (items.length <= count) return items;
  return Array.from({ length: count }, (_, k) => items[Math.floor(((k + 1) * items.length) / count) - 1] ?? 0);
}
