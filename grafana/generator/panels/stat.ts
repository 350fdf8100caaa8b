import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { COLOURS, type Colour, LIMITS, type Limits, orGrey, type State } from '../palette.ts';
import { GREY_NAMES } from '../promql.ts';
import {
  fixedColour,
  letter,
  mappingsOf,
  option,
  type Subject,
  type Tile,
  thresholdsOf,
  tile,
} from './tile.ts';

export type StatLook = {
  readonly limits?: Limits;
  /** States for the codes in the value. */
  readonly states?: readonly State[];
  /** Shows the name of the series beside its value. */
  readonly named?: boolean;
  readonly decimals?: number;
  /** Colours and units of series by a pattern of their names. */
  readonly byName?: readonly (readonly [pattern: string, colour: Colour | undefined, unit?: string])[];
  /** Text for 0. */
  readonly zero?: string;
  /** The same, if 0 is good. */
  readonly calm?: string;
  /** Stacks the series vertically. */
  readonly rows?: boolean;
  /** How the results of each query look. */
  readonly fields?: readonly {
    readonly limits: Limits;
    readonly decimals: number;
    readonly unit?: string;
    readonly link?: Link;
  }[];
  /** Target of a click on any value. */
  readonly link?: Link;
  /** Shows the names of the series only, in the colours of their values. */
  readonly isText?: boolean;
  /** Fills the background of each value with its colour. */
  readonly isFilled?: boolean;
  /** Places many values in several lines. */
  readonly isGrid?: boolean;
  readonly titleSize?: number;
  readonly valueSize?: number;
};

export type Link = { readonly title: string; readonly url: string };

/** Starts a panel of big numbers with the last value of each series. */
export function bigNumbers(limits: Limits, valueSize: number, titleSize = 14): PanelBuilder {
  return new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(BigValueColorMode.Value)
    .justifyMode(BigValueJustifyMode.Center)
    .text(new VizTextDisplayOptionsBuilder().titleSize(titleSize).valueSize(valueSize))
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
}

/** A current number, or one for each of a few series; grey if its name says that it is not current. */
export function stat(subject: Subject, look: StatLook = {}): Tile {
  const { limits = LIMITS.none, states, named = false, decimals, byName = [], zero, rows = false } = look;
  const { fields = [], link, isText = false, isFilled = false, titleSize = 14 } = look;
  const { valueSize = states === undefined ? 28 : 20 } = look;
  const builder = bigNumbers(limits, valueSize, titleSize)
    .colorMode(isFilled ? BigValueColorMode.BackgroundSolid : BigValueColorMode.Value)
    .textMode(isText ? BigValueTextMode.Name : named ? BigValueTextMode.ValueAndName : BigValueTextMode.Auto);
  if (rows) builder.orientation(VizOrientation.Horizontal);
  if (look.isGrid === true) builder.orientation(VizOrientation.Auto);
  for (const [index, field] of fields.entries()) {
    builder.overrideByQuery(letter(index), [
      option('thresholds', thresholdsOf(field.limits).build()),
      option('decimals', field.decimals),
      ...(field.unit === undefined ? [] : [option('unit', field.unit)]),
      ...(field.link === undefined ? [] : [{ id: 'links', value: [field.link] }]),
    ]);
  }
  for (const [pattern, colour, unit] of byName) {
    builder.overrideByRegexp(pattern, [
      ...(colour === undefined ? [] : [fixedColour(colour)]),
      ...(unit === undefined ? [] : [option('unit', unit)]),
    ]);
  }
  if (link !== undefined) builder.overrideByRegexp('/.*/', [{ id: 'links', value: [link] }]);
  if (named || isText) builder.overrideByRegexp(GREY_NAMES, [fixedColour(COLOURS.unknown)]);
  if (states !== undefined) builder.mappings(mappingsOf(orGrey(states)));
  if (zero !== undefined)
    builder.mappings(mappingsOf([{ value: '', code: 0, text: zero, colour: COLOURS.bad }]));
  if (look.calm !== undefined)
    builder.mappings(mappingsOf([{ value: '', code: 0, text: look.calm, colour: COLOURS.good }]));
  if (decimals !== undefined) builder.decimals(decimals);
  if (subject.range !== undefined) builder.hideTimeOverride(true);
  return tile(builder, subject, 'instant');
}
