import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { COLOURS, LIMITS, type Limits, type State } from '../palette.ts';
import { PARTIAL } from '../promql.ts';
import { fixedColour, mappingsOf, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

export type StatLook = {
  readonly limits?: Limits;
  /** The value is the code of one of these. */
  readonly states?: readonly State[];
  /** Shows the name of the series beside its value. */
  readonly named?: boolean;
  /** Names of series that the limits do not colour. */
  readonly plain?: readonly string[];
  readonly decimals?: number;
};

/** One number of now, or one for each of a few series, to be read from across the room. */
export function stat(subject: Subject, look: StatLook = {}): Tile {
  const { limits = LIMITS.none, states, named = false, plain = [], decimals } = look;
  const coloured = limits !== LIMITS.none || states !== undefined;
  const builder = new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(coloured ? BigValueColorMode.Background : BigValueColorMode.Value)
    .graphMode(BigValueGraphMode.None)
    .textMode(named ? BigValueTextMode.ValueAndName : BigValueTextMode.Auto)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  if (named) builder.overrideByRegexp(String(PARTIAL), [fixedColour(COLOURS.unknown)]);
  for (const name of plain) builder.overrideByName(name, [fixedColour(COLOURS.unknown)]);
  if (states !== undefined) builder.mappings(mappingsOf(states));
  if (decimals !== undefined) builder.decimals(decimals);
  return tile(builder, subject, 'instant');
}
