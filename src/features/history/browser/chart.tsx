import { useLayoutEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { createTimeZone, dateAt, dayText } from '../../../base/time-zone.ts';
import type { Mark, Picture } from './pictures.ts';

const HEIGHT = 120;

type ChartProps = {
  readonly picture: Picture;
  readonly marks: readonly Mark[];
};

/** Draws a chart. The legend shows the instant and the values at the cursor, or the last ones. */
export function Chart({ picture, marks }: ChartProps) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = ref.current;
    if (box === null) return;
    const chart = new uPlot(
      { ...optionsOf(picture, marks), width: box.clientWidth, height: HEIGHT },
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
    };
  }, [picture, marks]);
  return <div ref={ref} class="plot" />;
}

function colourOf(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

function optionsOf(
  { ends, lines, textOf }: Picture,
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
  return {
    padding: [6, 10, 0, 0],
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { y: { range: (_, least, most) => [Math.min(0, least), Math.max(1, most * 1.05)] } },
    axes: [
      { ...axis, size: 24, values: (_, splits) => splits.map((at) => timeText(at, isLong)) },
      { ...axis, size: 52, values: (_, splits) => splits.map(textOf) },
    ],
    series: [
      { label: 'Time', value: (_, at) => fullText(at ?? ends[last]) },
      ...lines.map(({ title, colour, values, isFilled }): uPlot.Series => {
        const value: uPlot.Series.Value = (chart) => {
          const shown = values[chart.cursor.idx ?? last] ?? null;
          return shown === null ? '–' : textOf(shown);
        };
        const stroke = () => colourOf(colour);
        const own = { label: title, width: 1.5, points: { show: false }, stroke, value };
        return isFilled ? { ...own, fill: stroke } : own;
      }),
    ],
    hooks: { draw: [(chart) => drawMarks(chart, marks)] },
  };
}

/** Draws a line and a name for each incident. */
function drawMarks(chart: uPlot, marks: readonly Mark[]): void {
  const { ctx, bbox } = chart;
  const { min = 0, max = 0 } = chart.scales['x'] ?? {};
  ctx.save();
  ctx.fillStyle = colourOf('bad');
  ctx.font = `${11 * devicePixelRatio}px system-ui`;
  for (const { at, text } of marks) {
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
