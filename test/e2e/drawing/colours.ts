import type { Look } from './panel.ts';

/** Colours of Grafana's dark theme, by the names that dashboards give them. */
const COLOURS: Readonly<Record<string, string>> = {
  green: '#73bf69',
  blue: '#5794f2',
  yellow: '#fade2a',
  orange: '#ff9830',
  red: '#f2495c',
  purple: '#b877d9',
  text: '#ccccdc',
  'super-light-blue': '#c0d8ff',
};

/** Colours of lines without a colour of their own. */
const PALETTE = ['#73bf69', '#f2cc0c', '#8ab8ff', '#ff780a', '#f2495c', '#5794f2', '#b877d9', '#705da0'];

export function colourNamed(name: string): string {
  return COLOURS[name] ?? name;
}

export function colourOfLine({ color }: Look, index: number): string {
  return colourNamed(color?.fixedColor ?? PALETTE[index % PALETTE.length] ?? 'text');
}

/** The colour of a value, by its mapping or the threshold that it reached. */
export function colourOf({ mappings, thresholds, color }: Look, value: number): string {
  const mapped = mappings?.[0]?.options[String(value)];
  if (mapped !== undefined) return colourNamed(mapped.color);
  const reached = thresholds?.steps.filter((step) => step.value === null || value >= step.value).at(-1);
  return colourNamed(reached?.color ?? color?.fixedColor ?? 'text');
}

/** A value as a reader sees it: mapped, or with its unit. */
export function textOf(look: Look, value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  const mapped = look.mappings?.[0]?.options[String(value)];
  return mapped?.text ?? withUnit(value, look);
}

const TIMES: readonly (readonly [from: number, length: number, unit: string])[] = [
  [172_800, 86_400, 'days'],
  [7_200, 3_600, 'hours'],
  [120, 60, 'min'],
  [0.1, 1, 's'],
  [0, 0.001, 'ms'],
];

function withUnit(value: number, { unit = 'none', decimals }: Look): string {
  const digits = (number: number, usual = Number.isInteger(number) || Math.abs(number) >= 100 ? 0 : 2) =>
    number.toFixed(decimals ?? usual);
  if (unit === 's') {
    const [, length, name] = TIMES.find(([from]) => Math.abs(value) >= from) ?? [0, 1, 's'];
    return `${(value / length).toFixed(name === 's' || name === 'ms' ? 0 : 1)} ${name}`;
  }
  if (unit === 'percentunit') return `${digits(value * 100, 1)}%`;
  if (unit === 'bytes') return `${(value / 2 ** 20).toFixed(1)} MiB`;
  if (unit === 'h') return `${digits(value, 1)} h`;
  if (unit === 'cps' || unit === 'reqps') return `${digits(value)}/s`;
  if (unit.startsWith('currency:')) return value.toFixed(decimals ?? 2);
  return digits(value);
}
