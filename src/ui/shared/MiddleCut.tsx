import './middle-cut.css';

/** Shorter texts only lose their end, when there is no room at all. */
const SHORTEST = 20;
const MOST_TAIL = 14;

/** A text that fills the room there is and is cut in its middle: the end of a name or a path says more than its start. */
export function MiddleCut({ text, title = text }: { text: string; title?: string }) {
  const tail = text.length <= SHORTEST ? 0 : Math.min(MOST_TAIL, Math.floor(text.length / 3));
  return (
    <span className="middle-cut" title={title}>
      <span className="middle-cut-head">{text.slice(0, text.length - tail)}</span>
      {tail > 0 && <span className="middle-cut-tail">{text.slice(text.length - tail)}</span>}
    </span>
  );
}
