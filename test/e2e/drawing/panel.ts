import type { Sample, Series } from '../prometheus.ts';

type Property = { readonly id: string; readonly value?: unknown };
type Step = { readonly value: number | null; readonly color: string };
type Mapped = { readonly text: string; readonly color: string };

/** Style of a field of a panel. */
export type Look = {
  readonly unit?: string;
  readonly decimals?: number;
  readonly displayName?: string;
  readonly min?: number;
  readonly max?: number;
  readonly noValue?: string;
  readonly color?: { readonly fixedColor?: string };
  readonly thresholds?: { readonly steps: readonly Step[] };
  readonly mappings?: readonly { readonly options: Readonly<Record<string, Mapped>> }[];
  readonly links?: readonly unknown[];
  readonly custom?: { readonly drawStyle?: string; readonly stacking?: { readonly mode: string } };
};

/** A panel, as far as it is drawn. */
export type DrawnPanel = {
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly options: {
    readonly colorMode?: string;
    readonly textMode?: string;
    readonly sortBy?: readonly { readonly displayName: string; readonly desc: boolean }[];
  };
  readonly fieldConfig: {
    readonly defaults: Look;
    readonly overrides: readonly {
      readonly matcher: { readonly options?: unknown };
      readonly properties: readonly Property[];
    }[];
  };
  readonly transformations?: readonly {
    readonly id: string;
    readonly options: { readonly include?: { readonly names: readonly string[] } };
  }[];
};

/** Result of one query of a panel: over a range or, for tables, at an instant. */
export type Brought = {
  readonly refId: string;
  readonly legend: string | undefined;
  readonly series: readonly Series[];
  readonly samples: readonly Sample[];
};

/** A line of a graph, or a box of a stat: its name before and after overrides, its look, its points. */
export type Line = {
  readonly name: string;
  readonly look: Look;
  readonly points: readonly (readonly [seconds: number, value: number])[];
};

/** Returns the style of a field: the defaults, with the overrides by its name. */
export function lookOf({ fieldConfig }: DrawnPanel, field: string): Look {
  const own = fieldConfig.overrides
    .filter(({ matcher }) => matcher.options === field)
    .flatMap(({ properties }) => properties.map(({ id, value }) => [id, value] as const));
  return { ...fieldConfig.defaults, ...Object.fromEntries(own) };
}

/** Every series that was brought, as lines. */
export function linesOf(panel: DrawnPanel, brought: readonly Brought[]): readonly Line[] {
  return brought.flatMap(({ legend, series, samples }) => [
    ...series.map(({ metric, values }) => lineOf(panel, legend, metric, values)),
    ...samples.map(({ metric, value }) => lineOf(panel, legend, metric, [value])),
  ]);
}

function lineOf(
  panel: DrawnPanel,
  legend: string | undefined,
  metric: Readonly<Record<string, string>>,
  values: readonly (readonly [number, string])[],
): Line {
  const field = (legend ?? '').replaceAll(/\{\{(\w+)\}\}/g, (_, label: string) => metric[label] ?? '');
  const look = lookOf(panel, field);
  const points = values.map(([seconds, value]) => [seconds, Number(value)] as const);
  return { name: look.displayName ?? field, look, points };
}
