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
import { fixedColour, mappingsOf, option, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

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
  /** Stacks the series vertically. */
  readonly rows?: boolean;
  /** Draws a graph of the last hours behind the number; the query is one over time. */
  readonly course?: boolean;
};

/** Time range and step of the graph behind a number. The number is at most one step old. */
const COURSE = { range: '6h', interval: '30s', maxDataPoints: 720 } as const;

/** Starts a panel of big numbers with the last value of each series. */
export function bigNumbers(limits: Limits, valueSize: number): PanelBuilder {
  return new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(BigValueColorMode.Value)
    .justifyMode(BigValueJustifyMode.Center)
    .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(valueSize))
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
}

/** A current number, or one for each of a few series; grey if its name says that it is incomplete. */
export function stat(subject: Subject, look: StatLook = {}): Tile {
  const {
    limits = LIMITS.none,
    states,
    named = false,
    decimals,
    byName = [],
    zero,
    rows = false,
    course = false,
  } = look;
  const builder = bigNumbers(limits, states === undefined ? 28 : 20)
    .graphMode(course ? BigValueGraphMode.Area : BigValueGraphMode.None)
    .textMode(named ? BigValueTextMode.ValueAndName : BigValueTextMode.Auto);
  if (rows) builder.orientation(VizOrientation.Horizontal);
  for (const [pattern, colour, unit] of byName) {
    builder.overrideByRegexp(pattern, [
      ...(colour === undefined ? [] : [fixedColour(colour)]),
      ...(unit === undefined ? [] : [option('unit', unit)]),
    ]);
  }
  if (named) builder.overrideByRegexp(GREY_NAMES, [fixedColour(COLOURS.unknown)]);
  if (states !== undefined) builder.mappings(mappingsOf(orGrey(states)));
  if (zero !== undefined)
    builder.mappings(mappingsOf([{ value: '', code: 0, text: zero, colour: COLOURS.bad }]));
  if (decimals !== undefined) builder.decimals(decimals);
  if (!course) return tile(builder, subject, 'instant');
  builder.hideTimeOverride(true).min(0);
  return tile(builder, { ...subject, ...COURSE }, 'range');
}
