import { asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import type { EventKind, TraceEvent } from '../trace/model';

/** Records of Claude Code that are not messages (formats.md §1): which are only counted, which become events. */

/** Bookkeeping: counted by kind, nothing of them is shown. */
export const SERVICE_TYPES = new Set([
  'progress', 'queue-operation', 'file-history-snapshot', 'permission-mode', 'mode', 'agent-name', 'last-prompt', 'pr-link', 'frame-link',
  'relocated', 'worktree-state', 'bridge-session', 'started', 'result', 'atis-latch',
]);
/** Of these only the links are read, by scanning: they can be most of the bytes of a file (import-cases.md A3, A8). */
export const SCANNED_TYPES = ['progress', 'file-history-snapshot'] as const;

const SYSTEM_EVENTS: Readonly<Record<string, EventKind>> = {
  compact_boundary: 'compaction', microcompact_boundary: 'context-edit', api_error: 'retry', error: 'error', api_refusal: 'error', model_refusal_fallback: 'model-change',
};

export type EventFacts = Pick<TraceEvent, 'kind' | 'sourceKind' | 'label' | 'data'>;

/** null = only counted. */
export function claudeEvent(type: string, record: JsonObject): EventFacts | null {
  if (type === 'summary') return { kind: 'summary', sourceKind: type, label: firstLine(asString(record['summary']) ?? '', 160) };
  if (type === 'attachment') return attachmentEvent(record);
  if (type !== 'system') return null;
  const subtype = asString(record['subtype']) ?? 'system';
  const kind = SYSTEM_EVENTS[subtype];
  if (kind === undefined && (subtype === 'stop_hook_summary' || subtype === 'turn_duration')) return null;
  const text = asString(record['content']) ?? asString(asObject(record['error'])?.['formatted']) ?? asString(asObject(record['error'])?.['message']) ?? '';
  const event: EventFacts = { kind: kind ?? 'other', sourceKind: subtype, label: firstLine(text, 160) || subtype.replaceAll('_', ' ') };
  if (subtype === 'compact_boundary') event.data = compactionData(record);
  else if (kind === 'retry') event.data = { attempt: asNumber(record['retryAttempt']) ?? null, maxAttempts: asNumber(record['maxRetries']) ?? null, waitMs: asNumber(record['retryInMs']) ?? null };
  return event;
}

function compactionData(record: JsonObject): Record<string, number | string | boolean | null> {
  const facts = asObject(record['compactMetadata']) ?? {};
  return {
    tokensBefore: asNumber(facts['preTokens']) ?? null,
    tokensAfter: asNumber(facts['postTokens']) ?? null,
    trigger: asString(facts['trigger']) ?? null,
    summaryRow: null,
    firstKeptRow: null,
  };
}

/** Context that the harness put in beside the messages: shown as an event, its text stays in the source. */
function attachmentEvent(record: JsonObject): EventFacts {
  const attachment = asObject(record['attachment']) ?? {};
  const kind = asString(attachment['type']) ?? 'attachment';
  return { kind: 'other', sourceKind: `attachment:${kind}`, label: kind.replaceAll('_', ' ') };
}

/** A title for the run, and how much it counts: the user's own beats a generated one. */
export function claudeTitle(type: string, record: JsonObject): { rank: number; text: string } | null {
  const [rank, value] =
    type === 'custom-title' ? [3, record['customTitle']] : type === 'ai-title' ? [2, record['aiTitle']] : type === 'summary' ? [1, record['summary']] : [0, null];
  const text = asString(value)?.trim();
  return text ? { rank, text: firstLine(text, 120) } : null;
}
