import { colourOf, colourOfLine, textOf } from './colours.ts';
import { escaped } from './markup.ts';
import { type Brought, type DrawnPanel, type Line, lookOf } from './panel.ts';

const lastOf = ({ points }: Line): number | undefined => points.at(-1)?.[1];

/** The numbers of a stat panel, side by side. */
export function drawStat({ options }: DrawnPanel, lines: readonly Line[]): string {
  const boxes = lines.map((line) => {
    const value = lastOf(line);
    const colour = colourOf(line.look, value ?? Number.NaN);
    const isFilled = options.colorMode === 'background';
    const style = isFilled ? `background:${colour};color:#111` : `color:${colour}`;
    const name = lines.length > 1 ? `<small>${escaped(line.name)}</small>` : '';
    const text = options.textMode === 'name' ? line.name : textOf(line.look, value);
    return `<div class="stat" style="${style}">${name}<b>${escaped(text)}</b></div>`;
  });
  return `<div class="stats">${boxes.join('')}</div>`;
}

/** The bars of a bar gauge, each as long as its share of the longest. */
export function drawBars(lines: readonly Line[]): string {
  const longest = Math.max(...lines.map((line) => lastOf(line) ?? 0), Number.MIN_VALUE);
  const bars = lines.map((line, index) => {
    const value = lastOf(line) ?? 0;
    const bar = `width:${(100 * value) / longest}%;background:${colourOfLine(line.look, index)}`;
    const text = escaped(textOf(line.look, value));
    return `<div class="bar"><span>${escaped(line.name)}</span><i><u style="${bar}"></u></i><em>${text}</em></div>`;
  });
  return bars.join('');
}

type Row = Readonly<Record<string, string | number>>;

/** A table whose queries are merged by the labels that they have in common, as Grafana's `merge` does. */
export function drawTable(panel: DrawnPanel, brought: readonly Brought[]): string {
  const rows = sorted(panel, mergedRows(brought));
  const names = columnsOf(panel, rows);
  const head = names.map((name) => `<th>${escaped(lookOf(panel, name).displayName ?? name)}</th>`);
  const body = rows.map((row) => `<tr>${names.map((name) => cellOf(panel, name, row[name])).join('')}</tr>`);
  return `<table><tr>${head.join('')}</tr>${body.join('')}</table>`;
}

function mergedRows(brought: readonly Brought[]): readonly Row[] {
  const labelSets = brought
    .filter(({ samples }) => samples.length > 0)
    .map(({ samples }) => new Set(samples.flatMap(({ metric }) => Object.keys(metric))));
  const common = [...(labelSets[0] ?? [])].filter((label) => labelSets.every((labels) => labels.has(label)));
  const rows = new Map<string, Row>();
  for (const { refId, samples } of brought) {
    const field = brought.length > 1 ? `Value #${refId}` : 'Value';
    for (const { metric, value } of samples) {
      const key = common.map((label) => metric[label]).join('|');
      rows.set(key, { ...rows.get(key), ...metric, [field]: Number(value[1]) });
    }
  }
  return [...rows.values()];
}

function columnsOf({ transformations = [] }: DrawnPanel, rows: readonly Row[]): readonly string[] {
  const chosen = transformations.find(({ id }) => id === 'filterFieldsByName')?.options.include?.names;
  return chosen ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

function sorted(panel: DrawnPanel, rows: readonly Row[]): readonly Row[] {
  const [by] = panel.options.sortBy ?? [];
  const name = columnsOf(panel, rows).find(
    (each) => (lookOf(panel, each).displayName ?? each) === by?.displayName,
  );
  if (by === undefined || name === undefined) return rows;
  const order = (one: Row, other: Row): number => {
    const [left, right] = [one[name] ?? '', other[name] ?? ''];
    return left < right ? -1 : left > right ? 1 : 0;
  };
  return rows.toSorted((one, other) => (by.desc ? -order(one, other) : order(one, other)));
}

function cellOf(panel: DrawnPanel, name: string, value: string | number | undefined): string {
  const look = lookOf(panel, name);
  const text = typeof value === 'number' ? textOf(look, value) : value || '–';
  const colour =
    look.links !== undefined ? '#6e9fff' : typeof value === 'number' ? colourOf(look, value) : undefined;
  return `<td${colour === undefined ? '' : ` style="color:${colour}"`}>${escaped(text)}</td>`;
}
