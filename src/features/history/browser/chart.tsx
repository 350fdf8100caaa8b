import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type uPlot from 'uplot';
import { dateTimeAt, dayText, type TimeZone } from '../../../base/time-zone.ts';
import { numberText } from '../../../fleet/words.ts';
import type { Mark, Picture } from './pictures.ts';

const HEIGHT = 160;

type Library = typeof uPlot;

/** Loads the chart library, a third of the page; undefined until it is there, false if it did not load. */
export function useLibrary(): Library | false | undefined {
  const [library, setLibrary] = useState<Library | false>();
  useEffect(() => {
    void import('uplot').then(
      (module) => setLibrary(() => module.default),
      () => setLibrary(false),
    );
  }, []);
  return library;
}

export type ChartProps = {
  readonly library: Library;
  readonly picture: Picture;
  readonly marks: readonly Mark[];
  readonly zone: TimeZone;
};

/**
 * Draws a chart. Its legend shows the values at the cursor; without a cursor, the last value of a line and the sum of bars. The time
 * is shown at the cursor.
 */
export function Chart({ library, picture, marks, zone }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const chart = new library(
      {
        ...optionsOf(library, picture, [...marks, ...picture.marks], zone),
        tzDate: (seconds) => library.tzDate(new Date(seconds * 1000), zone.name),
        legend: { mount: (_, table) => legend.current?.append(table) },
        width: box.clientWidth,
        height: HEIGHT,
      },
      [[...picture.ends], ...picture.lines.map(({ drawn }) => [...drawn])],
      box,
    );
    const fit = new ResizeObserver(() => chart.setSize({ width: box.clientWidth, height: HEIGHT }));
    fit.observe(box);
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    const repaint = (): void => chart.redraw();
    scheme.addEventListener('change', repaint);
    return () => {
      fit.disconnect();
      scheme.removeEventListener('change', repaint);
      chart.destroy();
      if (legend.current !== null) legend.current.textContent = '';
    };
  }, [library, picture, marks, zone]);
  return (
    <figure class="chart">
      <figcaption>{picture.title}</figcaption>
      <div ref={legend} />
      <div ref={ref} class="plot" />
    </figure>
  );
}

/** Returns the factor by which the browser's text is larger than usual. */
function textScale(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16;
}

function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function optionsOf(
  library: Library,
  { ends, lines, barSeconds, textOf, unit, dayOf = (end) => fullText(zone, end) }: Picture,
  marks: readonly Mark[],
  zone: TimeZone,
): Omit<uPlot.Options, 'width' | 'height'> {
  const last = ends.length - 1;
  const isLong = (ends[last] ?? 0) - (ends[0] ?? 0) > 3 * 86_400;
  const axis: uPlot.Axis = {
    stroke: () => colourOf('soft'),
    grid: { stroke: () => colourOf('line'), width: 1 },
    ticks: { show: false },
    font: `${11 * textScale()}px system-ui`,
  };
  const bars = library.paths.bars?.({ size: [0.8, 40], align: -1 });
  return {
    padding: [8, 24, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, first, end) => [first - barSeconds, end] },
      y: {
        range:
          barSeconds > 0
            ? rangeOfBars(lines)
            : (_, least, most) => [Math.min(0, least), Math.max(1, most * 1.05)],
      },
    },
    axes: [
      {
        ...axis,
        size: 24 * textScale(),
        values: (_, splits) => splits.map((at) => timeText(zone, at, isLong)),
      },
      {
        ...axis,
        size: (_, texts) => widthOf(texts ?? []),
        incrs: WHOLE_STEPS.map((whole) => whole * unit),
        values: (_, splits) => splits.map((value) => numberText(value / unit)),
      },
    ],
    series: [
      {},
      ...lines.map(({ title, colour, values, look }): uPlot.Series => {
        const value: uPlot.Series.Value = (chart) => {
          const { idx } = chart.cursor;
          const shown = barSeconds > 0 && idx == null ? sumOf(values) : (values[idx ?? last] ?? null);
          return shown === null ? '–' : textOf(shown);
        };
        const stroke = () => colourOf(colour);
        const own = { label: title, width: 1, points: { show: false }, stroke, value };
        if (look === 'dashed') return { ...own, dash: [4, 3] };
        if (look === 'hidden') return { ...own, paths: () => null };
        return { ...own, fill: stroke, ...(barSeconds > 0 && bars && { width: 0, paths: bars }) };
      }),
    ],
    hooks: { draw: [(chart) => drawMarks(chart, marks)], setCursor: [(chart) => showInstant(chart, dayOf)] },
  };
}

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Steps of the axis, in units. A day in dong or rupiah runs into millions. */
const WHOLE_STEPS = Array.from({ length: 13 }, (_, digits) => 10 ** digits).flatMap((unit) => [
  unit,
  2 * unit,
  5 * unit,
]);

/** Returns the width of an axis with these texts, in pixels. */
function widthOf(texts: readonly string[]): number {
  return 14 + 6.5 * textScale() * Math.max(2, ...texts.map(({ length }) => length));
}

/** Returns the range of the increases. Payouts are cut off below it, so that they flatten nothing; marks say how much. */
function rangeOfBars(lines: Picture['lines']): [number, number] {
  const all = lines.flatMap(({ drawn }) => drawn.map((value) => value ?? 0));
  const most = Math.max(100, ...all);
  return [Math.max(Math.min(0, ...all), -most / 2), most * 1.1];
}

function showInstant(chart: uPlot, nameOf: (at: number) => string): void {
  const { idx, left = -1 } = chart.cursor;
  const at = idx === null || idx === undefined || left < 0 ? undefined : chart.data[0][idx];
  let bubble = chart.over.querySelector<HTMLElement>('.instant');
  if (bubble === null) {
    bubble = document.createElement('span');
    bubble.className = 'instant';
    chart.over.append(bubble);
  }
  bubble.textContent = at === undefined ? '' : nameOf(at);
  bubble.style.left = `${Math.max(0, Math.min(left + 8, chart.over.clientWidth - 90))}px`;
}

function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  ctx.save();
  ctx.font = `${11 * textScale() * devicePixelRatio}px system-ui`;
  // The newest text first. Texts that would cover others, as with daily payouts, are left out.
  const taken: (readonly [from: number, to: number])[] = [];
  for (const { at, text, colour } of [...marks].sort((one, other) => other.at - one.at)) {
    ctx.fillStyle = colourOf(colour);
    if (at < (min ?? 0) || at > (max ?? 0)) continue;
    const x = chart.valToPos(at, 'x', true);
    const isRight = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isRight ? 'right' : 'left';
    ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
    const width = ctx.measureText(text).width + 9 * devicePixelRatio;
    const [from, to] = isRight ? [x - width, x] : [x, x + width];
    if (taken.some(([start, end]) => from < end && to > start)) continue;
    taken.push([from, to]);
    ctx.fillText(
      text,
      x + (isRight ? -4 : 5) * devicePixelRatio,
      bbox.top + 9 * textScale() * devicePixelRatio,
    );
  }
  ctx.restore();
}

/** Writes an instant on the axis: at midnight its day, otherwise its time. */
function timeText(zone: TimeZone, at: number, isLong: boolean): string {
  const local = dateTimeAt(zone, at * 1000);
  const time = local.slice(11, 16);
  return isLong || time === '00:00' ? dayText(local) : time;
}

export function fullText(zone: TimeZone, at: number): string {
  const local = dateTimeAt(zone, at * 1000);
  return `${dayText(local)} ${local.slice(11, 16)}`;
}
