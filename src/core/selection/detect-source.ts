import type { ToolCallPart } from '../trace/model';
import { normalisePath, objectArguments, PATH_KEYS, pathKey } from './tool-arguments';

/** `key` names the source (URL, document, path or query); blocks with the same key are the same source. */
export interface SourceEvidence { rule: string; key: string }

const SOURCE_TOOL = /search|fetch|browse|retriev|query/i;
const URL_PATTERN = /https?:\/\/([^\s"'<>()[\]{}|\\^`]+)/g;
const DOCUMENT_KEYS = ['doc_id', 'docid', 'document_id', 'id'];
/** A result that names so many different pages is a list of sources whatever the tool is called. */
const MIN_URLS = 3;

const hostAndPath = (url: string): string => url.replace(/[.,;:!?\\]+$/, '').split('?')[0]!.split('#')[0]!;

function urlsIn(text: string): string[] {
  return [...text.matchAll(URL_PATTERN)].map((match) => hostAndPath(match[1]!));
}

/** Is this block an observed source, and which (gem.md §7: first URL in the arguments, else in the results, …)? */
export function sourceOf(calls: readonly ToolCallPart[], texts: readonly string[]): SourceEvidence | null {
  const tool = calls.find((call) => SOURCE_TOOL.test(call.name));
  const urls = [...new Set(texts.flatMap(urlsIn))];
  if (!tool && urls.length < MIN_URLS) return null;
  const rule = tool ? `tool ${tool.name}` : `${urls.length} different URLs in the results`;
  for (const call of calls) {
    const own = urlsIn(call.args)[0];
    if (own !== undefined) return { rule, key: own };
  }
  if (urls.length > 0) return { rule, key: urls[0]! };
  const objects = calls.map(objectArguments);
  for (const args of objects) {
    for (const key of DOCUMENT_KEYS) if (args?.[key] !== undefined && args[key] !== null) return { rule, key: String(args[key]) };
  }
  for (const args of objects) {
    for (const [key, value] of Object.entries(args ?? {})) {
      if (PATH_KEYS.has(pathKey(key)) && typeof value === 'string') return { rule, key: normalisePath(value) };
    }
  }
  const first = calls[0]!;
  return { rule, key: `${first.name} ${first.args}` };
}
