import type { ContentPart, Part } from '../trace/model';

/** A text to look for lexemes in; `value` = one argument of a call, which counts as a quoted literal too. */
export interface EvidenceText { text: string; value: boolean }

/** What a block holds: every text of its parts, arguments as their decoded values (so that `\n` is a line end again). */
export function heldTexts(parts: readonly Part[]): EvidenceText[] {
  return parts.flatMap((part): EvidenceText[] => {
    switch (part.type) {
      case 'tool_call':
        return part.fenced ? [] : argumentTexts(part.args);
      case 'tool_result':
        return part.content.flatMap(contentTexts);
      case 'reasoning':
        return said(part.text);
      default:
        return contentTexts(part);
    }
  });
}

/** What an action asks for: the arguments of its calls and its text; not its reasoning, not the names of its tools. */
export function actionTexts(parts: readonly Part[]): EvidenceText[] {
  return parts.flatMap((part): EvidenceText[] => {
    if (part.type === 'tool_call') return part.fenced ? [] : argumentTexts(part.args);
    return part.type === 'text' ? said(part.text) : [];
  });
}

function contentTexts(part: ContentPart): EvidenceText[] {
  return part.type === 'text' ? said(part.text) : part.type === 'other' ? said(part.raw) : [];
}

const said = (text: string): EvidenceText[] => (text === '' ? [] : [{ text, value: false }]);

/** Every string and number in the arguments, without their keys: the keys are the tool's words, not the agent's. */
function argumentTexts(args: string): EvidenceText[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(args);
  } catch {
    return said(args);
  }
  const texts: EvidenceText[] = [];
  const stack: unknown[] = [parsed];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string') texts.push({ text: value, value: true });
    else if (typeof value === 'number') texts.push({ text: String(value), value: false });
    else if (typeof value === 'object' && value !== null) for (const inner of (Object.values(value) as unknown[]).reverse()) stack.push(inner);
  }
  return texts;
}
