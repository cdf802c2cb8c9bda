import { aider } from './aider';
import { amaBench } from './ama-bench';
import { atif } from './atif';
import { autogenWhoWhen } from './autogen-whowhen';
import { browsecompPlus } from './browsecomp-plus';
import { copilotChatReplay } from './copilot-chat-replay';
import { hermesAgent } from './hermes-agent';
import type { Format } from './format';
import { inspect } from './inspect';
import { langchain } from './langchain';
import { langfuse } from './langfuse';
import { langsmith } from './langsmith';
import { lettaAf } from './letta-af';
import { locaBench } from './loca-bench';
import { openaiResponses } from './openai-responses';
import { openhands } from './openhands';
import { otlp } from './otlp';
import { rlm } from './rlm';
import { sharegpt } from './sharegpt';
import { tau2Bench } from './tau2-bench';
import { tauBench } from './tau-bench';

/** Formats for exchange, benchmarks and observability tools, one file a format (formats.md §7 to §18). */
export const EXCHANGE_FORMATS: readonly Format[] = [
  aider, amaBench, atif, autogenWhoWhen, browsecompPlus, copilotChatReplay, hermesAgent, inspect, langchain, langfuse, langsmith, lettaAf, locaBench, openaiResponses, openhands, otlp, rlm, sharegpt, tau2Bench, tauBench,
];
