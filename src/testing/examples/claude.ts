/**
 * A session in Claude Code's layout: a subagent in the file, an edited prompt (branch), and a compaction whose summary
 * leaves out a number that is needed later, so that the agent has to read the file again. Commands are really run; no
 * provider was called, so there is no usage.
 */
import { createHash } from 'node:crypto';
import { Project, type Outcome } from './recorder.ts';

const SESSION = '5b0d7c1e-2f64-4c0a-9d51-7a3e1c88f0d2';
const MODEL = 'scripted-agent';

export function makeClaudeRun(): string {
  const project = new Project();
  const lines: object[] = [];
  let clock = Date.UTC(2026, 3, 2, 8, 30, 0);
  let count = 0;
  let parent: string | null = null;

  const uuid = () => {
    const hex = createHash('sha256').update(`line ${(count += 1)}`).digest('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
  };
  function line(fields: object, sidechain = false): string {
    const id = uuid();
    clock += 2_000 + (count % 5) * 700;
    lines.push({ parentUuid: parent, isSidechain: sidechain, userType: 'external', cwd: '/home/dev/tally', sessionId: SESSION, version: '2.1.0', gitBranch: 'main', uuid: id, timestamp: new Date(clock).toISOString(), ...fields });
    parent = id;
    return id;
  }
  const user = (text: string, extra: object = {}, sidechain = false) => line({ type: 'user', message: { role: 'user', content: text }, ...extra }, sidechain);
  let calls = 0;
  function assistant(say: string, uses: { name: string; input: object }[], sidechain = false): string[] {
    const id = `msg_${String(count).padStart(4, '0')}`;
    const blocks: object[] = say ? [{ type: 'text', text: say }] : [];
    const ids = uses.map(() => `toolu_${String((calls += 1)).padStart(4, '0')}`);
    uses.forEach((use, i) => blocks.push({ type: 'tool_use', id: ids[i], name: use.name, input: use.input }));
    // One line a content block, as the real writer does.
    for (const block of blocks) line({ type: 'assistant', message: { id, type: 'message', role: 'assistant', model: MODEL, content: [block], stop_reason: null }, requestId: `req_${id}` }, sidechain);
    return ids;
  }
  function result(id: string, { output, exitCode }: Outcome, sidechain = false): void {
    line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: output || '(no output)', is_error: exitCode !== 0 }] } }, sidechain);
  }
  function bash(say: string, ...commands: string[]): void {
    const ids = assistant(say, commands.map((command) => ({ name: 'Bash', input: { command } })));
    commands.forEach((command, i) => result(ids[i]!, project.run(command)));
  }
  function read(say: string, path: string): void {
    const [id] = assistant(say, [{ name: 'Read', input: { file_path: `/home/dev/tally/${path}` } }]);
    result(id!, project.run(`cat -n ${path}`));
  }

  user('Make every region round with its own mode, and add a command that lists the rates and the tolerance in force on a day.');
  // The first wording was edited before the answer was used: a branch that stays in the file.
  const first = parent;
  assistant('I will only list the rates.', []);
  parent = null;
  user('Make every region round with its own mode, and add a command `bin/rules.js` that prints, for a day: region, mode, rate, and the half tolerance.');
  bash('I look at the project first.', 'ls -R . | grep -v node_modules | head -50');
  read('The notes.', 'README.md');
  read('Rounding holds the modes and the tolerance.', 'src/rounding.js');
  read('The rates.', 'src/tax.js');
  read('Where they meet.', 'src/invoice.js');

  // A subagent looks for every caller; its lines are a tree of their own.
  const prompt = 'Find every place in /home/dev/tally that calls roundCents or rateOn, and say for each whether it passes the region.';
  const [task] = assistant('A second pair of eyes for the callers.', [{ name: 'Task', input: { description: 'Find callers', prompt, subagent_type: 'general-purpose' } }]);
  const main = parent;
  parent = null;
  user(prompt, {}, true);
  const [grep] = assistant('I search.', [{ name: 'Grep', input: { pattern: 'roundCents|rateOn|modeFor' } }], true);
  result(grep!, project.run('grep -rnE "roundCents|rateOn|modeFor" src bin test data'), true);
  const [look] = assistant('The callers in context.', [{ name: 'Bash', input: { command: 'sed -n 1,22p src/invoice.js && sed -n 1,45p data/generate.js' } }], true);
  result(look!, project.run('sed -n 1,22p src/invoice.js && sed -n 1,45p data/generate.js'), true);
  const answer = 'src/invoice.js calls roundCents twice (net and tax) and passes no mode; it passes the region to rateOn. data/generate.js passes region and mode to both. No test calls invoiceLine.';
  assistant(answer, [], true);
  parent = main;
  line({ type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: task, content: [{ type: 'text', text: answer }] }] }, toolUseResult: { status: 'completed', prompt, agentId: 'a1b2c3d', totalToolUseCount: 2 } });

  bash('So invoiceLine is the only place to change. What does the drift look like before?', 'node bin/batch.js --month 2026-01 --verbose', 'node bin/batch.js --month 2026-02 --verbose');
  bash('The fix.', `sed -i "s/import { roundCents }/import { modeFor, roundCents }/; s/const gross =/const mode = modeFor(record.region);\\n  const gross =/; s/record.units));/record.units), mode);/; s#/ 10_000);#/ 10_000, mode);#" src/invoice.js && git diff`);
  bash('Batches and tests.', 'for m in 01 02 03; do node bin/batch.js --month 2026-$m | tail -1; done', 'node --test 2>&1 | tail -60');
  bash('I keep a larger sample of lines to compare with after the next change.', 'node bin/batch.js --month 2026-03 --verbose');
  bash('And the usage data, to see which regions occur.', 'head -c 2500 data/usage-2026-03.json', `node -e "const r=JSON.parse(require('fs').readFileSync('data/usage-2026-03.json','utf8'));const c={};for(const x of r)c[x.region]=(c[x.region]??0)+1;console.log(c)"`);

  // The window is nearly full: everything so far becomes a summary. It names the modes, not the tolerance.
  const before = parent;
  parent = null;
  line({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info', logicalParentUuid: before, compactMetadata: { trigger: 'auto', preTokens: 13_480 } });
  user(`This session is being continued from a previous conversation that ran out of context. Summary:

1. Task: every region rounds with its own mode; add bin/rules.js that prints region, mode, rate and half tolerance for a day.
2. Done: src/invoice.js passes modeFor(record.region) to both roundings. The three batches no longer drift, tests are green.
3. Facts: modes EU and UK half-even, US and CA half-up, JP floor (src/rounding.js). Rates in src/tax.js with effective days.
4. Next: write bin/rules.js, run it for 2026-01-28 and 2026-02-28, add a test.`, { isCompactSummary: true, isVisibleInTranscriptOnly: true });

  bash('I write the command. The name of the constant for the tolerance is not in my notes, so I look it up before I guess.', 'grep -n "export const" src/*.js');
  read('The value and its reason, exactly.', 'src/rounding.js');
  bash('Now the command.', `cat > bin/rules.js <<'JS'
import { HALF_TOLERANCE, REGION_MODE } from '../src/rounding.js';
import { rateOn } from '../src/tax.js';

const day = process.argv[2];
if (!/^\\d{4}-\\d{2}-\\d{2}$/.test(day ?? '')) {
  console.error('usage: node bin/rules.js YYYY-MM-DD');
  process.exit(2);
}
for (const [region, mode] of Object.entries(REGION_MODE)) console.log(region, mode, rateOn(region, day) / 100 + ' %');
console.log('half tolerance', HALF_TOLERANCE);
JS
node bin/rules.js 2026-01-28 && node bin/rules.js 2026-02-28`);
  bash('The US rate changes in between, as it should. A wrong call must fail with 2.', 'node bin/rules.js; echo "exit $?"', 'node bin/rules.js 1999-01-01');
  bash('A day before the first rate throws a stack trace: one line is enough.', `python3 - <<'PY'
path = 'bin/rules.js'
text = open(path).read()
text = text.replace("for (const [region", "try {\\n  for (const [region").replace("' %');\\n", "' %');\\n} catch (error) {\\n  console.error(error.message);\\n  process.exit(1);\\n}\\n")
open(path, 'w').write(text)
PY
node bin/rules.js 1999-01-01; echo "exit $?"; node bin/rules.js 2026-02-28`);
  bash('A test for it.', `cat > test/rules.test.js <<'JS'
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

test('prints mode, rate and tolerance of a day', () => {
  const out = execFileSync('node', ['bin/rules.js', '2026-02-28'], { encoding: 'utf8' });
  assert.match(out, /US half-up 7.25 %/);
  assert.match(out, /half tolerance 4.7e-9/);
});
JS
node --test 2>&1 | grep -E "^(ok|not ok|# (pass|fail))"`);
  bash('Everything together once more, then the commit.', 'git add -A && git diff --cached --stat', 'git commit -qm "Region modes and bin/rules.js" && git log --oneline');
  assistant('Every region rounds with its own mode, and `node bin/rules.js 2026-02-28` prints region, mode, rate and the half tolerance 4.7e-9. The tolerance had been lost in the compaction; I read src/rounding.js again for it.', []);
  void first;
  project.remove();
  return lines.map((entry) => JSON.stringify(entry)).join('\n') + '\n';
}
