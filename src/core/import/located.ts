import { asObject } from '../base/json';
import type { JsonObject } from '../base/json';
import type { FormatContext } from './format';
import type { JsonNode } from './json-node';

/** A parsed JSON object with the place it was read from. */
export interface Located { value: JsonObject; node: JsonNode; line: number }

/**
 * Parses a value inside a document. What is cut, no JSON or no object costs only itself: it is counted as unknown, named
 * in a warning, and null comes back.
 */
export function locate(node: JsonNode | undefined, line: number, context: Pick<FormatContext, 'unknown' | 'warn'>, what: string): Located | null {
  if (!node) return null;
  try {
    const value = node.cut ? undefined : asObject(node.value());
    if (value) return { value, node, line };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  context.unknown(`unreadable ${what}`);
  context.warn(`A ${what} at byte ${node.byteOffset} is not a JSON object and was left out.`);
  return null;
}

export function locateAll(nodes: readonly JsonNode[], line: number, context: Pick<FormatContext, 'unknown' | 'warn'>, what: string): Located[] {
  return nodes.flatMap((node) => locate(node, line, context, what) ?? []);
}

/** The value of a small field; undefined where it is missing, cut, large or no JSON. */
export function smallValue(node: JsonNode | undefined): unknown {
  if (!node || node.cut || node.byteLength > 4096) return undefined;
  try {
    return node.value();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
