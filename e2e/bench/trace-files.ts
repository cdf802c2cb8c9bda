/** Large inputs of our own making: the bundled example repeated with fresh ids, and one long run with reuse in it. */
import { once } from 'node:events';
import { createWriteStream, readFileSync, writeFileSync } from 'node:fs';
import { seeded } from './numbers.ts';

const EXAMPLE = 'public/examples/claude-compaction.jsonl';
/** Ids and words that differ from round to round, so that nothing is the same record twice; the words are lexemes of the text. */
const VARIED = /(?:"(?:uu|parentUu|logicalParentUu)id":"[0-9a-f]{8})|toolu_|msg_|\b(?:tally|rounding|invoice|money|rates)\b/;
const ROUND_MS = 3_600_000;

/** Writes about `bytes` bytes of a Claude Code session: rounds of the example, each hanging on the one before. */
export async function writeSession(path: string, bytes: number): Promise<number> {
  const lines = readFileSync(EXAMPLE, 'utf8').trimEnd().split('\n');
  const out = createWriteStream(path);
  let written = 0;
  let lastUuid: string | null = null;
  for (let round = 0; written < bytes; round++) {
    const text: string[] = [];
    for (const [index, line] of lines.entries()) {
      // Later rounds go on with the conversation: no retried first message, no sub-agent.
      if (round > 0 && (index < 2 || line.includes('"isSidechain":true'))) continue;
      const record = varied(line, round);
      text.push(round > 0 && index === 2 ? record.replace('"parentUuid":null', `"parentUuid":"${lastUuid}"`) : record);
    }
    lastUuid = /"uuid":"([^"]+)"/.exec(text.at(-1)!)![1]!;
    const chunk = Buffer.from(text.join('\n') + '\n');
    written += chunk.length;
    if (!out.write(chunk)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return written;
}

function varied(line: string, round: number): string {
  const tag = round.toString(36);
  return line
    .replace(new RegExp(VARIED, 'g'), (found) => {
      if (found.endsWith('_')) return `${found}${tag}_`;
      if (found.includes('":"')) return found.slice(0, -8) + ((parseInt(found.slice(-8), 16) ^ Math.imul(round, 0x9e3779b1)) >>> 0).toString(16).padStart(8, '0');
      return `${found}_${tag}`;
    })
    .replace(/"timestamp":"([^"]+)"/, (_, time: string) => `"timestamp":"${new Date(Date.parse(time) + round * ROUND_MS).toISOString()}"`);
}

/** One OpenAI chat of `steps` model calls with two tool results each (3 blocks a step), whose calls use names found in earlier results. */
export function writeLongRun(path: string, steps: number): void {
  const random = seeded(7);
  const pick = (n: number): number => Math.floor(random() * n);
  const messages: object[] = [
    { role: 'system', content: 'You keep the services of a small shop running. Use the tools.' },
    { role: 'user', content: 'Go through the modules one by one, note what each exports, and repair what is broken.' },
  ];
  for (let t = 0; t < steps; t++) {
    const known = Math.max(0, t - 1 - pick(40));
    const calls = [0, 1].map((k) => ({ id: `call_${t}_${k}`, type: 'function', function: { name: k === 0 ? 'read_file' : 'run', arguments: JSON.stringify(k === 0 ? { path: modulePath(known) } : { command: `node check.js --export ${exportName(known)} --case ${1000 + pick(9000)}` }) } }));
    messages.push({ role: 'assistant', content: `Step ${t + 1}: ${modulePath(known)} exports ${exportName(known)}; I look at what uses it.`, tool_calls: calls });
    messages.push({ role: 'tool', tool_call_id: `call_${t}_0`, content: `// ${modulePath(t)}\nimport { ${exportName(known)} } from '../${modulePath(known)}';\nexport function ${exportName(t)}(order) {\n  const total_${t} = ${exportName(known)}(order) * ${1 + pick(900)};\n  return { total_${t}, checked: ${pick(2) === 1} };\n}\n` });
    messages.push({ role: 'tool', tool_call_id: `call_${t}_1`, content: `case ${1000 + pick(9000)}: expected ${pick(5000)}, found ${pick(5000)}\n${pick(8) === 0 ? `Error: cannot find ${exportName(t)} in ${modulePath(t)}` : `ok ${exportName(t)} in ${pick(400)} ms`}\nnext: ${modulePath(t)}` });
  }
  writeFileSync(path, JSON.stringify({ title: `${steps} steps`, model: 'scripted-agent', messages }));
}

const modulePath = (i: number): string => `src/shop${i % 97}/part_${i}.js`;
const exportName = (i: number): string => `computeTotal${i}`;

/** Row-major float32 rows of unit length: `strong` directions of falling weight and noise, as embeddings of one run look. */
export function writeUnitRows(path: string, n: number, d: number, strong = 32): void {
  const random = seeded(n * 31 + d);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const directions = Array.from({ length: strong }, () => Float64Array.from({ length: d }, normal));
  const rows = new Float32Array(n * d);
  for (let i = 0; i < n; i++) {
    const row = Float64Array.from({ length: d }, () => 0.6 * normal());
    directions.forEach((direction, k) => {
      const weight = normal() * (2 / Math.sqrt(k + 1));
      for (let j = 0; j < d; j++) row[j] = row[j]! + weight * direction[j]!;
    });
    const length = Math.hypot(...row);
    for (let j = 0; j < d; j++) rows[i * d + j] = row[j]! / length;
  }
  writeFileSync(path, Buffer.from(rows.buffer));
}
