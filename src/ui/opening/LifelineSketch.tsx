import type { ExampleLine } from './examples';

const WIDTH = 240;
const HEIGHT = 56;
/** Names in the manifest are block kinds; the palette knows `tool`. */
const TOKENS: Record<string, string> = { tool_result: 'tool', recovered: 'tool', handle: 'summary', placeholder: 'summary' };
const KNOWN = new Set(['system', 'task', 'user', 'assistant', 'reasoning', 'tool', 'summary', 'notice']);

/** A small drawing of a run's lifelines: solid in context, pale once archived, a dot where it came back. */
export function LifelineSketch({ lines }: { lines: ExampleLine[] }) {
  if (lines.length === 0) return null;
  const last = Math.max(1, ...lines.map((line) => line.to));
  const x = (step: number): number => ((step - 1) / last) * WIDTH;
  const rowHeight = Math.min(6, HEIGHT / Math.max(1, lines.length));
  return (
    <svg className="sketch" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {lines.map((line, i) => {
        const name = TOKENS[line.kind] ?? line.kind;
        const fill = `var(--kind-${KNOWN.has(name) ? name : 'system'})`;
        const y = i * rowHeight;
        const end = line.archivedAt ?? line.to + 1;
        const height = Math.max(0.8, rowHeight - 0.8);
        return (
          <g key={i} style={{ fill }}>
            <rect x={x(line.from)} y={y} width={Math.max(1, x(end) - x(line.from))} height={height} />
            {line.archivedAt !== undefined && <rect x={x(end)} y={y} width={Math.max(0, x((line.recoveredAt ?? line.to) + 1) - x(end))} height={height} opacity={0.28} />}
            {line.recoveredAt !== undefined && <rect x={x(line.recoveredAt)} y={y} width={Math.max(1, x(line.to + 1) - x(line.recoveredAt))} height={height} />}
          </g>
        );
      })}
    </svg>
  );
}
