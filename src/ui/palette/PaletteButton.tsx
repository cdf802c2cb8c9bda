import { modifierName } from '../shared/modifier';

/** Says how the palette is reached without it. */
export function PaletteButton({ onClick }: { onClick: () => void }) {
  const modifier = modifierName();
  return (
    <button type="button" className="quiet palette-button" onClick={onClick} aria-label="Command palette" aria-keyshortcuts={modifier === '⌘' ? 'Meta+K' : 'Control+K'} title="Command palette">
      <kbd>{modifier === '⌘' ? '⌘K' : 'Ctrl K'}</kbd>
    </button>
  );
}
