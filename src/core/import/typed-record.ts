import { asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import type { FormatContext, SourceRecord } from './format';

/** A record whose kind is its `type`. */
export interface TypedRecord { object: JsonObject; type: string }

/**
 * Parses a record and counts it by its `type`. null = it is no object, which is counted and reported as unknown. Throws
 * SyntaxError before anything is counted.
 */
export function typedRecord(record: SourceRecord, context: Pick<FormatContext, 'count' | 'unknown'>): TypedRecord | null {
  const object = asObject(record.node.value());
  const type = asString(object?.['type']) ?? 'record without type';
  context.count(type);
  if (object) return { object, type };
  context.unknown(type);
  return null;
}
