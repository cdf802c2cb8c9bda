/** Hover cards are written without React: one must stand within 50 ms of the pointer, and nothing else changes. */
import type { Swatch } from '../../core/workspace/types';
import { swatchVariable } from '../../draw/palette';
import { SWATCH_LETTERS } from '../../core/layout/names';

/** Name, values, what they mean, and where the numbers come from (design.md "Charts"). */
export interface Card {
  title: string;
  swatch?: Swatch;
  rows: readonly (readonly [label: string, value: string])[];
  definition?: string;
  /** exact (tokenizer), measured (provider), estimated, stand-in, simulated … */
  source?: string;
  /** Text of a trace: shown as text, in the monospace font. */
  excerpt?: string;
}

function element(tag: string, className: string, text?: string): HTMLElement {
  const node = document.createElement(tag);
  node.className = className;
  if (text !== undefined) node.textContent = text;
  return node;
}

function fillCard(host: HTMLElement, card: Card): void {
  const title = element('div', 'card-title');
  if (card.swatch) {
    const mark = element('span', 'card-swatch');
    mark.style.background = `var(${swatchVariable(card.swatch)})`;
    title.append(mark, element('span', 'card-letter', SWATCH_LETTERS[card.swatch]));
  }
  title.append(element('span', 'card-name', card.title));
  const children: HTMLElement[] = [title];
  if (card.rows.length > 0) {
    const list = element('dl', 'card-rows');
    for (const [label, value] of card.rows) list.append(element('dt', '', label), element('dd', '', value));
    children.push(list);
  }
  if (card.excerpt) children.push(element('div', 'card-excerpt', card.excerpt));
  if (card.definition) children.push(element('div', 'card-definition', card.definition));
  if (card.source) children.push(element('div', 'card-source', card.source));
  host.replaceChildren(...children);
}

/** Beside the pointer, inside `bounds` (its offset parent), never under the pointer. */
function placeCard(host: HTMLElement, x: number, y: number, bounds: { width: number; height: number }): void {
  const { offsetWidth: width, offsetHeight: height } = host;
  const left = x + 16 + width <= bounds.width ? x + 16 : x - 16 - width;
  const top = Math.min(y + 16, bounds.height - height - 4);
  host.style.transform = `translate(${Math.round(Math.max(4, left))}px, ${Math.round(Math.max(4, top))}px)`;
}

export function showCard(host: HTMLElement, card: Card, x: number, y: number, bounds: { width: number; height: number }): void {
  fillCard(host, card);
  host.hidden = false;
  placeCard(host, x, y, bounds);
}
