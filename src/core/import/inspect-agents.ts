import { asArray, asNumber, asObject, asString } from '../base/json';
import { MessageFlag } from '../trace/model';
import type { Span, Thread } from '../trace/model';
import { plainRole } from './chat-rows';
import { hasOwnText, idText } from './content-parts';
import type { DraftWriter } from './draft';
import { MAIN_THREAD } from './draft';
import { spanOf } from './format';
import type { FormatContext } from './format';
import { attachmentHashes, inspectParts, inspectUsage } from './inspect-decode';
import type { JsonNode } from './json-node';
import { PromptHistory } from './prompt-history';
import type { PromptMessage } from './prompt-history';
import { valueOf } from './run-list';
import { utcMs } from './utc-time';

interface AgentSpan { id: string; parent: string; type: string; name: string }

const text = (node: JsonNode | undefined): string => asString(valueOf(node)) ?? '';

/**
 * Sub-agents of an Inspect sample (formats.md §9): spans of type "agent" below a tool's span. Their messages are no
 * messages of the sample; they stand in the prompts and answers of the model events inside the span, which each repeat
 * the ones before.
 */
export class InspectAgents {
  private readonly spans = new Map<string, AgentSpan>();
  /** Call id of each tool span. */
  private readonly calls = new Map<string, string>();
  private readonly lanes = new Map<string, PromptHistory>();

  constructor(private readonly context: Pick<FormatContext, 'unknown'>, private readonly draft: DraftWriter, private readonly attachments: ReadonlyMap<string, JsonNode>, private readonly line: number, events: readonly JsonNode[], private readonly pool: readonly JsonNode[]) {
    const waiting: AgentSpan[] = [];
    for (const event of events) {
      const kind = text(event.field('event'));
      if (kind === 'span_begin') {
        const span: AgentSpan = { id: idText(valueOf(event.field('id'))) || text(event.field('span_id')), parent: text(event.field('parent_id')), type: text(event.field('type')), name: text(event.field('name')) };
        this.spans.set(span.id, span);
        if (span.type === 'tool') waiting.push(span);
      } else if (kind === 'tool') this.matchCall(event, waiting);
    }
  }

  /** A tool's event follows the beginning of its span, inside it or beside it. */
  private matchCall(event: JsonNode, waiting: AgentSpan[]): void {
    const at = text(event.field('span_id'));
    const name = text(event.field('function'));
    const index = waiting.findIndex((span) => span.name === name && (at === span.id || at === span.parent));
    if (index < 0) return;
    const [span] = waiting.splice(index, 1);
    this.calls.set(span!.id, idText(valueOf(event.field('id'))));
  }

  /** The sub-agent that an event belongs to; null = the sample's own agent. */
  laneOf(event: JsonNode): string | null {
    return this.agentAbove(text(event.field('span_id')));
  }

  private agentAbove(from: string): string | null {
    let agent: string | null = null;
    let steps = 0;
    for (let span = this.spans.get(from); span && steps <= this.spans.size; span = this.spans.get(span.parent), steps++) {
      // The outermost agent span below the tool: agents wrap themselves in spans of their own.
      if (span.type === 'agent') agent = span.id;
      else if (span.type === 'tool' && agent !== null) return agent;
    }
    return null;
  }

  private toolAbove(lane: string): AgentSpan | undefined {
    let span = this.spans.get(lane);
    for (let steps = 0; span && span.type !== 'tool' && steps <= this.spans.size; steps++) span = this.spans.get(span.parent);
    return span;
  }

  /** Row of the answer. */
  addCall(lane: string, event: JsonNode): number {
    let history = this.lanes.get(lane);
    if (!history) this.lanes.set(lane, (history = new PromptHistory(this.draft, lane)));
    const output = event.field('output')?.fields();
    const answer = output?.get('choices')?.elements(1)[0]?.field('message');
    const outputs: PromptMessage[] = answer && valueOf(answer) !== undefined ? [this.message(answer)] : [{ role: 'assistant', parts: [], spans: [spanOf(event, this.line)], flags: MessageFlag.sidechain }];
    return history.addCall({
      inputs: this.inputs(event).filter((node) => valueOf(node) !== undefined).map((node) => this.message(node)), outputs, timestampMs: utcMs(valueOf(event.field('timestamp'))),
      model: asString(valueOf(output?.get('model'))) ?? asString(valueOf(event.field('model'))), usage: inspectUsage(valueOf(output?.get('usage'))), span: spanOf(event, this.line),
    });
  }

  /** The prompt itself, or half-open ranges of the sample's pool of messages. */
  private inputs(event: JsonNode): readonly JsonNode[] {
    const own = event.field('input')?.elements() ?? [];
    if (own.length > 0) return own;
    return (asArray(valueOf(event.field('input_refs'))) ?? []).flatMap((range) => {
      const [from, to] = asArray(range) ?? [];
      return this.pool.slice(asNumber(from) ?? 0, asNumber(to) ?? 0);
    });
  }

  private message(node: JsonNode): PromptMessage {
    const value = valueOf(node);
    const texts = attachmentHashes(value).map((hash) => this.attachments.get(hash));
    const known = texts.every((entry) => typeof valueOf(entry) === 'string') ? (texts as JsonNode[]) : [];
    const parts = inspectParts([value, ...known.map(valueOf)]);
    const role = plainRole(asString(asObject(value)?.['role']) ?? '', this.context);
    const spans: Span[] = [node, ...known].map((part) => spanOf(part, this.line));
    return { role, parts, spans, flags: MessageFlag.sidechain | (role === 'user' && !hasOwnText(parts) ? MessageFlag.meta : 0) };
  }

  threads(): Thread[] {
    return [...this.lanes].flatMap(([lane, history]) => {
      history.finish();
      const tool = this.toolAbove(lane);
      const spawnedBy = tool && this.calls.get(tool.id);
      return history.threads().map((thread): Thread => (thread.id !== lane ? { ...thread, countsReasoning: true } : {
        ...thread, countsReasoning: true, parentThread: (tool && this.agentAbove(tool.parent)) ?? MAIN_THREAD, title: this.spans.get(lane)?.name || lane, ...(spawnedBy ? { spawnedBy } : {}),
      }));
    });
  }
}
