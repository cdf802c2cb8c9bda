import type { InspectFile, InspectJson, InspectTrajectory, InspectUsage } from './inspect';

/** Up to so many trajectories of a file are told in full, more with a line each. */
const MAX_IN_FULL = 20;

const number = (value: number | null): string => (value === null ? '–' : value.toLocaleString('en-US').replaceAll(',', ' '));

const count = (value: number, noun: string): string => `${number(value)} ${noun}${value === 1 ? '' : 's'}`;

/** `inspect` for people. */
export function renderInspect(json: InspectJson): string {
  return json.files.map(renderFile).join('\n\n') + (json.files.length > 0 ? '\n' : '');
}

function renderFile(file: InspectFile): string {
  const confidence = file.formatConfidence === 'certain' ? '' : ` (${file.formatConfidence})`;
  const container = file.container === 'none' ? '' : `, ${file.container}`;
  const lines = [
    `${file.file}`,
    `  format      ${file.format}${confidence}${container}, ${number(file.bytes)} bytes, sha256 ${file.sha256.slice(0, 16)}…`,
    ...(file.formats ? [`  formats     ${Object.entries(file.formats).map(([format, records]) => `${format} ${count(records, 'record')}`).join(', ')}`] : []),
    `  records     ${number(file.records)}${file.badRecordCount > 0 ? `, ${number(file.badRecordCount)} bad` : ''}`,
    `  messages    ${number(file.messages)}; calls ${number(file.toolCalls)}, results ${number(file.toolResults)}, matched ${number(file.matchedPairs)}`,
    `  usage       ${usageText(file.usage)}`,
  ];
  for (const bad of file.badRecords.slice(0, 10)) lines.push(`  bad record  ${bad.line > 0 ? `line ${bad.line}, ` : ''}byte ${number(bad.byteOffset)}: ${bad.reason}`);
  const unknown = Object.entries(file.unknownRecords);
  if (unknown.length > 0) lines.push(`  kept raw    ${unknown.map(([kind, count]) => `${kind} × ${count}`).join(', ')}`);
  for (const warning of file.warnings) lines.push(`  warning     ${warning}`);
  const isLong = file.trajectories.length > MAX_IN_FULL;
  if (isLong) lines.push(`  trajectories ${number(file.trajectories.length)}; --trajectory I tells one in full`);
  for (const trajectory of file.trajectories) lines.push(...(isLong ? [trajectoryLine(trajectory)] : renderTrajectory(trajectory, file.trajectories.length > 1)));
  return lines.join('\n');
}

function usageText(usage: InspectUsage): string {
  if (Object.values(usage).every((value) => value === null)) return 'not recorded';
  return `input ${number(usage.input)}, cached ${number(usage.cacheRead)}, cache write ${number(usage.cacheWrite)}, output ${number(usage.output)}${usage.reasoning === null ? '' : ` (reasoning ${number(usage.reasoning)})`}`;
}

/** One of many: what it takes to find it and to ask for it. */
function trajectoryLine({ index, name, model, steps, messages, tokens, outcome }: InspectTrajectory): string {
  const facts = [count(steps, 'step'), count(messages, 'message'), ...(tokens ? [`${number(tokens.total)} tokens`] : []), ...(outcome?.label ? [outcome.label] : []), ...(outcome && outcome.reward !== null ? [`reward ${outcome.reward}`] : [])];
  return `    ${String(index).padStart(5)}  ${name}${model === null ? '' : `, ${model}`}: ${facts.join(', ')}`;
}

function renderTrajectory(trajectory: InspectTrajectory, isOneOfMany: boolean): string[] {
  const tokens = trajectory.tokens ? `, ${number(trajectory.tokens.total)} tokens (peak context ${number(trajectory.tokens.peakContext)}, ${trajectory.tokens.encoding})` : '';
  const lines = [
    `  trajectory  ${isOneOfMany ? `${trajectory.index}: ` : ''}${trajectory.name}${trajectory.model === null ? '' : `, ${trajectory.model}`}`,
    `              ${count(trajectory.steps, 'step')}, ${count(trajectory.messages, 'message')}, ${count(trajectory.interactionBlocks, 'interaction block')}${tokens}`,
  ];
  const events = Object.entries(trajectory.events);
  if (events.length > 0) lines.push(`              events: ${events.map(([kind, count]) => `${kind} × ${count}${inferredText(trajectory.inferredEvents[kind] ?? 0, count)}`).join(', ')}`);
  if (trajectory.outcome) {
    const { label, reward, success } = trajectory.outcome;
    const facts = [label, reward === null ? null : `reward ${reward}`, success === null ? null : success ? 'success' : 'failure'].filter((fact) => fact !== null);
    if (facts.length > 0) lines.push(`              outcome: ${facts.join(', ')}`);
  }
  if (trajectory.threads.length > 1 || trajectory.threads.some((thread) => thread.branches > 0)) {
    for (const thread of trajectory.threads) {
      lines.push(`    thread    ${thread.id}${thread.parent === null ? '' : ` in ${thread.parent}`}: ${count(thread.steps, 'step')}, ${count(thread.messages, 'message')}${thread.branches > 0 ? `, ${thread.branches} × branch` : ''}${thread.title === null ? '' : ` – ${thread.title}`}`);
    }
  }
  return lines;
}

function inferredText(inferred: number, all: number): string {
  return inferred === 0 ? '' : inferred === all ? ' (inferred)' : ` (${inferred} inferred)`;
}
