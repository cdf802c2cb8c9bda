import type { BlockKind } from '../../core/trace/blocks-types';
import { kindLook } from './kinds';
import './kind-tag.css';

/** Swatch, letter and word of a block kind; hue never stands alone. */
export function KindTag({ kind, isError = false, word = true }: { kind: BlockKind; isError?: boolean; word?: boolean }) {
  const { letter, word: name, fill } = kindLook(kind, isError);
  return (
    <span className="kind-tag">
      <span className="kind-swatch" style={{ background: fill }} aria-hidden="true" />
      <span className="kind-letter" title={name}>{letter}</span>
      {word && <span className="kind-word">{name}</span>}
    </span>
  );
}
