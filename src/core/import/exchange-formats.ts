import { acp } from './acp';
import { aider } from './aider';
import { amaBench } from './ama-bench';
import { anthropicStream } from './anthropic-stream';
import { atif } from './atif';
import { autogen } from './autogen';
import { autogenWhoWhen } from './autogen-whowhen';
import { browsecompPlus } from './browsecomp-plus';
import { chatLines } from './chat-lines';
import { chatgptExport } from './chatgpt-export';
import { claudeAiExport } from './claude-ai-export';
import { copilotChatExport } from './copilot-chat-export';
import { copilotChatReplay } from './copilot-chat-replay';
import { crewai } from './crewai';
import type { Format } from './format';
import { googleAdk } from './google-adk';
import { hermesAgent } from './hermes-agent';
import { inspect } from './inspect';
import { langchain } from './langchain';
import { langfuse } from './langfuse';
import { langsmith } from './langsmith';
import { lettaAf } from './letta-af';
import { locaBench } from './loca-bench';
import { messageTable } from './message-table';
import { openaiAgents } from './openai-agents';
import { openaiChatStream } from './openai-chat-stream';
import { openaiResponses } from './openai-responses';
import { openhands } from './openhands';
import { otlp } from './otlp';
import { pydanticAi } from './pydantic-ai';
import { rlm } from './rlm';
import { sharegpt } from './sharegpt';
import { smolagents } from './smolagents';
import { tauBench } from './tau-bench';
import { tau2Bench } from './tau2-bench';

/** Formats for exchange, benchmarks and observability tools, one file a format (formats.md §7 to §18). */
export const EXCHANGE_FORMATS: readonly Format[] = [
  acp, aider, amaBench, anthropicStream, atif, autogen, autogenWhoWhen, browsecompPlus, chatgptExport, chatLines, claudeAiExport, copilotChatExport,
  copilotChatReplay, crewai, googleAdk, hermesAgent, inspect, langchain, langfuse, langsmith, lettaAf, locaBench, messageTable, openaiAgents,
  openaiChatStream, openaiResponses, openhands, otlp, pydanticAi, rlm, sharegpt, smolagents, tau2Bench, tauBench,
];
