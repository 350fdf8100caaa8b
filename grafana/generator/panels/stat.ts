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
  /** The value is the code of one of these. */
  readonly states?: readonly State[];
  /** Shows the name of the series beside its value. */
  readonly named?: boolean;
  readonly decimals?: number;
  /** Colours and units of series by a pattern of their names. */
  readonly byName?: readonly (readonly [pattern: string, colour: Colour | undefined, unit?: string])[];
  /** Words in place of 0. */
  readonly zero?: string;
  /** Series stand below each other. */
  readonly rows?: boolean;
  /** Behind the number its course, in the last hours; the query is one over time. */
  readonly course?: boolean;
};

/** Time range of the course behind a number, and its steps: the number is as old as a step at most. */
const COURSE = { range: '6h', interval: '30s', maxDataPoints: 720 } as const;

/** The beginning of a panel of big numbers, each the last value of its series. */
export function bigNumbers(limits: Limits, valueSize: number): PanelBuilder {
  return new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(BigValueColorMode.Value)
    .justifyMode(BigValueJustifyMode.Center)
    .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(valueSize))
    .graphMode(BigValueGraphMode.None)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
}

/** One number of now, or one for each of a few series; grey where the name says that it is not the whole truth. */
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
