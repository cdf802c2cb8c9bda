import { atif } from './atif';
import type { Format } from './format';
import { openaiResponses } from './openai-responses';
import { openhands } from './openhands';

/** Formats for exchange, benchmarks and observability tools, one file a format (formats.md §7 to §18). */
export const EXCHANGE_FORMATS: readonly Format[] = [atif, openaiResponses, openhands];
