import { asArray, asNumber, asObject, asString } from '../base/json';
import type { JsonObject } from '../base/json';
import { NORMALISED_VERSION } from '../trace/normalised';
import { ROLES } from '../trace/model';
import type { Role, Span } from '../trace/model';
import { DraftWriter } from './draft';
import { spanOf } from './format';
import type { Format, FormatContext, FormatSession, Sample, SourceRecord, TrajectoryDraft } from './format';
import { readEvent, readOutcome, readParts, readThreads, readUsage } from './normalised-shape';

/** Our own JSON lines (`core/trace/normalised.ts`): what `export` writes comes back as it was. */
export const normalised: Format = {
  id: 'contextscope',
  title: 'Contextscope JSON',
  reads: 'whole',
  detect,
  open: (context) => new NormalisedSession(context),
  decode: (records) => records.flatMap((record) => readParts(asObject(record)?.['parts'])),
};

const KINDS = new Set(['trajectory', 'event', 'message']);

function detect({ records }: Sample): number {
  const ours = records.filter((record) => KINDS.has(asString(asObject(record)?.['contextscope']) ?? '')).length;
  return ours * 2 > records.length ? 1 : 0;
}

class NormalisedRun {
  readonly writer = new DraftWriter();
  private readonly rows = new Map<number, number>();
  private readonly events: { object: JsonObject; span: Span }[] = [];

  constructor(private readonly header: JsonObject) {}

  addEvent(object: JsonObject, span: Span): void { this.events.push({ object, span }); }

  addMessage(object: JsonObject, { node, line }: SourceRecord): void {
    const role = asString(object['role']) as Role;
    const flags = asNumber(object['flags']);
    const row = this.writer.addMessage(
      { role: ROLES.includes(role) ? role : 'user', flags: flags === undefined ? 0 : flags & 0xffff, timestampMs: asNumber(object['timestampMs']), model: asString(object['model']), callKey: asString(object['callId']) },
      readParts(object['parts']), node, line,
    );
    this.writer.columns.mergeUsage(row, readUsage(object['usage']) ?? {});
    this.rows.set(asNumber(object['row']) ?? row, row);
  }

  build(fallbackName: string): TrajectoryDraft {
    const { header, rows } = this;
    const draft = this.writer.build({ name: asString(header['name']) ?? fallbackName, outcome: readOutcome(header['outcome']) }, (columns) =>
      readThreads(header['threads'], rows, columns.n, new Set([...columns.callIds].map((index) => columns.strings[index]!))));
    const model = asString(header['model']);
    const createdMs = asNumber(header['createdMs']);
    const { model: _, createdMs: __, ...rest } = draft;
    return {
      ...rest,
      sourceFormat: asString(header['format']) ?? 'contextscope',
      // As recorded, also where it says nothing: the last model of the rows is a guess.
      ...(model === undefined ? {} : { model }),
      ...(createdMs === undefined ? {} : { createdMs }),
      events: this.events.map(({ object, span }) => ({ ...readEvent(object, rows, draft.threads), span })),
      warnings: (asArray(header['warnings']) ?? []).map(String),
      usage: readUsage(header['usage']) ?? draft.usage,
    };
  }
}

class NormalisedSession implements FormatSession {
  private readonly runs: NormalisedRun[] = [];

  constructor(private readonly context: FormatContext) {}

  add(record: SourceRecord): void {
    const object = asObject(record.node.value());
    const kind = asString(object?.['contextscope']);
    if (object && kind === 'trajectory') {
      const version = asNumber(object['version']) ?? 0;
      if (version > NORMALISED_VERSION) this.context.warn(`The file is of version ${version}; what is newer than version ${NORMALISED_VERSION} is left out.`);
      this.runs.push(new NormalisedRun(object));
    } else if (object && kind === 'event') this.run().addEvent(object, spanOf(record.node, record.line));
    else if (object && kind === 'message') this.run().addMessage(object, record);
    else this.context.unknown(kind ?? asString(object?.['type']) ?? 'record');
    this.context.count(kind !== undefined && KINDS.has(kind) ? kind : 'other');
  }

  /** Lines before any header: the header was lost. */
  private run(): NormalisedRun {
    const last = this.runs.at(-1);
    if (last) return last;
    this.context.warn('The first line of the run is missing: its threads are not known.');
    const run = new NormalisedRun({});
    this.runs.push(run);
    return run;
  }

  build(): TrajectoryDraft[] {
    return this.runs.map((run, i) => run.build(this.runs.length > 1 ? `${this.context.baseName} #${i + 1}` : this.context.baseName));
  }
}
