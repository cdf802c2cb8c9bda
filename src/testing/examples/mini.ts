/** A run in mini-swe-agent's layout (v1.1): one shell, every observation kept. The commands are really run. */
import { Project } from './recorder.ts';

const SYSTEM = 'You can run one bash command a turn. When the task is done, run: echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT';
const TASK = 'Please solve this issue: totals of EU, UK and JP customers differ by a cent or two from the ledger. Work in /home/dev/tally. Do not change the expected totals in data/.';

const STEPS: readonly [string, string][] = [
  ['I look at the project.', 'ls -F . src bin test data && cat package.json'],
  ['The notes.', 'cat README.md'],
  ['The audit rules may bind rounding.', 'cat docs/audit.md'],
  ['Reproduce the January drift.', 'node bin/batch.js --month 2026-01'],
  ['A wrong guess first: is it the tax table?', 'cat src/tax.js'],
  ['Rates look right. Money parsing?', 'cat src/money.js && cat test/money.test.js'],
  ['Not that either. Rounding.', 'cat src/rounding.js'],
  ['Who uses the mode of a region?', 'grep -rn "modeFor" src bin test'],
  ['Only the test. The invoice line then.', 'cat src/invoice.js'],
  ['Which regions drift in all months?', 'for m in 01 02 03; do node bin/batch.js --month 2026-$m | grep DRIFT | cut -d" " -f4; done | sort | uniq -c'],
  ['Try the fix by hand.', `sed -i "s/record.units));/record.units), modeFor(record.region));/" src/invoice.js && node bin/batch.js --month 2026-01 | tail -3`],
  ['I forgot the import.', `sed -i "s/import { roundCents }/import { modeFor, roundCents }/" src/invoice.js && node bin/batch.js --month 2026-01 | grep -E "DRIFT|done"`],
  ['The tax is still rounded half-up.', `sed -i "s#/ 10_000);#/ 10_000, modeFor(record.region));#" src/invoice.js && for m in 01 02 03; do node bin/batch.js --month 2026-$m | grep -E "DRIFT|done"; done`],
  ['Clean up: one constant for the mode.', `sed -i "s/const gross =/const mode = modeFor(record.region);\\n  const gross =/; s/, modeFor(record.region));/, mode);/g" src/invoice.js && cat src/invoice.js`],
  ['Run the tests.', 'node --test 2>&1 | tail -45'],
  ['A test for an invoice line is missing.', `cat > test/invoice.test.js <<'JS'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoiceLine } from '../src/invoice.js';

const record = { customer: 'x', region: 'EU', units: 500, unitPrice: 17 };

test('EU rounds half to even', () => assert.equal(invoiceLine(record, '2026-02-28').net, 8203));
JS
node --test test/invoice.test.js`],
  ['My expected value was wrong: 8202.5 goes to the even neighbour, 8202.', 'sed -i "s/8203/8202/" test/invoice.test.js && node --test test/invoice.test.js | grep -E "^(ok|not ok|# (pass|fail))"'],
  ['US must still round half up.', `cat >> test/invoice.test.js <<'JS'

test('US rounds half up', () => assert.equal(invoiceLine({ ...record, region: 'US' }, '2026-02-28').net, 8203));
JS
node --test 2>&1 | grep -E "^(ok|not ok|# (pass|fail))"`],
  ['An unknown region must fail with its name.', `node -e "import('./src/invoice.js').then(m => m.invoiceLine({ customer: 'x', region: 'XX', units: 1, unitPrice: 1 }, '2026-01-28'))"`],
  ['It does. All months in full once more.', 'for m in 01 02 03; do node bin/batch.js --month 2026-$m | grep -E "batch|done"; done'],
  ['Check that data is untouched.', 'git status --short && git diff --stat'],
  ['The whole change.', 'git diff'],
  ['Commit.', 'git add -A && git commit -qm "Round with the mode of the region" && git log --oneline'],
];

export function makeMiniRun(): string {
  const project = new Project();
  const messages: object[] = [{ role: 'system', content: SYSTEM }, { role: 'user', content: TASK }];
  for (const [say, command] of [...STEPS, ['Done.', 'echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT'] as const]) {
    const { output, exitCode } = project.run(command);
    messages.push({ role: 'assistant', content: `THOUGHT: ${say}\n\n\`\`\`bash\n${command}\n\`\`\`` });
    messages.push({ role: 'user', content: `<returncode>${exitCode}</returncode>\n<output>\n${output}\n</output>` });
  }
  project.remove();
  const info = { exit_status: 'Submitted', submission: '', model_stats: { instance_cost: 0, api_calls: STEPS.length + 1 }, mini_version: '1.1.0' };
  return `${JSON.stringify({ info, messages, trajectory_format: 'mini-swe-agent-1.1' }, null, 1)}\n`;
}
