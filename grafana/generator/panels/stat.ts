import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DynamicConfigValue,
  FieldColorBuilder,
  FieldColorModeId,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { type Colour, LIMITS, type Limits } from '../palette.ts';
import { fixedColour, letter, NO_DATA, option, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

/** The look of the results of one query. */
export type Field = {
  readonly limits?: Limits;
  readonly decimals?: number;
  readonly unit?: string;
  readonly link?: string;
};

/** Numbers, and their look. */
export type StatSubject = Subject & {
  readonly limits?: Limits;
  /** The colour of values and of the text without one. */
  readonly colour?: Colour;
  /** Shows the names of the series only. */
  readonly isText?: boolean;
  readonly decimals?: number;
  /** Colours of series by a pattern of their names. */
  readonly byName?: readonly (readonly [pattern: string, colour: Colour])[];
  /** Looks of series by their names. */
  readonly states?: readonly (readonly [name: string, look: DynamicConfigValue[]])[];
  /** Stacks the series vertically. */
  readonly rows?: boolean;
  readonly fields?: readonly Field[];
  readonly titleSize?: number;
  readonly valueSize?: number;
  /** The number that a time range is reduced to: its last value, its sum, or the number of its values. */
  readonly reducer?: 'lastNotNull' | 'sum' | 'count';
};

/** A number, or one for each of a few series: now, or of the time range with a reducer. */
export function stat(look: StatSubject): Tile {
  const { limits = LIMITS.none, isText = false, decimals, byName = [], states = [] } = look;
  const { rows = false, fields = [], titleSize = 14, valueSize = 28, reducer = 'lastNotNull' } = look;
  const builder = new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(BigValueColorMode.Value)
    .justifyMode(BigValueJustifyMode.Center)
    .text(new VizTextDisplayOptionsBuilder().titleSize(titleSize).valueSize(valueSize))
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs([reducer]).values(false))
    .textMode(isText ? BigValueTextMode.Name : BigValueTextMode.ValueAndName);
  if (look.colour !== undefined)
    builder.colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(look.colour));
  if (rows) builder.orientation(VizOrientation.Horizontal);
  if (decimals !== undefined) builder.decimals(decimals);
  for (const [index, field] of fields.entries()) {
    builder.overrideByQuery(letter(index), [
      option('thresholds', thresholdsOf(field.limits ?? LIMITS.none).build()),
      option('decimals', field.decimals ?? 0),
      ...(field.unit === undefined ? [] : [option('unit', field.unit)]),
      ...(field.link === undefined
        ? []
        : [{ id: 'links', value: [{ title: 'Show them', url: field.link }] }]),
    ]);
  }
  for (const [pattern, colour] of byName) builder.overrideByRegexp(pattern, [fixedColour(colour)]);
  for (const [name, properties] of states) builder.overrideByName(name, properties);
  if (look.range !== undefined || look.shift !== undefined) builder.hideTimeOverride(true);
  return tile(builder, look, reducer === 'lastNotNull' ? 'instant' : 'range', NO_DATA);
}
