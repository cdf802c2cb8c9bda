import type { Format, FormatSession, Sample, SourceRecord } from './format';
import { peek } from './json-node';
import { lineSignature } from './line-signature';

/** One format of a file and what it has read of it. */
export interface Home { format: Format; session: FormatSession; /** Natural units it has counted. */ records: number }

/** Kinds of records that are told apart; in a file with more of them the rest stays with its first format. */
const MAX_SIGNATURES = 400;
/** Below this a format does not know a record; from the second on, another knows it beyond doubt. */
const OWN_SCORE = 0.5;
const FOREIGN_SCORE = 0.9;

/**
 * Splits a file of several formats (logs glued together, lines of two tools in one file) by record. Each kind of record
 * is judged once, when it is first met: it stays with the file's format unless that does not know it and another is
 * sure, or has been sure of an earlier one and knows it. What nobody knows stays, to be reported as unknown.
 */
export class FormatMix {
  readonly homes: Home[];
  private readonly homeOf = new Map<number, Home>();
  /** Signatures that nobody knew: asked again when a format joins. */
  private readonly strangers = new Set<number>();

  constructor(main: Home, private readonly shape: Sample['shape'], private readonly candidates: readonly Format[], private readonly open: (format: Format) => Home) {
    this.homes = [main];
  }

  route(record: SourceRecord): Home {
    const signature = lineSignature(record.node);
    let home = this.homeOf.get(signature);
    if (!home) {
      home = this.homeOf.size < MAX_SIGNATURES ? this.judge(record, signature) : this.homes[0]!;
      this.homeOf.set(signature, home);
    }
    return home;
  }

  private judge(record: SourceRecord, signature: number): Home {
    const main = this.homes[0]!;
    const value = peek(record.node);
    if (value === undefined) return main;
    const alone: Sample = { shape: this.shape, records: [value] };
    if (main.format.detect(alone) >= OWN_SCORE) return main;
    const known = this.homes.slice(1).find(({ format }) => format.detect(alone) >= OWN_SCORE);
    if (known) return known;
    const other = surest(alone, this.candidates.filter((format) => format !== main.format));
    if (!other) {
      this.strangers.add(signature);
      return main;
    }
    const home = this.open(other);
    this.homes.push(home);
    for (const stranger of this.strangers) this.homeOf.delete(stranger);
    this.strangers.clear();
    return home;
  }
}

/** The format that most records of a sample, each alone, are surely of; null = none. For samples that no one format explains. */
export function majorityFormat(sample: Sample, candidates: readonly Format[]): Format | null {
  const votes = new Map<Format, number>();
  for (const record of sample.records) {
    const format = surest({ shape: sample.shape, records: [record] }, candidates);
    if (format) votes.set(format, (votes.get(format) ?? 0) + 1);
  }
  return [...votes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? null;
}

function surest(sample: Sample, candidates: readonly Format[]): Format | null {
  let best: { format: Format; score: number } | null = null;
  for (const format of candidates) {
    const score = format.detect(sample);
    if (score >= FOREIGN_SCORE && score > (best?.score ?? 0)) best = { format, score };
  }
  return best?.format ?? null;
}
