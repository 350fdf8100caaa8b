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
import { COLOURS, type Coded, type Colour, type Limits, type State } from '../palette.ts';
import { DATASOURCE } from '../variables.ts';

/** Width in columns of 24, and height in the grid units of Grafana. */
export type Size = readonly [width: number, height: number];

/** A panel and its size. */
export type Tile = {
  readonly panel: Panel;
  readonly size: Size;
  /** Another tile of the dashboard, whose rows this one uses instead of queries. */
  readonly rowsOf?: Tile;
};

/** One query of a panel. */
export type Target = {
  readonly expression: string;
  /** Name of a series; `{{label}}` is replaced by a label. */
  readonly legend?: string;
};

/** Text of a panel without a value. It never says that nothing is wrong. */
export const NO_DATA = 'No data';

/** Text of a graph without data. */
const NO_HISTORY = 'No data, or less than one step of this time range';

/** Texts and queries of every kind of panel. */
export type Subject = {
  readonly title: string;
  /** The content, and advice. */
  readonly description: string;
  /** Text without data, instead of that of its kind of panel. */
  readonly noValue?: string;
  /** A plain number by default. */
  readonly unit?: string;
  readonly size: Size;
  readonly targets: readonly Target[];
  /** Maximum number of points of a query; fewer for queries about every phone. */
  readonly maxDataPoints?: number;
  /** Minimum step between two points, such as `1d`. */
  readonly interval?: string;
  /** A time range of this panel, back from now, such as `30d`. */
  readonly range?: string;
  /** Shows an earlier time, such as `1M`. */
  readonly shift?: string;
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
  timeShift(shift: string): unknown;
  withTarget(target: DataqueryBuilder): unknown;
  build(): Panel;
};

/** Adds the common parts of all panels and the queries, lettered from A. */
export function tile(
  builder: Builder,
  subject: Subject,
  asking: Asking,
  noValue = asking === 'range' ? NO_HISTORY : NO_DATA,
): Tile {
  builder.title(subject.title);
  builder.description(subject.description);
  builder.datasource(DATASOURCE);
  builder.unit(subject.unit ?? 'none');
  builder.noValue(subject.noValue ?? noValue);
  if (subject.maxDataPoints !== undefined) builder.maxDataPoints(subject.maxDataPoints);
  if (subject.interval !== undefined) builder.interval(subject.interval);
  if (subject.range !== undefined) builder.timeFrom(subject.range);
  if (subject.shift !== undefined) builder.timeShift(subject.shift);
  for (const [index, target] of subject.targets.entries()) {
    builder.withTarget(queryOf(target, letter(index), asking));
  }
  return { panel: builder.build(), size: subject.size };
}

/** Shows all rows on one page: the default is 20 with a pager, also for a single page, and the SDK's builder takes no 0. */
export const onOnePage = (made: Tile): Tile => ({
  ...made,
  panel: { ...made.panel, options: { ...made.panel.options, perPage: 0 } },
});

/** The refId of the nth query of a panel. */
export const letter = (index: number): string => String.fromCharCode('A'.charCodeAt(0) + index);

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

/** Texts and colours for the codes of states, or without codes for their labels. */
export function mappingsOf(states: readonly (State | Coded)[]): ValueMapping[] {
  const options = states.map((state, index) => [
    'code' in state ? state.code : state.value,
    { text: state.text, color: state.colour, index },
  ]);
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}

/** Other texts for texts. */
export function wordsFor(texts: Readonly<Record<string, string>>): ValueMapping[] {
  const options = Object.entries(texts).map(([value, text], index) => [value, { text, index }]);
  return [{ type: MappingType.ValueToText, options: Object.fromEntries(options) }];
}

/** Names, texts and colours of series that are named by the values of states. */
export function namedStates(
  states: readonly State[],
  nameOf: (value: string) => string = (value) => value,
): readonly (readonly [name: string, look: DynamicConfigValue[]])[] {
  return states.map(({ value, text, colour }) => [
    nameOf(value),
    [option('displayName', nameOf(text)), fixedColour(colour)],
  ]);
}

/** An option of some fields. The SDK has types only for options of panels. */
export function option<Id extends keyof FieldConfig>(
  id: Id,
  value: NonNullable<FieldConfig[Id]>,
): DynamicConfigValue {
  return { id, value };
}

/** Shades of a colour: the second colour of the palette of Grafana is yellow, which is hard to see on white. */
export const shadesOf = (colour: Colour): DynamicConfigValue =>
  option('color', { mode: FieldColorModeId.Shades, fixedColor: colour });

export const fixedColour = (colour: Colour): DynamicConfigValue =>
  option('color', { mode: FieldColorModeId.Fixed, fixedColor: colour });
