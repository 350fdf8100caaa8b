import { exponent } from './measure.ts';

/** One measured figure, and the bar that it has to reach where there is one. */
export type Figure = {
  /** Name of the measurement, the same for all sizes. */
  readonly name: string;
  readonly phones: number;
  readonly value: number;
  readonly unit: string;
  readonly bar?: Bar;
};

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

/** Chooses between bars: that on Node 20, the oldest that is supported, or that on newer ones. */
export function byNode<Value>(oldest: Value, newer: Value): Value {
  return process.versions.node.startsWith('20.') ? oldest : newer;
}

export type Scenario = {
  readonly name: string;
  readonly title: string;
  /** It takes most of an hour, and runs only if it is named. */
  readonly isSlow?: boolean;
  /** Yields figures as they come, so that a long run shows what it does. */
  readonly run: (options: Options) => AsyncIterable<Figure>;
};

export type Options = {
  readonly phones: readonly number[];
  readonly rounds: number;
  /** Duration of a measurement in real time. */
  readonly minutes: number;
  /** Mebibytes of memory of a daemon. */
  readonly limit: number;
};

export function meets({ value, bar }: Figure): boolean {
  if (bar === undefined) return true;
  return 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** One JSON object on a line. */
export function jsonLine(scenario: string, figure: Figure): string {
  return JSON.stringify({ scenario, ...figure, met: figure.bar === undefined ? undefined : meets(figure) });
}

/** A table with a line for each name and a column for each size, and the exponent by which the figure grows. */
export function table(title: string, figures: readonly Figure[]): string {
  const sizes = [...new Set(figures.map(({ phones }) => phones))].sort((one, other) => one - other);
  const names = [...new Set(figures.map(({ name }) => name))];
  const rows = names.map((name) => {
    const own = figures.filter((figure) => figure.name === name);
    const cells = sizes.map((size) => cell(own.find(({ phones }) => phones === size)));
    return [`${name} [${own[0]?.unit ?? ''}]`, ...cells, growth(own)];
  });
  return [`\n${title}`, ...aligned([['phones', ...sizes.map(count), 'exponent'], ...rows])].join('\n');
}

function cell(figure: Figure | undefined): string {
  if (figure === undefined) return '';
  const { value, bar } = figure;
  const text = round(value);
  if (bar === undefined) return text;
  const sign = 'atMost' in bar ? `≤ ${round(bar.atMost)}` : `≥ ${round(bar.atLeast)}`;
  return `${text} (${sign} ${meets(figure) ? 'ok' : 'MISSED'})`;
}

function growth(figures: readonly Figure[]): string {
  const points = figures
    .filter(({ phones, value }) => phones >= 1_000 && phones <= 100_000 && value > 0)
    .map(({ phones, value }) => [phones, value] as const);
  return points.length < 2 ? '' : exponent(points).toFixed(2);
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function round(value: number): string {
  return value >= 1000 ? count(Math.round(value)) : value.toPrecision(3);
}

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const columns = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, index) =>
    Math.max(...rows.map((row) => row[index]?.length ?? 0)),
  );
  return rows.map((row) =>
    row
      .map((text, index) =>
        index === 0 ? text.padEnd(widths[index] ?? 0) : text.padStart(widths[index] ?? 0),
      )
      .join('  '),
  );
}
