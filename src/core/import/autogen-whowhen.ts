import { asArray, asBoolean, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { firstLine } from '../base/text';
import { MessageFlag } from '../trace/model';
import type { Outcome, Part, Role } from '../trace/model';
import { contentParts, otherPart, textPart } from './content-parts';
import { DraftWriter, MAIN_THREAD, linearThread } from './draft';
import type { Format, FormatContext, Sample, TrajectoryDraft } from './format';
import type { JsonNode } from './json-node';
import { RunListSession, elementsOrSelf, valueOf } from './run-list';
import type { ImportRun } from './run-list';

/**
 * AutoGen / AG2 failure logs of the Who&When data set (formats.md §18): a group chat with the agent and the step that were
 * judged to be the mistake. Who speaks stands first in each turn, as group chats show it to the agents.
 *
 * countsReasoning: false. "Thought" turns are ordinary messages of the chat.
 */
export const autogenWhoWhen: Format = {
  id: 'autogen-whowhen',
  title: 'AutoGen Who&When log',
  reads: 'parts',
  detect,
  open: (context) => new RunListSession(context, (node, line) => new WhoWhenRun(context, node, line), elementsOrSelf),
  decode: (records) => records.flatMap(turnParts),
};

function detect(sample: Sample): number {
  const objects = sample.records.flatMap((record) => (Array.isArray(record) ? record : [record])).map(asObject);
  const isLog = (object: JsonObject | undefined): boolean => {
    const first = asObject(asArray(object?.['history'])?.[0]);
    return first !== undefined && 'content' in first && 'role' in first && ('mistake_agent' in object! || ('ground_truth' in object! && 'question' in object!));
  };
  return objects.length > 0 && objects.every(isLog) ? 0.96 : 0;
}

/** `name` is the speaker; Magentic-One has it in `role`, with what it is for in brackets. */
function speakerOf(turn: JsonObject): string | undefined {
  const role = asString(turn['role']);
  return asString(turn['name']) ?? (role === 'user' || role === 'assistant' || role === 'human' ? undefined : role);
}

function turnParts(record: unknown): Part[] {
  const turn = asObject(record);
  if (!turn) return [otherPart('turn', record)];
  const speaker = speakerOf(turn);
  return [...(speaker === undefined ? [] : [textPart(`${speaker}:`)]), ...contentParts(turn['content'])];
}

class WhoWhenRun implements ImportRun {
  private readonly draft = new DraftWriter();
  private readonly outcome: Outcome | undefined;
  private readonly question: string | undefined;

  constructor(context: FormatContext, node: JsonNode, line: number) {
    const fields = node.fields();
    const field = (name: string): unknown => valueOf(fields.get(name));
    for (const [i, entry] of (fields.get('history')?.elements() ?? []).entries()) {
      const value = valueOf(entry);
      const turn = asObject(value);
      context.count(turn ? 'turn' : 'unreadable turn');
      if (value === undefined) {
        context.unknown('unreadable turn');
        continue;
      }
      const role = i === 0 ? 'user' : roleOf(turn ?? {});
      this.draft.addMessage({ role, flags: i === 0 ? MessageFlag.instruction : 0 }, turnParts(value), entry, line);
    }
    this.question = asString(field('question'));
    const success = asBoolean(field('is_correct')) ?? asBoolean(field('is_corrected'));
    const agent = asString(field('mistake_agent'));
    const step = Number(asString(field('mistake_step')) ?? asNumber(field('mistake_step')) ?? NaN);
    const hasStep = Number.isInteger(step) && step >= 0 && step < this.draft.columns.rowCount;
    if (success !== undefined || agent !== undefined) {
      this.outcome = { ...(success === undefined ? {} : { success }), ...(agent === undefined ? {} : { label: `mistake of ${agent}${hasStep ? ` in turn ${step}` : ''}` }) };
    }
    if (agent !== undefined && hasStep) {
      this.draft.events.push({ kind: 'error', sourceKind: 'mistake_step', thread: MAIN_THREAD, afterRow: step, label: firstLine(`Mistake of ${agent}: ${asString(field('mistake_reason')) ?? ''}`, 200) });
    }
  }

  build(fallbackName: string): TrajectoryDraft {
    const name = this.question === undefined ? fallbackName : firstLine(this.question, 80);
    return this.draft.build({ name, outcome: this.outcome }, (columns) => [linearThread(columns.n, [], false)]);
  }
}

/** A terminal runs code and answers with its exit code; every other speaker is a model. */
function roleOf(turn: JsonObject): Role {
  if (asString(turn['role']) === 'human') return 'user';
  const isTerminal = /terminal/i.test(speakerOf(turn) ?? '') || /^exitcode: -?\d+/.test(asString(turn['content']) ?? '');
  return isTerminal ? 'tool' : 'assistant';
}
