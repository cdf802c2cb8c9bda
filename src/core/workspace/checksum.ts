/**
 * Checksums of stored payloads. One block: SHA-256 of its text, which is its content hash. Several: SHA-256 of their
 * checksums, one a line, in payload order (a hash tree), so that the fold needs no text and a reader can still verify
 * every byte.
 */
import { sha256Hex } from '../base/sha256';
import type { BlockColumns } from './block-columns';

export function checksumOf(columns: BlockColumns, items: readonly number[]): string {
  const parts = items.map((item) => {
    const base = columns.base.get(item);
    if (base >= 0) return columns.table.contentHash[base] ?? '';
    return columns.checksum[item] ?? sha256Hex(columns.text[item] ?? '');
  });
  return combineChecksums(parts);
}

export function combineChecksums(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] ?? '') : sha256Hex(parts.join('\n'));
}
