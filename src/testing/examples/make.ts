/** Makes the bundled examples: `npx tsx src/testing/examples/make.ts`. Running it again gives the same bytes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { makeClaudeRun } from './claude.ts';
import { lifelinesOf } from './lifelines.ts';
import { makeMiniRun } from './mini.ts';
import { makeVistaRun } from './vista.ts';

const out = new URL('../../../public/examples/', import.meta.url);
mkdirSync(out, { recursive: true });
const examples = [
  { file: 'vista-two-levels.json', title: 'Archive, recover, archive the archives', look: 'The agent archives bundles, then a bundle of bundles, and twice brings exact bytes back. Watch what auto-archive would have done at 4 000 tokens.', text: makeVistaRun() },
  { file: 'claude-compaction.jsonl', title: 'Why did it forget?', look: 'A compaction at step 12 drops a number the agent needs later, and it has to read the file again. Press ] to go to the compaction.', text: makeClaudeRun() },
  { file: 'mini-swe-fix.traj.json', title: 'A short fix in one shell', look: 'Every observation stays. Compare tool-clearing and observation-masking, then the selectors at step 20.', text: makeMiniRun() },
];
for (const { file, text } of examples) writeFileSync(new URL(file, out), text);
const manifest = await Promise.all(examples.map(async ({ file, title, look, text }) => ({ file, title, look, lifelines: await lifelinesOf(file, text) })));
writeFileSync(new URL('manifest.json', out), `${JSON.stringify(manifest)}\n`);
