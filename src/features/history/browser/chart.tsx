import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { createTimeZone, dateAt, dayText } from '../../../base/time-zone.ts';
import type { Mark, Picture } from './pictures.ts';

const HEIGHT = 160;

type ChartProps = {
  readonly picture: Picture;
  readonly marks: readonly Mark[];
};

/** Draws a chart. Its legend has the values at the cursor, or the last ones, and the instant stands at the cursor. */
export function Chart({ picture, marks }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  const legend = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const chart = new uPlot(
      {
        ...optionsOf(picture, [...marks, ...picture.marks]),
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
  }, [picture, marks]);
  return (
    <figure class="chart">
      <figcaption>{picture.title}</figcaption>
      <div ref={legend} />
      <div ref={ref} class="plot" />
    </figure>
  );
}

function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function optionsOf(
  { ends, lines, barSeconds, textOf }: Picture,
  marks: readonly Mark[],
): Omit<uPlot.Options, 'width' | 'height'> {
  const last = ends.length - 1;
  const isLong = (ends[last] ?? 0) - (ends[0] ?? 0) > 3 * 86_400;
  const axis: uPlot.Axis = {
    stroke: () => colourOf('soft'),
    grid: { stroke: () => colourOf('line'), width: 1 },
    ticks: { show: false },
    font: '11px system-ui',
  };
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], align: -1 });
  return {
    padding: [8, 24, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: {
      x: { range: (_, first, end) => [first - barSeconds, end] },
      y: { range: barSeconds > 0 ? rangeOfBars(lines) : rangeOfCounts },
    },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map((at) => timeText(at, isLong)) },
      { ...axis, size: 60, incrs: WHOLE_STEPS, values: (_, splits) => splits.map(textOf) },
    ],
    series: [
      {},
      ...lines.map(({ title, colour, values, look }): uPlot.Series => {
        const value: uPlot.Series.Value = (chart) => {
          const shown = values[chart.cursor.idx ?? last] ?? null;
          return shown === null ? '–' : textOf(shown);
        };
        const stroke = () => colourOf(colour);
        const own = { label: title, width: 1, points: { show: false }, stroke, value };
        if (look === 'dashed') return { ...own, dash: [4, 3] };
        if (look === 'hidden') return { ...own, paths: () => null };
        return { ...own, fill: stroke, ...(barSeconds > 0 && bars && { width: 0, paths: bars }) };
      }),
    ],
    hooks: { draw: [(chart) => drawMarks(chart, marks)], setCursor: [showInstant] },
  };
}

/** Steps of the axis of counts and cents: whole numbers. */
const WHOLE_STEPS = [1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8].flatMap((unit) => [unit, 2 * unit, 5 * unit]);

function rangeOfCounts(_: uPlot, least: number, most: number): [number, number] {
  return [Math.min(0, least), Math.max(1, most * 1.05)];
}

/** Returns the range of the increases. A payout is cut off below it, so that it flattens nothing; its mark says how much. */
function rangeOfBars(lines: Picture['lines']): [number, number] {
  const all = lines.flatMap(({ drawn }) => drawn.map((value) => value ?? 0));
  const most = Math.max(100, ...all);
  return [Math.max(Math.min(0, ...all), -most / 2), most * 1.1];
}

/** Shows the instant at the cursor. */
function showInstant(chart: uPlot): void {
  const { idx, left = -1 } = chart.cursor;
  const at = idx === null || idx === undefined || left < 0 ? undefined : chart.data[0][idx];
  let bubble = chart.over.querySelector<HTMLElement>('.instant');
  if (bubble === null) {
    bubble = document.createElement('span');
    bubble.className = 'instant';
    chart.over.append(bubble);
  }
  bubble.textContent = fullText(at);
  bubble.style.left = `${Math.max(0, Math.min(left + 8, chart.over.clientWidth - 90))}px`;
}

/** Draws a line and a name for each incident. */
function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  ctx.save();
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  for (const { at, text, colour } of marks) {
    ctx.fillStyle = colourOf(colour);
    if (at < (min ?? 0) || at > (max ?? 0)) continue;
    const x = chart.valToPos(at, 'x', true);
    const isRight = x > bbox.left + bbox.width / 2;
    ctx.textAlign = isRight ? 'right' : 'left';
    ctx.fillRect(x, bbox.top, devicePixelRatio, bbox.height);
    ctx.fillText(text, x + (isRight ? -4 : 5) * devicePixelRatio, bbox.top + 9 * devicePixelRatio);
  }
  ctx.restore();
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const zone = createTimeZone();
const dayOf = (at: number): string => dayText(dateAt(zone, at * 1000));

/** Writes an instant on the axis: its day at midnight, else its time. */
function timeText(at: number, isLong: boolean): string {
  const time = clock.format(at * 1000);
  return isLong || time === '00:00' ? dayOf(at) : time;
}

export function fullText(at: number | undefined): string {
  return at === undefined ? '' : `${dayOf(at)} ${clock.format(at * 1000)}`;
}
