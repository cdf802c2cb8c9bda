import { ROW_IDS, type RowId } from './rows.ts';

export interface BenchOptions {
  json: boolean;
  only: ReadonlySet<RowId>;
  /** Small inputs, fewer repetitions: to see that everything runs. */
  quick: boolean;
  /** 500 MB where the default takes 200. */
  full: boolean;
}

/** Throws with the known names. */
export function parseOptions(args: readonly string[]): BenchOptions {
  const options = { json: false, quick: false, full: false };
  let only: string[] = [...ROW_IDS];
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!;
    if (arg === '--json' || arg === '--quick' || arg === '--full') options[arg.slice(2) as 'json' | 'quick' | 'full'] = true;
    else if (arg === '--only') only = (args[++i] ?? '').split(',');
    else if (arg.startsWith('--only=')) only = arg.slice(7).split(',');
    else throw new Error(`bench: unknown argument "${arg}". Known: --json, --only ID[,ID], --quick, --full.`);
  }
  const unknown = only.filter((id) => !(ROW_IDS as readonly string[]).includes(id));
  if (unknown.length > 0) throw new Error(`bench: no row is called "${unknown.join(', ')}". There are: ${ROW_IDS.join(', ')}.`);
  return { ...options, only: new Set(only as RowId[]) };
}
