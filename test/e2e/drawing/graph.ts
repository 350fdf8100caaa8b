import { colourOf, colourOfLine, textOf } from './colours.ts';
import { escaped, type Size } from './markup.ts';
import type { DrawnPanel, Line } from './panel.ts';

/** Room for the numbers at the left, the times below, and the names below these. */
const LEFT = 56;
const BELOW = 34;
const NAMES_WIDTH = 120;

type Scale = (value: number) => number;

function scale(from: number, to: number, pixelFrom: number, pixelTo: number): Scale {
  const span = to - from || 1;
  return (value) => pixelFrom + ((value - from) / span) * (pixelTo - pixelFrom);
}

type Times = { readonly start: number; readonly end: number; readonly step: number };

function timesOf(lines: readonly Line[]): Times {
  const seconds = [...new Set(lines.flatMap(({ points }) => points.map(([at]) => at)))].sort((a, b) => a - b);
  const [first = 0, second = first + 1] = seconds;
  return { start: first, end: seconds.at(-1) ?? first, step: second - first };
}

/** Lines, areas one on the other, or bars, with a scale at the left and times below. */
export function drawGraph({ fieldConfig }: DrawnPanel, lines: readonly Line[], size: Size): string {
  const { defaults } = fieldConfig;
  const { start, end, step } = timesOf(lines);
  const shown = defaults.custom?.stacking?.mode === 'normal' ? stacked(lines) : lines;
  const values = shown.flatMap(({ points }) => points.map(([, value]) => value).filter(Number.isFinite));
  const lowest = Math.min(defaults.min ?? 0, ...values);
  const highest = defaults.max ?? (Math.max(...values, 0) * 1.05 || 1);
  const x = scale(start, end, LEFT, size.width - 8);
  const y = scale(lowest, highest, size.height - BELOW, 6);
  const floor = y(Math.max(lowest, 0));
  const drawn = shown.map((line, index) => {
    const colour = colourOfLine(line.look, index);
    if (defaults.custom?.drawStyle === 'bars')
      return barsOf(line, x, y, floor, (x(start + step) - x(start)) * 0.6, colour);
    const isArea = shown !== lines;
    return stretchesOf(line, step)
      .map((points) => pathOf(points, x, y, isArea ? floor : undefined, colour))
      .join('');
  });
  // The sum of all is drawn first, so that each area lies on the ones below it.
  if (shown !== lines) drawn.reverse();
  const ticks = [0, 0.25, 0.5, 0.75, 1].map((share) =>
    tickOf(lowest + share * (highest - lowest), y, size, lines[0]),
  );
  const hours = [0.1, 0.3, 0.5, 0.7, 0.9].map((share) => timeOf(start + share * (end - start), x, size));
  return `<svg width="${size.width}" height="${size.height}">${ticks.join('')}${hours.join('')}${drawn.join('')}</svg>${legendOf(lines)}`;
}

function stacked(lines: readonly Line[]): readonly Line[] {
  const sums = new Map<number, number>();
  return lines.map((line) => ({
    ...line,
    points: line.points.map(([at, value]) => {
      const sum = (sums.get(at) ?? 0) + value;
      sums.set(at, sum);
      return [at, sum] as const;
    }),
  }));
}

/** The points without a gap between them. */
function stretchesOf({ points }: Line, step: number): readonly Line['points'][] {
  const stretches: (readonly [number, number])[][] = [];
  let before = Number.NEGATIVE_INFINITY;
  for (const point of points.filter(([, value]) => Number.isFinite(value))) {
    if (point[0] - before > step * 1.5) stretches.push([]);
    stretches.at(-1)?.push(point);
    before = point[0];
  }
  return stretches;
}

function pathOf(
  points: Line['points'],
  x: Scale,
  y: Scale,
  floor: number | undefined,
  colour: string,
): string {
  const way = points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(' ');
  if (floor === undefined) return `<polyline points="${way}" fill="none" stroke="${colour}"/>`;
  const [first, last] = [x(points[0]?.[0] ?? 0), x(points.at(-1)?.[0] ?? 0)];
  return `<polygon points="${first},${floor} ${way} ${last},${floor}" fill="${colour}" stroke="none"/>`;
}

function barsOf({ points }: Line, x: Scale, y: Scale, floor: number, width: number, colour: string): string {
  return points
    .filter(([, value]) => Number.isFinite(value))
    .map(([at, value]) => {
      const top = Math.min(y(value), floor);
      const left = Math.max(LEFT, x(at) - width / 2);
      return `<rect x="${left}" y="${top}" width="${x(at) + width / 2 - left}" height="${Math.abs(y(value) - floor)}" fill="${colour}"/>`;
    })
    .join('');
}

function tickOf(value: number, y: Scale, { width }: Size, line: Line | undefined): string {
  const text = escaped(textOf({ ...line?.look, mappings: [] }, value));
  return `<line x1="${LEFT}" x2="${width - 8}" y1="${y(value)}" y2="${y(value)}" stroke="#24262c"/><text x="${LEFT - 6}" y="${y(value) + 4}" text-anchor="end">${text}</text>`;
}

function timeOf(seconds: number, x: Scale, { height }: Size): string {
  const text = new Date(seconds * 1000).toISOString().slice(5, 16).replace('T', ' ');
  return `<text x="${x(seconds)}" y="${height - BELOW + 16}" text-anchor="middle">${text}</text>`;
}

function legendOf(lines: readonly Line[]): string {
  const names = lines
    .slice(0, 12)
    .map(
      ({ name, look }, index) => `<span style="color:${colourOfLine(look, index)}">▬</span> ${escaped(name)}`,
    );
  return `<div class="legend">${names.join('&ensp;')}</div>`;
}

/** A row for each phone, coloured by its state over time. */
export function drawTimeline(lines: readonly Line[], { width, height }: Size): string {
  const { start, end, step } = timesOf(lines);
  const x = scale(start, end + step, NAMES_WIDTH, width - 8);
  const rowHeight = height / lines.length;
  const rows = lines.map(({ name, look, points }, row) => {
    const top = row * rowHeight + rowHeight * 0.08;
    const states = points.map(
      ([at, value]) =>
        `<rect x="${x(at)}" y="${top}" width="${x(start + step) - x(start) + 0.6}" height="${rowHeight * 0.84}" fill="${colourOf(look, value)}"/>`,
    );
    const label = `<text x="4" y="${top + rowHeight * 0.42 + 4}">${escaped(name.slice(0, 18))}</text>`;
    return label + states.join('');
  });
  return `<svg width="${width}" height="${height}">${rows.join('')}</svg>`;
}
