import { ContextscopeError } from '../core/base/errors';
import type { TraceReader } from '../core/import/types';
import type { Part } from '../core/trace/model';
import type { SearchHit, SearchQuery } from './api';

/** Characters of context on each side of a hit. */
const AROUND = 60;

/** The text of a part that is searched; `SearchHit.offset` counts in it. A call: its name, a line feed, its arguments. */
function searchableText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text;
    case 'tool_call':
      return `${part.name}\n${part.args}`;
    case 'tool_result':
      return part.content.map((content) => (content.type === 'text' ? content.text : content.type === 'other' ? content.raw : '')).join('\n');
    case 'other':
      return part.raw;
    case 'image':
      return '';
  }
}

/** Rejects 'bad-argument' for a pattern that is none. */
function searchPattern({ text, regex, caseSensitive }: SearchQuery): RegExp {
  const source = regex ? text : text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  try {
    return new RegExp(source, caseSensitive ? 'gm' : 'gim');
  } catch (error) {
    throw new ContextscopeError('bad-argument', `The search text is not a regular expression: ${error instanceof Error ? error.message : String(error)}. Switch off “regex” to search for it as it is.`);
  }
}

/**
 * Every hit in the messages of `rows`, in order, at most `limit`. Reads the source again instead of keeping texts:
 * linear in the bytes of the line.
 */
export async function searchMessages(reader: TraceReader, rows: ArrayLike<number>, query: SearchQuery, signal?: AbortSignal): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  if (query.text === '' || query.limit <= 0) return hits;
  const pattern = searchPattern(query);
  const enough = new AbortController();
  try {
    await reader.readMessages(
      rows,
      (message) => {
        if (query.role !== undefined && message.role !== query.role) return;
        for (const [partIndex, part] of message.parts.entries()) {
          const text = searchableText(part);
          for (const match of text.matchAll(pattern)) {
            if (match[0] === '') continue;
            hits.push({ messageIndex: message.index, partIndex, offset: match.index, length: match[0].length, excerpt: excerptOf(text, match.index, match[0].length) });
            if (hits.length >= query.limit) return enough.abort();
          }
        }
      },
      signal ? AbortSignal.any([signal, enough.signal]) : enough.signal,
    );
  } catch (error) {
    if (!enough.signal.aborted || signal?.aborted) throw error;
  }
  return hits.slice(0, query.limit);
}

/** One line around the hit; `…` where it was cut. */
function excerptOf(text: string, offset: number, length: number): string {
  const from = Math.max(0, offset - AROUND);
  const to = Math.min(text.length, offset + Math.min(length, AROUND * 2) + AROUND);
  return `${from > 0 ? '…' : ''}${text.slice(from, to).replace(/\s+/g, ' ')}${to < text.length ? '…' : ''}`;
}
