import type {
  DynamicConfigValue,
  FieldConfig,
  Panel,
  ValueMapping,
} from '@grafana/grafana-foundation-sdk/dashboard';
import {
  FieldColorModeId,
  MappingType,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { COLOURS, type Colour, type Limits, type State } from '../palette.ts';
import { DATASOURCE } from '../variables.ts';
import type { Step } from './steps.ts';

/** A panel and its size: width in columns of 24, height in the grid units of Grafana. */
export type Tile = {
  readonly panel: Panel;
  readonly width: number;
  readonly height: number;
  /** Another tile of the dashboard, whose rows this one uses instead of queries. */
  readonly rowsOf?: Tile;
  /** Steps that convert the results of its queries to named fields. */
  readonly inputs?: readonly Step[];
};

/** One query of a panel. */
export type Target = {
  readonly expression: string;
  /** Name of a series; `{{label}}` is replaced by a label. */
  readonly legend?: string;
};

/** Texts and queries of every kind of panel. */
export type Subject = {
  readonly title: string;
  /** The content, and advice. */
  readonly description: string;
  /** Text without data. */
  readonly noValue: string;
  readonly unit: string;
  readonly width: number;
  readonly height: number;
  readonly targets: readonly Target[];
  /** Maximum number of points of a query; fewer for queries about every phone. */
  readonly maxDataPoints?: number;
  /** Minimum step between two points, such as `1d`. */
  readonly interval?: string;
  /** A time range of this panel, back from now, such as `30d`. */
  readonly range?: string;
};

/** Kind of a query: now, over the time range, or now as the rows of a table. */
export type Asking = 'instant' | 'range' | 'table';

/** Common interface of the panel builders of the SDK. */
type Builder = {
  title(title: string): unknown;
  description(description: string): unknown;
  datasource(datasource: typeof DATASOURCE): unknown;
  unit(unit: string): unknown;
  noValue(text: string): unknown;
  maxDataPoints(count: number): unknown;
  interval(interval: string): unknown;
  timeFrom(range: string): unknown;
  withTarget(target: DataqueryBuilder): unknown;
  build(): Panel;
};

/** Adds the common parts of all panels and the queries, lettered from A. */
export function tile(builder: Builder, subject: Subject, asking: Asking): Tile {
  builder.title(subject.title);
  builder.description(subject.description);
  builder.datasource(DATASOURCE);
  builder.unit(subject.unit);
  builder.noValue(subject.noValue);
  if (subject.maxDataPoints !== undefined) builder.maxDataPoints(subject.maxDataPoints);
  if (subject.interval !== undefined) builder.interval(subject.interval);
  if (subject.range !== undefined) builder.timeFrom(subject.range);
  for (const [index, target] of subject.targets.entries()) {
    builder.withTarget(queryOf(target, letter(index), asking));
  }
  return { panel: builder.build(), width: subject.width, height: subject.height };
}

/**
 * Shows all rows of a panel with a row for each series. By default Grafana shows pages of 20, and a pager also under a single
 * page; the builder of the SDK takes no 0.
 */
export function onOnePage(made: Tile): Tile {
  return { ...made, panel: { ...made.panel, options: { ...made.panel.options, perPage: 0 } } };
}

/** The refId of the nth query of a panel. */
export function letter(index: number): string {
  return String.fromCharCode('A'.charCodeAt(0) + index);
}

function queryOf({ expression, legend }: Target, refId: string, asking: Asking): DataqueryBuilder {
  const query = new DataqueryBuilder().datasource(DATASOURCE).refId(refId).expr(expression);
  if (legend !== undefined) query.legendFormat(legend);
  if (asking === 'range') return query.range();
  return asking === 'table' ? query.instant().format(PromQueryFormat.Table) : query.instant();
}

/** Colours by value. A missing value has the colour of the base, so the base is grey: unknown is not good. */
export function thresholdsOf([first, ...steps]: Limits): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([
      { value: null, color: COLOURS.unknown },
      { value: 0, color: first },
      ...steps.map(([value, color]) => ({ value, color })),
    ]);
}

/** Texts and colours for the codes of states. */
export function mappingsOf(states: readonly State[]): ValueMapping[] {
  const options = states.map(({ code, text, colour }, index) => [code, { text, color: colour, index }]);
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}

/** Other texts for texts. */
export function wordsFor(texts: Readonly<Record<string, string>>): ValueMapping[] {
  const options = Object.entries(texts).map(([value, text], index) => [value, { text, index }]);
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}

/** An option of some fields. The SDK has types only for options of panels. */
export function option<Id extends keyof FieldConfig>(
  id: Id,
  value: NonNullable<FieldConfig[Id]>,
): DynamicConfigValue {
  return { id, value };
}

/** Shades of a colour: the second colour of the palette of Grafana is yellow, which is hard to see on white. */
export function shadesOf(colour: Colour): DynamicConfigValue {
  return option('color', { mode: FieldColorModeId.Shades, fixedColor: colour });
}

export function fixedColour(colour: Colour): DynamicConfigValue {
  return option('color', { mode: FieldColorModeId.Fixed, fixedColor: colour });
}
