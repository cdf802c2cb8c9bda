import { atif } from './atif';
import type { Format } from './format';
import { hermesAgent } from './hermes-agent';
import { inspect } from './inspect';
import { langchain } from './langchain';
import { langfuse } from './langfuse';
import { openaiResponses } from './openai-responses';
import { openhands } from './openhands';
import { otlp } from './otlp';
import { sharegpt } from './sharegpt';
import { tau2Bench } from './tau2-bench';
import { tauBench } from './tau-bench';

/** Formats for exchange, benchmarks and observability tools, one file a format (formats.md §7 to §18). */
export const EXCHANGE_FORMATS: readonly Format[] = [atif, hermesAgent, inspect, langchain, langfuse, openaiResponses, openhands, otlp, sharegpt, tau2Bench, tauBench];
