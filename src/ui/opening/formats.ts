/** Formats that can be forced, in the words of the import report. */
export const FORMATS: readonly { id: string; title: string }[] = [
  { id: 'claude-code', title: 'Claude Code session' },
  { id: 'openai-chat', title: 'OpenAI chat messages' },
  { id: 'anthropic-messages', title: 'Anthropic messages' },
  { id: 'pi', title: 'pi session' },
  { id: 'swe-agent', title: 'SWE-agent trajectory' },
  { id: 'mini-swe-agent', title: 'mini-swe-agent trajectory' },
];
