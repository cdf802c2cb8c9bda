/** Keys of interface.md §2 as one table: the same rows drive the handler and the help dialog. */
export type Command =
  | 'next-step' | 'previous-step' | 'next-event' | 'previous-event' | 'next-compaction' | 'previous-compaction'
  | 'first-step' | 'last-step' | 'play' | 'go-to-step'
  | 'arcs' | 'fit' | 'zoom-in' | 'zoom-out' | 'pan-left' | 'pan-right'
  | 'open' | 'corpus' | 'help' | 'search' | 'palette' | 'clear' | 'operate' | 'undo' | 'redo' | 'tab-1' | 'tab-2' | 'tab-3' | 'tab-4' | 'tab-5' | 'tab-6' | 'tab-7' | 'tab-8' | 'tab-9';

export interface KeyRow { keys: string[]; command: Command; does: string; group: 'Steps' | 'Timeline' | 'Everywhere' }

export const KEY_ROWS: readonly KeyRow[] = [
  { keys: ['k', 'ArrowRight'], command: 'next-step', does: 'Next step', group: 'Steps' },
  { keys: ['j', 'ArrowLeft'], command: 'previous-step', does: 'Previous step', group: 'Steps' },
  { keys: ['Shift+ArrowRight'], command: 'next-event', does: 'Next context event', group: 'Steps' },
  { keys: ['Shift+ArrowLeft'], command: 'previous-event', does: 'Previous context event', group: 'Steps' },
  { keys: [']'], command: 'next-compaction', does: 'Next compaction', group: 'Steps' },
  { keys: ['['], command: 'previous-compaction', does: 'Previous compaction', group: 'Steps' },
  { keys: ['Home'], command: 'first-step', does: 'First step', group: 'Steps' },
  { keys: ['End'], command: 'last-step', does: 'Last step', group: 'Steps' },
  { keys: ['Space'], command: 'play', does: 'Play or pause', group: 'Steps' },
  { keys: ['g'], command: 'go-to-step', does: 'Go to step…', group: 'Steps' },
  { keys: ['e'], command: 'arcs', does: 'Evidence arcs: none, those of the selection, all', group: 'Timeline' },
  { keys: ['f'], command: 'fit', does: 'Fit the whole run', group: 'Timeline' },
  { keys: ['w'], command: 'zoom-in', does: 'Zoom in', group: 'Timeline' },
  { keys: ['s'], command: 'zoom-out', does: 'Zoom out', group: 'Timeline' },
  { keys: ['a'], command: 'pan-left', does: 'Pan left', group: 'Timeline' },
  { keys: ['d'], command: 'pan-right', does: 'Pan right', group: 'Timeline' },
  { keys: ['o'], command: 'open', does: 'Open file', group: 'Everywhere' },
  { keys: ['c'], command: 'corpus', does: 'Corpus: tables over many runs', group: 'Everywhere' },
  { keys: ['Ctrl+k'], command: 'palette', does: 'Command palette: actions, runs, steps, blocks, tools', group: 'Everywhere' },
  { keys: ['/', 'Ctrl+f'], command: 'search', does: 'Search the whole run', group: 'Everywhere' },
  { keys: ['m'], command: 'operate', does: 'Archive, bundle, pin, delete, recover the selected block by hand', group: 'Everywhere' },
  { keys: ['Ctrl+z'], command: 'undo', does: 'Undo in the manual scenario', group: 'Everywhere' },
  { keys: ['Ctrl+Shift+z', 'Ctrl+y'], command: 'redo', does: 'Redo in the manual scenario', group: 'Everywhere' },
  { keys: ['?'], command: 'help', does: 'This list', group: 'Everywhere' },
  { keys: ['Escape'], command: 'clear', does: 'Clear the selection', group: 'Everywhere' },
  { keys: ['1'], command: 'tab-1', does: 'Transcript', group: 'Everywhere' },
  { keys: ['2'], command: 'tab-2', does: 'Ledger', group: 'Everywhere' },
  { keys: ['3'], command: 'tab-3', does: 'Prompt', group: 'Everywhere' },
  { keys: ['4'], command: 'tab-4', does: 'Evidence', group: 'Everywhere' },
  { keys: ['5'], command: 'tab-5', does: 'Geometry', group: 'Everywhere' },
  { keys: ['6'], command: 'tab-6', does: 'Selectors', group: 'Everywhere' },
  { keys: ['7'], command: 'tab-7', does: 'Policies', group: 'Everywhere' },
  { keys: ['8'], command: 'tab-8', does: 'Cost', group: 'Everywhere' },
  { keys: ['9'], command: 'tab-9', does: 'Manual', group: 'Everywhere' },
];

export interface KeyPress { key: string; shiftKey: boolean; ctrlKey: boolean; metaKey: boolean; altKey: boolean }
/** What has the focus: its own use of a key comes first. */
export type Focus = 'none' | 'text' | 'range' | 'rows' | 'tabs' | 'button';

const COMMANDS = new Map(KEY_ROWS.flatMap(({ keys, command }) => keys.map((key) => [key, command] as const)));
const TAKES: Record<Focus, RegExp> = {
  none: /^$/,
  text: /./,
  range: /^(Arrow|Home|End|Page)/,
  rows: /^(ArrowUp|ArrowDown|Home|End|Page|Enter|Space)/,
  tabs: /^(ArrowLeft|ArrowRight|Home|End)$/,
  button: /^(Enter|Space)$/,
};

/** The command of a key press; null = none, or the focused control needs the key, or shortcuts are off. */
export function commandOf(press: KeyPress, focus: Focus, enabled: boolean): Command | null {
  if (press.altKey) return null;
  // Ctrl, or ⌘ on a Mac: switching single keys off does not touch these, and of controls only texts have an undo of their own.
  if (press.ctrlKey || press.metaKey) {
    const command = COMMANDS.get(`Ctrl+${press.shiftKey ? 'Shift+' : ''}${press.key.toLowerCase()}`) ?? null;
    return focus === 'text' && (command === 'undo' || command === 'redo') ? null : command;
  }
  const plain = press.key === ' ' ? 'Space' : press.key.length === 1 ? press.key.toLowerCase() : press.key;
  if (TAKES[focus].test(plain)) return null;
  // Shift is part of how `?` is typed on most layouts, so it only counts with named keys.
  const name = press.shiftKey && plain.length > 1 ? `Shift+${plain}` : plain;
  const command = COMMANDS.get(name) ?? null;
  if (!enabled && plain.length === 1) return null;
  return command;
}
