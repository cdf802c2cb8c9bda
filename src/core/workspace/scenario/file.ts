/**
 * A scenario as a file: JSON of our own with a version, so that it can be kept, sent and given to the command line
 * (README "Manual scenarios"). Reading it vouches for nothing: every field is checked, and what is wrong is named by its place.
 */
import { ContextscopeError } from '../../base/errors';
import { asArray, asString, isObject, type JsonObject } from '../../base/json';
import type { LineRef } from '../../trace/model';
import { isBlockName } from './names';
import { SCENARIO_OPS, type Scenario, type ScenarioOp } from './types';

const SCENARIO_FORMAT = 'contextscope-scenario';
const SCENARIO_VERSION = 1;
/** Far above what a person does by hand; a file beyond it is no scenario. */
const MAX_OPERATIONS = 10_000;
const MAX_BLOCKS = 100_000;
const MAX_SUMMARY = 100_000;
const MAX_LABEL = 200;
const MAX_NAME = 200;
const MAX_STEP = 1_000_000_000;

/** The file of a scenario; `file` = name of the run's file, to find it again. */
export function scenarioJson({ name, run, line, operations }: Scenario, file: string | null): string {
  const document = {
    format: SCENARIO_FORMAT, version: SCENARIO_VERSION, name, run, ...(file === null ? {} : { file }),
    thread: line.thread, ...(line.branch === undefined ? {} : { branch: line.branch }), operations: operations.map(cleanOp),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** Fields in one order, none of them undefined: equal operations make equal files. */
function cleanOp({ id, step, op, blocks, label, summary, cascade }: ScenarioOp): ScenarioOp {
  return { id, step, op, blocks: [...blocks], ...(label === undefined ? {} : { label }), ...(summary === undefined ? {} : { summary }), ...(cascade === undefined ? {} : { cascade }) };
}

/** Throws `bad-argument` with the place of what is wrong. */
export function parseScenario(text: string): Scenario & { file: string | null } {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw bad(`Expected a scenario as JSON, found what cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!isObject(value) || value['format'] !== SCENARIO_FORMAT) throw bad(`Expected a scenario of Contextscope ("format": "${SCENARIO_FORMAT}"), found ${isObject(value) ? `format ${shown(value['format'])}` : shown(value)}.`);
  if (value['version'] !== SCENARIO_VERSION) throw bad(`Expected version ${SCENARIO_VERSION} of the scenario file, found ${shown(value['version'])}.`);
  const run = text1(value, 'run', 200);
  if (!/^[0-9a-f]{64}#\d+$/.test(run)) throw bad(`Expected "run" to be 64 hexadecimal digits, # and a number, found ${shown(run)}.`);
  const branch = value['branch'] === undefined ? undefined : text1(value, 'branch', 10_000);
  const thread = text1(value, 'thread', 10_000);
  const list = asArray(value['operations']);
  if (list === undefined) throw bad(`Expected "operations" to be a list, found ${shown(value['operations'])}.`);
  if (list.length > MAX_OPERATIONS) throw bad(`Expected at most ${MAX_OPERATIONS} operations, found ${list.length}.`);
  return {
    name: text1(value, 'name', MAX_NAME), run, file: asString(value['file']) ?? null, line: branch === undefined ? { thread } : { thread, branch },
    operations: checkedOps(list),
  };
}

/**
 * Operations nobody vouches for (a file, a stored row); throws `bad-argument`. Those of one step keep their order. A name of
 * what an absent operation made is none of its business: such an operation stays in the list and says so when replayed.
 */
export function checkedOps(list: readonly unknown[]): ScenarioOp[] {
  const ops = list.map((one, k) => checkedOp(one, `operations[${k}]`));
  const ids = new Set<string>();
  for (const [k, op] of ops.entries()) {
    if (ids.has(op.id)) throw bad(`Expected every operation to have an id of its own, found ${shown(op.id)} again at operations[${k}].`);
    ids.add(op.id);
  }
  return ops.map((op, k) => ({ op, k })).sort((a, b) => a.op.step - b.op.step || a.k - b.k).map(({ op }) => op);
}

function checkedOp(value: unknown, at: string): ScenarioOp {
  if (!isObject(value)) throw bad(`Expected ${at} to be an object, found ${shown(value)}.`);
  const known = ['id', 'step', 'op', 'blocks', 'label', 'summary', 'cascade'];
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) throw bad(`${at} has a field ${shown(unknown)} that is not known. Known: ${known.join(', ')}.`);
  const id = value['id'];
  if (typeof id !== 'string' || !/^[\w-]{1,64}$/.test(id)) throw bad(`Expected ${at}.id to be up to 64 letters, digits, _ and -, found ${shown(id)}.`);
  const step = value['step'];
  if (typeof step !== 'number' || !Number.isInteger(step) || step < 1 || step > MAX_STEP) throw bad(`Expected ${at}.step to be a whole number from 1, found ${shown(step)}.`);
  const op = SCENARIO_OPS.find((one) => one === value['op']);
  if (op === undefined) throw bad(`Expected ${at}.op to be one of ${SCENARIO_OPS.join(', ')}, found ${shown(value['op'])}.`);
  const label = value['label'] === undefined ? undefined : optional(value, 'label', at, MAX_LABEL);
  const blocks = asArray(value['blocks'] ?? []);
  if (blocks === undefined || blocks.length > MAX_BLOCKS) throw bad(`Expected ${at}.blocks to be a list of at most ${MAX_BLOCKS} names, found ${shown(value['blocks'])}.`);
  const names = blocks.map((name, i) => {
    if (typeof name !== 'string' || !isBlockName(name)) throw bad(`Expected ${at}.blocks[${i}] to name a block, such as "base:12" or "op:a1", found ${shown(name)}.`);
    return name;
  });
  if (names.length === 0 && (op !== 'recover' || label === undefined || label === '')) throw bad(`Expected ${at}.blocks to name at least one block${op === 'recover' ? ', or a label to recover by' : ''}.`);
  const cascade = value['cascade'];
  if (cascade !== undefined && typeof cascade !== 'boolean') throw bad(`Expected ${at}.cascade to be true or false, found ${shown(cascade)}.`);
  const summary = value['summary'] === undefined ? undefined : optional(value, 'summary', at, MAX_SUMMARY);
  return cleanOp({ id, step, op, blocks: names, ...(label === undefined ? {} : { label }), ...(summary === undefined ? {} : { summary }), ...(cascade === undefined ? {} : { cascade }) });
}

/** Throws `bad-argument` where a scenario is of another run or line, saying of which. */
export function ensureScenarioFits(scenario: Scenario & { file?: string | null }, run: string, line: LineRef): void {
  const file = scenario.file === undefined || scenario.file === null ? '' : ` (${scenario.file})`;
  if (scenario.run !== run) throw bad(`This scenario belongs to another run: it was made for ${brief(scenario.run)}${file}, this is ${brief(run)}. Open the file it was made for.`);
  if (scenario.line.thread !== line.thread || scenario.line.branch !== line.branch) throw bad(`This scenario belongs to another line of the run: it was made for ${lineWords(scenario.line)}, this is ${lineWords(line)}.`);
}

const brief = (run: string): string => run.replace(/^([0-9a-f]{12})[0-9a-f]+/, '$1…');
const lineWords = ({ thread, branch }: LineRef): string => `thread ${thread}${branch === undefined ? '' : `, branch ${branch}`}`;
const bad = (message: string): ContextscopeError => new ContextscopeError('bad-argument', message);

function shown(value: unknown): string {
  const text = value === undefined ? 'nothing' : (JSON.stringify(value) ?? 'nothing');
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

function text1(value: JsonObject, key: string, most: number): string {
  const text = value[key];
  if (typeof text !== 'string' || text === '' || text.length > most) throw bad(`Expected "${key}" to be a text of 1 to ${most} characters, found ${shown(text)}.`);
  return text;
}

function optional(value: JsonObject, key: string, at: string, most: number): string {
  const text = value[key];
  if (typeof text !== 'string' || text.length > most) throw bad(`Expected ${at}.${key} to be a text of at most ${most} characters, found ${shown(text)}.`);
  return text;
}
