/** Two charts as SVG text: values by category with intervals, and lines over a number. Same input, same bytes. */
export interface Mark { series: number; value: number; low?: number; high?: number }
export interface DotChart { title: string; subtitle: string; axis: string; series: string[]; rows: { label: string; marks: Mark[] }[]; zero?: boolean }
export interface LineChart { title: string; subtitle: string; xAxis: string; yAxis: string; series: { name: string; points: { x: number; y: number; low?: number; high?: number }[] }[] }

/** Okabe and Ito's colours, told apart by people with colour blindness; shapes differ as well. */
const COLOURS = ['#0072B2', '#D55E00', '#7A7A7A', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000', '#B8A400'];
const WIDTH = 720;
const LEFT = 230;
const RIGHT = 24;
const TOP = 66;
const ROW = 22;

const xmlText = (text: string): string => [...text].map((char) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[char] ?? (char < ' ' ? ' ' : char)).join('');
const f = (value: number): string => String(Math.round(value * 100) / 100);

/** Round numbers that cover low…high, about `count` of them. */
export function niceTicks(low: number, high: number, count = 6): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const raw = span / count;
  // The exponent as it is printed: logarithms and powers of ten may differ in the last bit between engines.
  const power = Number(`1e${raw.toExponential().split('e')[1]!}`);
  const step = power * ([1, 2, 5, 10].find((unit) => unit * power >= raw * 0.999) ?? 10);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
}

const tickText = (value: number): string => String(Math.round(value * 1e6) / 1e6);

interface Frame { parts: string[]; height: number; title: string; subtitle: string }

function page({ parts, height, title, subtitle }: Frame): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${f(height)}" width="${WIDTH}" height="${f(height)}" role="img" font-family="Helvetica, Arial, sans-serif" font-size="12">`,
    `<title>${xmlText(title)}</title>`, `<rect width="${WIDTH}" height="${f(height)}" fill="#fff"/>`,
    `<text x="12" y="20" font-size="14" font-weight="bold">${xmlText(title)}</text>`, `<text x="12" y="36" fill="#555" font-size="11">${xmlText(subtitle)}</text>`,
    ...parts, '</svg>', '',
  ].join('\n');
}

function legend(names: readonly string[]): string[] {
  let x = 12;
  return names.map((name, i) => {
    const item = `${shape(i, x + 5, 52)}<text x="${f(x + 14)}" y="56">${xmlText(name)}</text>`;
    x += 32 + 6.4 * name.length;
    return item;
  });
}

function shape(series: number, x: number, y: number): string {
  const fill = COLOURS[series % COLOURS.length]!;
  if (series % 3 === 0) return `<circle cx="${f(x)}" cy="${f(y)}" r="4" fill="${fill}"/>`;
  if (series % 3 === 1) return `<path d="M${f(x - 4.5)} ${f(y + 4)}h9l-4.5 -8.5z" fill="${fill}"/>`;
  return `<rect x="${f(x - 3.5)}" y="${f(y - 3.5)}" width="7" height="7" fill="${fill}"/>`;
}

const shorten = (label: string, most: number): string => (label.length <= most ? label : `…${label.slice(label.length - most + 1)}`);

/** Categories down, values across; a whisker from low to high. `zero`: the axis holds 0, with a line. */
export function dotChart(chart: DotChart): string {
  const values = chart.rows.flatMap((row) => row.marks.flatMap((mark) => [mark.value, mark.low ?? mark.value, mark.high ?? mark.value]));
  const ticks = niceTicks(Math.min(0, ...values), Math.max(chart.zero ? 0 : 1e-9, ...values));
  const bottom = TOP + ROW * chart.rows.length;
  const x = (value: number): number => LEFT + ((value - ticks[0]!) / (ticks.at(-1)! - ticks[0]! || 1)) * (WIDTH - LEFT - RIGHT);
  const parts = [
    ...legend(chart.series),
    ...ticks.map((tick) => `<path d="M${f(x(tick))} ${TOP}V${bottom}" stroke="#ddd"/><text x="${f(x(tick))}" y="${bottom + 16}" text-anchor="middle" fill="#555">${tickText(tick)}</text>`),
    ...(chart.zero ? [`<path d="M${f(x(0))} ${TOP}V${bottom}" stroke="#333"/>`] : []),
    `<text x="${f((LEFT + WIDTH - RIGHT) / 2)}" y="${bottom + 34}" text-anchor="middle">${xmlText(chart.axis)}</text>`,
  ];
  chart.rows.forEach((row, i) => {
    const y = TOP + ROW * (i + 0.5);
    parts.push(`<text x="${LEFT - 10}" y="${f(y + 4)}" text-anchor="end">${xmlText(shorten(row.label, 32))}</text>`);
    for (const { series, value, low, high } of row.marks) {
      const offset = chart.series.length > 1 && low !== undefined ? (series - (chart.series.length - 1) / 2) * 6 : 0;
      if (low !== undefined && high !== undefined) parts.push(`<path d="M${f(x(low))} ${f(y + offset)}H${f(x(high))}" stroke="${COLOURS[series % COLOURS.length]!}" stroke-width="1.5"/>`);
      parts.push(shape(series, x(value), y + offset));
    }
  });
  return page({ parts, height: bottom + 46, title: chart.title, subtitle: chart.subtitle });
}

/** Lines with a band from low to high where there is one. */
export function lineChart(chart: LineChart): string {
  const points = chart.series.flatMap((series) => series.points);
  const ys = points.flatMap(({ y, low, high }) => [y, low ?? y, high ?? y]);
  const [left, right, bottom] = [56, WIDTH - RIGHT, 360];
  const yTicks = niceTicks(Math.min(0, ...ys), Math.max(1e-9, ...ys));
  const xs = [...new Set(points.map((point) => point.x))].sort((a, b) => a - b);
  const [first, last] = [xs[0] ?? 0, xs.at(-1) ?? 1];
  const x = (value: number): number => left + 12 + ((value - first) / (last - first || 1)) * (right - left - 24);
  const y = (value: number): number => bottom - ((value - yTicks[0]!) / (yTicks.at(-1)! - yTicks[0]! || 1)) * (bottom - TOP);
  const parts = [
    ...legend(chart.series.map((series) => series.name)),
    ...yTicks.map((tick) => `<path d="M${left} ${f(y(tick))}H${right}" stroke="#ddd"/><text x="${left - 6}" y="${f(y(tick) + 4)}" text-anchor="end" fill="#555">${tickText(tick)}</text>`),
    ...xs.map((tick) => `<text x="${f(x(tick))}" y="${bottom + 16}" text-anchor="middle" fill="#555">${tickText(tick)}</text>`),
    `<text x="${f((left + right) / 2)}" y="${bottom + 34}" text-anchor="middle">${xmlText(chart.xAxis)}</text>`,
    `<text x="14" y="${f((TOP + bottom) / 2)}" text-anchor="middle" transform="rotate(-90 14 ${f((TOP + bottom) / 2)})">${xmlText(chart.yAxis)}</text>`,
  ];
  chart.series.forEach((series, i) => {
    const colour = COLOURS[i % COLOURS.length]!;
    const banded = series.points.filter((point) => point.low !== undefined && point.high !== undefined);
    if (banded.length > 1) {
      const there = banded.map((point) => `${f(x(point.x))} ${f(y(point.high!))}`);
      const back = [...banded].reverse().map((point) => `${f(x(point.x))} ${f(y(point.low!))}`);
      parts.push(`<path d="M${[...there, ...back].join('L')}Z" fill="${colour}" fill-opacity="0.12"/>`);
    }
    parts.push(`<path d="M${series.points.map((point) => `${f(x(point.x))} ${f(y(point.y))}`).join('L')}" fill="none" stroke="${colour}" stroke-width="1.8"/>`);
    for (const point of series.points) parts.push(shape(i, x(point.x), y(point.y)));
  });
  return page({ parts, height: bottom + 46, title: chart.title, subtitle: chart.subtitle });
}
