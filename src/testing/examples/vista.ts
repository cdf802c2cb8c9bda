/**
 * A run in VISTA's manner: the agent sees a dashboard of its context, archives what it no longer needs, archives the
 * archives (level 2), and recovers exact bytes when it needs them. Written as OpenAI chat messages.
 * Block ids count messages from B1 (system), a tool message being one block, as VISTA's do.
 */
import { createHash } from 'node:crypto';
import { Project } from './recorder.ts';

interface Call { id: string; type: 'function'; function: { name: string; arguments: string } }
interface ChatMessage { role: string; content: string | null; tool_calls?: Call[]; tool_call_id?: string }

const BUDGET = 16_000;
const SYSTEM = `You are a careful maintenance engineer working in a shell.
Your context window holds ${BUDGET} tokens. A status block lists every context block with its size and age. When space runs
short, archive blocks you do not need now with context_workspace_archive (several ids make one bundle; a bundle can be archived
again). Nothing archived is lost: context_workspace_recover brings exact bytes back. Quote identifiers exactly as printed.`;
const TASK = `The January, February and March batches of tally drift by a few cents for some customers. Find out why, fix it, keep
the tests green, and write docs/corrections/2026-01.md as docs/audit.md asks. Work in /home/dev/tally.`;

const parameters = (properties: Record<string, unknown>, required: string[]) => ({ type: 'object', properties, required });
const TOOLS = [
  { type: 'function', function: { name: 'bash', description: 'Run a shell command and return its output.', parameters: parameters({ command: { type: 'string' } }, ['command']) } },
  { type: 'function', function: { name: 'context_workspace_archive', description: 'Move blocks out of the visible context, losslessly. block_id: an id, a list or a range (B3, B3,B4, B10-B20, G2).', parameters: parameters({ block_id: { type: 'string' }, replacement: { type: 'string', description: 'what to remember of them' } }, ['block_id']) } },
  { type: 'function', function: { name: 'context_workspace_recover', description: 'Bring the exact text of an archived block back.', parameters: parameters({ block_id: { type: 'string' } }, ['block_id']) } },
];

export function makeVistaRun(): string {
  const project = new Project();
  const messages: ChatMessage[] = [{ role: 'system', content: SYSTEM }, { role: 'user', content: TASK }];
  const level = new Map<string, number>();
  let groups = 0;
  let calls = 0;

  const call = (name: string, args: object): Call => ({ id: `call_${String((calls += 1)).padStart(3, '0')}`, type: 'function', function: { name, arguments: JSON.stringify(args) } });

  /** One assistant turn with its commands really run; returns the block id of the first result. */
  function bash(say: string, ...commands: string[]): string {
    const made = commands.map((command) => call('bash', { command }));
    messages.push({ role: 'assistant', content: say, tool_calls: made });
    const first = `B${messages.length + 1}`;
    for (const [i, command] of commands.entries()) {
      const { output, exitCode } = project.run(command);
      messages.push({ role: 'tool', tool_call_id: made[i]!.id, content: exitCode === 0 ? output : `${output}\n(exit code ${exitCode})` });
    }
    return first;
  }

  function archive(say: string, ids: string, replacement: string): string {
    const made = call('context_workspace_archive', { block_id: ids, replacement });
    const group = `G${(groups += 1)}`;
    const inner = ids.split(/[,-]/).map((id) => level.get(id) ?? 0);
    level.set(group, Math.max(...inner) + 1);
    messages.push({ role: 'assistant', content: say, tool_calls: [made] });
    messages.push({ role: 'tool', tool_call_id: made.id, content: `[ARCHIVED:${group} L${level.get(group)}] blocks=${ids} recoverable=yes | ${replacement}` });
    return group;
  }

  /** Returns the block id of the recovered copy. */
  function recover(say: string, id: string): string {
    const text = messages[Number(id.slice(1)) - 1]!.content ?? '';
    const made = call('context_workspace_recover', { block_id: id });
    messages.push({ role: 'assistant', content: say, tool_calls: [made] });
    messages.push({ role: 'tool', tool_call_id: made.id, content: `[RECOVERED:${id} sha256=${createHash('sha256').update(text).digest('hex').slice(0, 16)}]\n${text}` });
    return `B${messages.length}`;
  }

  bash('I start with the layout and the notes.', 'ls -R . | grep -v "^./.git" | head -60', 'cat README.md');
  const audit = bash('The audit note decides what the correction must hold, so I read it before anything else.', 'cat docs/audit.md');
  bash('Now the pieces that an amount passes through, in order.', 'cat src/money.js');
  const rounding = bash('Rounding is the usual suspect for cents.', 'cat src/rounding.js');
  bash('Tax next.', 'cat src/tax.js');
  bash('Discounts are the only place with fractions.', 'cat src/discount.js');
  const invoiceSource = bash('And where they come together.', 'cat src/invoice.js', 'cat bin/batch.js');
  const january = bash('I run the January batch to see the drift itself.', 'node bin/batch.js --month 2026-01 --verbose');
  bash('The drift is in JP lines only in January. Are the tests green as they stand?', 'node --test 2>&1 | tail -40');
  const explored = archive(
    'I have what I need of the layout, money, rounding, tax and discount; those reads and the test output can go. The January log is large: I keep its head in mind and archive it too.',
    `B3,B4,B5,B8-B15,${january},B21,B22`,
    'Layout, src/money.js, src/rounding.js (B11: modes by region, a half tolerance), src/tax.js (rates by region and day), src/discount.js (shares 0.175 / 0.0825 / 0.035), January log (5 JP lines drift by +1 or +2), tests green.',
  );
  const february = bash('February: do other regions drift as well?', 'node bin/batch.js --month 2026-02 --verbose');
  bash('EU lines drift too, always upwards. Let me see only the drifting ones of March.', 'node bin/batch.js --month 2026-03 | grep -E "DRIFT|batch|done"');
  bash('All drifting lines are in regions whose mode is not half-up. Which of them sit on a half?', `node -e "
const records = JSON.parse(require('fs').readFileSync('data/usage-2026-02.json', 'utf8'));
const share = (u) => u >= 10000 ? 0.175 : u >= 2500 ? 0.0825 : u >= 500 ? 0.035 : 0;
for (const r of records) { const v = r.units * r.unitPrice * (1 - share(r.units)); console.log(r.customer, r.region, v.toFixed(9), 'fraction', (v % 1).toFixed(12)); }"`);
  bash('So invoiceLine rounds with the default mode whatever the region: modeFor is imported nowhere. I check that claim.', 'grep -rn "modeFor\\|roundCents" src bin test');
  const february2 = archive('The February log and the fractions did their work.', `${february},B28,B29,B30`, 'February: EU and JP lines drift by +1 or +2; fractions sit on exact halves or need floor. Cause: invoiceLine never passes the region mode.');
  bash('I fix the cause: one rounding for net and one for tax, both with the mode of the region.', `python3 - <<'PY'
import re
path = 'src/invoice.js'
text = open(path).read()
text = text.replace("import { roundCents } from './rounding.js';", "import { modeFor, roundCents } from './rounding.js';")
text = text.replace("const gross =", "const mode = modeFor(record.region);\\n  const gross =")
text = text.replace("roundCents(discounted(gross, record.units))", "roundCents(discounted(gross, record.units), mode)")
text = text.replace("/ 10_000);", "/ 10_000, mode);")
open(path, 'w').write(text)
PY
git diff --stat && cat src/invoice.js`);
  bash('All three months again, only what still drifts.', 'for m in 01 02 03; do node bin/batch.js --month 2026-$m | grep -E "DRIFT|batch|done"; done');
  const both = archive('Two bundles of finished work can be one: I archive them together (level 2).', `${explored},${february2}`, 'Everything up to the fix: sources read, January and February logs, cause found (region mode ignored).');
  bash('No drift in these three months. But floor meets floating point: 1 − 0.0825 is not exact, so a whole number of cents can arrive a hair too small. Does that happen?', `node -e "
let lost = 0, seen = 0, example = '';
for (let units = 500; units < 12000; units += 100) for (let price = 5; price < 100; price += 1) {
  const share = units >= 10000 ? 0.175 : units >= 2500 ? 0.0825 : 0.035;
  const exact = units * price * Math.round((1 - share) * 10000) / 10000;
  const value = units * price * (1 - share);
  if (Number.isInteger(exact)) { seen += 1; if (Math.floor(value) !== exact) { lost += 1; example ||= units + ' x ' + price + ' = ' + value; } }
}
console.log(lost, 'of', seen, 'whole amounts lose a cent, first:', example);"`);
  recover('It does not, so floor stays as it is. The correction must state the half tolerance in force, digit by digit: I do not trust my memory of it and bring src/rounding.js back.', rounding);
  bash('A test that ties an invoice line to the mode of its region belongs beside the fix.', `cat > test/invoice.test.js <<'JS'
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invoiceLine } from '../src/invoice.js';

test('an invoice line rounds with the mode of its region', () => {
  const record = { customer: 'x', region: 'EU', units: 500, unitPrice: 17 };
  assert.equal(invoiceLine(record, '2026-02-28').net, 8202);
  assert.equal(invoiceLine({ ...record, region: 'US' }, '2026-02-28').net, 8203);
});
JS
node --test 2>&1 | tail -30`);
  const log = recover('The correction must carry the ledger reference of the January batch exactly as it was printed then, and the sum of the differences. Both are in the archived log.', january);
  bash('I write the correction from the recovered log: 5 invoices, +1 +2 +1 +2 +2 cents.', `mkdir -p docs/corrections && REF=$(node bin/batch.js --month 2026-01 | head -1 | sed 's/.*ledger-ref //') && cat > docs/corrections/2026-01.md <<MD
# Correction of the January batch

- ledger reference: $REF
- invoices changed: 5
- sum of the differences: -8 cents
- half tolerance in force: 4.7e-9
MD
cat docs/corrections/2026-01.md`);
  archive('The recovered log is in the file now.', log, 'January log, second copy; reference LR-1FE3-6CB0 is in docs/corrections/2026-01.md.');
  bash('A last look at the whole change before I commit.', 'git add -A && git diff --cached --stat && git diff --cached -- src', 'node --test 2>&1 | grep -E "^# (tests|pass|fail)"');
  bash('Commit.', 'git commit -qm "Round with the mode of the region" && git log --oneline && git status --short | wc -l');
  messages.push({
    role: 'assistant',
    content: `Done. Cause: invoiceLine rounded with the default mode (half-up) whatever the region, so EU, UK and JP lines drifted upwards. It is fixed, with a test; floor loses nothing to floating point in a grid of 6 317 whole amounts. The correction for January is docs/corrections/2026-01.md: reference LR-1FE3-6CB0, 5 invoices, −8 cents, half tolerance 4.7e-9. (Notes kept in sight: ${audit}; archives ${explored}, ${february2} in ${both}; ${invoiceSource} was the file to change.)`,
  });
  project.remove();
  return `${JSON.stringify({ messages, tools: TOOLS, metadata: { agent: 'scripted', context_budget: BUDGET } }, null, 1)}\n`;
}
