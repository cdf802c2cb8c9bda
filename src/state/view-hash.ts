/**
 * View state ↔ URL hash: `#v=1&run=<sha256>.<index>&file=…&step=41…`. The saved shape has its own version and is
 * apart from the store's; only what differs from the defaults is written, so that links stay short.
 */
import { ARC_MODES, SPEEDS, DEFAULT_VIEW, ENCODINGS, EVIDENCE_PANES, PAGES, POLICY_PANES, SELECTOR_PANES, TABLE_LAYOUTS, TABS, THEMES, type BlockRef, type ViewState } from './view';
import { isOwnId } from '../core/embedding/own-encoder';
import type { BundledEncoderId, EncoderId } from '../core/embedding/types';
import type { SelectMatch, SelectMode } from '../core/selection/types';
import type { ParameterValue } from '../core/workspace/types';

const HASH_VERSION = 1;
const ENCODERS: readonly BundledEncoderId[] = ['static-minilm-384@1', 'minilm-l6-v2-int8@1', 'minilm-l6-v2-f32@1', 'minilm-l6-v2-int8-all@1', 'hashed-1024@1'];
const MODES: readonly SelectMode[] = ['core', 'guarded', 'cumulative'];
const MATCHES: readonly SelectMatch[] = ['count', 'tokens'];
/** Prefix of policy parameters, so that none can clash with a key of ours. */
const PARAM = 'p.';

/** The hash with its `#`; '' on the opening screen with default settings. */
export function encodeView(view: ViewState): string {
  const out = new URLSearchParams();
  const put = (key: string, value: string | number | null, unless: string | number | null = null): void => {
    if (value !== null && value !== unless) out.set(key, String(value));
  };
  if (view.run !== null) {
    put('run', view.run.replace('#', '.'));
    put('file', view.file);
    put('thread', view.thread);
    put('branch', view.branch);
    put('step', view.step);
    put('block', encodeBlock(view.block));
    put('brush', encodeRanges(view.brushed), '');
    put('policy', view.policy, DEFAULT_VIEW.policy);
    for (const key of Object.keys(view.params).sort()) put(PARAM + key, encodeValue(view.params[key] ?? ''));
    put('scenario', view.scenario);
    put('budget', view.budget);
    put('tokens', view.encoding, DEFAULT_VIEW.encoding);
    put('encoder', view.encoder, DEFAULT_VIEW.encoder);
    put('k', view.k, DEFAULT_VIEW.k);
    put('tau', view.tau, DEFAULT_VIEW.tau);
    put('seed', view.seed, DEFAULT_VIEW.seed);
    put('mode', view.mode, DEFAULT_VIEW.mode);
    put('K', view.capacity, DEFAULT_VIEW.capacity);
    put('match', view.match, DEFAULT_VIEW.match);
    put('lab', view.selectorPane, DEFAULT_VIEW.selectorPane);
    put('selectors', view.selectors === null ? null : view.selectors.join(','));
    put('ref', view.reference, DEFAULT_VIEW.reference);
    put('policies', view.compared === null ? null : view.compared.join(','));
    put('pinned', view.pinnedPolicies.join(','), '');
    put('difference', view.difference);
    put('against', view.against, DEFAULT_VIEW.against);
    put('pane', view.policyPane, DEFAULT_VIEW.policyPane);
    put('total', view.totalBudget);
    put('layout', view.tableLayout, DEFAULT_VIEW.tableLayout);
    put('evidence', view.evidencePane, DEFAULT_VIEW.evidencePane);
    put('arcs', view.arcs, DEFAULT_VIEW.arcs);
    put('tab', view.tab, DEFAULT_VIEW.tab);
    put('speed', view.speed, DEFAULT_VIEW.speed);
  }
  if (view.run === null) put('page', view.page, DEFAULT_VIEW.page);
  put('theme', view.theme, DEFAULT_VIEW.theme);
  const body = out.toString();
  return body === '' ? '' : `#v=${HASH_VERSION}&${body}`;
}

/** What a hash says, unknown or impossible values left out; null = not a hash of ours or of a later version. */
export function decodeView(hash: string): ViewState | null {
  const get = new URLSearchParams(hash.replace(/^#/, ''));
  if (get.get('v') !== String(HASH_VERSION)) return null;
  const run = decodeRun(get.get('run'));
  const params: Record<string, ParameterValue> = {};
  for (const [key, value] of get) if (key.startsWith(PARAM)) params[key.slice(PARAM.length)] = decodeValue(value);
  const k = get.get('k');
  return {
    page: oneOf(PAGES, get.get('page')) ?? DEFAULT_VIEW.page,
    run,
    file: get.get('file'),
    thread: get.get('thread'),
    branch: get.get('branch'),
    step: Math.max(1, integer(get.get('step')) ?? DEFAULT_VIEW.step),
    block: decodeBlock(get.get('block')),
    brushed: decodeRanges(get.get('brush')),
    policy: get.get('policy') ?? DEFAULT_VIEW.policy,
    params,
    scenario: /^[\w-]{1,64}$/.exec(get.get('scenario') ?? '')?.[0] ?? null,
    budget: positive(get.get('budget')),
    encoding: oneOf(ENCODINGS, get.get('tokens')) ?? DEFAULT_VIEW.encoding,
    encoder: encoder(get.get('encoder')) ?? DEFAULT_VIEW.encoder,
    k: k === 'auto' ? 'auto' : (positive(k) ?? DEFAULT_VIEW.k),
    tau: share(get.get('tau')) ?? DEFAULT_VIEW.tau,
    seed: integer(get.get('seed')) ?? DEFAULT_VIEW.seed,
    mode: oneOf(MODES, get.get('mode')) ?? DEFAULT_VIEW.mode,
    capacity: get.get('K') === 'scaled' ? 'scaled' : (positive(get.get('K')) ?? DEFAULT_VIEW.capacity),
    match: oneOf(MATCHES, get.get('match')) ?? DEFAULT_VIEW.match,
    selectorPane: oneOf(SELECTOR_PANES, get.get('lab')) ?? DEFAULT_VIEW.selectorPane,
    selectors: ids(get.get('selectors')),
    reference: get.get('ref') ?? DEFAULT_VIEW.reference,
    compared: ids(get.get('policies')),
    pinnedPolicies: ids(get.get('pinned')) ?? [],
    difference: ids(get.get('difference'))?.[0] ?? null,
    against: get.get('against') ?? DEFAULT_VIEW.against,
    policyPane: oneOf(POLICY_PANES, get.get('pane')) ?? DEFAULT_VIEW.policyPane,
    totalBudget: positive(get.get('total')),
    tableLayout: oneOf(TABLE_LAYOUTS, get.get('layout')) ?? DEFAULT_VIEW.tableLayout,
    evidencePane: oneOf(EVIDENCE_PANES, get.get('evidence')) ?? DEFAULT_VIEW.evidencePane,
    arcs: oneOf(ARC_MODES, get.get('arcs')) ?? DEFAULT_VIEW.arcs,
    tab: oneOf(TABS, get.get('tab')) ?? DEFAULT_VIEW.tab,
    theme: oneOf(THEMES, get.get('theme')) ?? DEFAULT_VIEW.theme,
    speed: SPEEDS.find((speed) => String(speed) === get.get('speed')) ?? DEFAULT_VIEW.speed,
  };
}

/** Why an address leads nowhere, in words for a person; null = it is one of ours, or there is none. */
export function addressProblem(hash: string): string | null {
  const body = hash.replace(/^#/, '');
  if (body === '') return null;
  const get = new URLSearchParams(body);
  const version = get.get('v');
  if (version === null) return 'This address is not one of ours: nothing after its # says what to show.';
  if (version !== String(HASH_VERSION)) return `This address is of another version of Contextscope (v=${version}; this one reads v=${HASH_VERSION}), so it was not followed.`;
  const run = get.get('run');
  if (run !== null && decodeRun(run) === null) return `This address names a run that cannot exist: “${run.length > 80 ? `${run.slice(0, 79)}…` : run}”. A run is named by 64 hexadecimal digits, a dot and a number; part of the link may be missing.`;
  return null;
}

/** A trajectory id holds `#`, which a hash cannot; the file's digest and the index are joined by a dot instead. */
function decodeRun(text: string | null): string | null {
  const match = /^([0-9a-f]{64})\.(\d+)$/.exec(text ?? '');
  return match === null ? null : `${match[1] ?? ''}#${match[2] ?? ''}`;
}

function encodeBlock(block: BlockRef | null): string | null {
  if (block === null) return null;
  return 'base' in block ? `base.${block.base}` : `made.${block.made}`;
}

function decodeBlock(text: string | null): BlockRef | null {
  const match = /^(base|made)\.(\d+)$/.exec(text ?? '');
  if (match === null) return null;
  return match[1] === 'base' ? { base: Number(match[2]) } : { made: Number(match[2]) };
}

/** Numbers and booleans keep their type through the URL; a text that looks like one is quoted. */
function encodeValue(value: ParameterValue): string {
  if (typeof value !== 'string') return String(value);
  return typeof decodeValue(value) === 'string' && !value.startsWith('"') ? value : JSON.stringify(value);
}

function decodeValue(text: string): ParameterValue {
  if (text === 'true' || text === 'false') return text === 'true';
  if (/^-?\d+(\.\d+)?(e[+-]?\d+)?$/.test(text)) return Number(text);
  if (!text.startsWith('"')) return text;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'string' ? parsed : text;
  } catch {
    return text;
  }
}

/** Own encoders are named by their hash: a link holds in any browser that has the same file. */
function encoder(text: string | null): EncoderId | null {
  return text !== null && isOwnId(text) ? text : oneOf(ENCODERS, text);
}

function integer(text: string | null): number | null {
  return text !== null && /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function positive(text: string | null): number | null {
  const value = integer(text);
  return value !== null && value > 0 ? value : null;
}

/** Ids separated by commas; what cannot be one is left out. */
function ids(text: string | null): string[] | null {
  return text?.split(',').filter((id) => /^[\w:.+-]+$/.test(id)) ?? null;
}

function share(text: string | null): number | null {
  const value = text === null ? NaN : Number(text);
  return value > 0 && value <= 1 ? value : null;
}

function oneOf<T extends string>(all: readonly T[], text: string | null): T | null {
  return all.find((one) => one === text) ?? null;
}

/** Ascending numbers as `3-9.14`. */
function encodeRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join('.');
}

/** A link may say anything: no more blocks than a run could have. */
const MOST_BRUSHED = 100_000;

function decodeRanges(text: string | null): number[] {
  const out: number[] = [];
  for (const part of text === null || text === '' ? [] : text.split('.')) {
    const match = /^(\d{1,7})(?:-(\d{1,7}))?$/.exec(part);
    if (match === null) return [];
    const from = Number(match[1]);
    const to = Number(match[2] ?? from);
    if (from <= (out.at(-1) ?? -1) || to < from || out.length + to - from >= MOST_BRUSHED) return [];
    for (let number = from; number <= to; number++) out.push(number);
  }
  return out;
}
