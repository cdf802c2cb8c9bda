import { parseLenientJson, parseNotingNumbers } from '../base/json';
import type { JsonNode } from './json-node';

export interface Damage { byteOffset: number; reason: string }

/** Values up to this size are parsed at once; larger ones are looked into. */
const WHOLE_BYTES = 1024 * 1024;
const MAX_DEPTH = 40;
/** One damaged document may hold thousands; beyond this they are one. */
const MAX_FOUND = 200;

/**
 * The smallest values inside a record that are not valid JSON. Formats that read parts of a record never parse it
 * whole, so nobody else would notice; what is cut off at the end is left out, for that is reported by who found it.
 */
export function findDamage(node: JsonNode): { damage: Damage[]; /** Numbers that are read as unknown: NaN, Infinity. */ nonFinite: number } {
  const found: Found = { damage: [], nonFinite: 0 };
  look(node, 0, found);
  return found;
}

interface Found { damage: Damage[]; nonFinite: number }

/** Is everything in it sound? */
function look(node: JsonNode, depth: number, found: Found): boolean {
  if (found.damage.length >= MAX_FOUND) return true;
  let reason = 'its brackets do not match';
  const isContainer = node.kind === 'object' || node.kind === 'array';
  if (!node.cut && (node.byteLength <= WHOLE_BYTES || !isContainer || depth >= MAX_DEPTH)) {
    try {
      found.nonFinite += parseNotingNumbers(node.text()).nonFinite;
      return true;
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      ({ message: reason } = error);
    }
    const control = node.kind === 'string' ? controlIn(node) : null;
    if (control) {
      found.damage.push(control);
      return false;
    }
  }
  if (isContainer && depth < MAX_DEPTH) {
    const children = node.kind === 'object' ? [...node.fields().values()] : node.elements();
    let sound = true;
    for (const child of children) if (!look(child, depth + 1, found)) sound = false;
    if (!sound) return false;
    if (node.cut || (node.byteLength > WHOLE_BYTES && node.isWhole())) return true;
  } else if (node.cut) return true;
  found.damage.push({ byteOffset: node.byteOffset, reason: `not valid JSON: ${reason}` });
  return false;
}

/** A string whose only fault is a raw control character: it is read with it. */
function controlIn(node: JsonNode): Damage | null {
  const { bytes, from, to, byteOffset } = node;
  try {
    parseLenientJson(node.text());
  } catch {
    return null;
  }
  const at = bytes.subarray(from, to).findIndex((byte) => byte < 0x20);
  return { byteOffset: byteOffset + at, reason: `not valid JSON: a raw control character (0x${(bytes[from + at] ?? 0).toString(16).padStart(2, '0')}) in a string, which is read with it` };
}
