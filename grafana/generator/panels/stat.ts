import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { LIMITS, type Limits, type State } from '../palette.ts';
import { mappingsOf, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

export type StatLook = {
  readonly limits?: Limits;
  /** The value is the code of one of these. */
  readonly states?: readonly State[];
  /** Draws the time range behind the number. */
  readonly sparkline?: boolean;
  /** Shows what the series is called in place of its value. */
  readonly nameOnly?: boolean;
  readonly decimals?: number;
};

/** One number, or one for each of a few series, to be read from across the room. */
export function stat(subject: Subject, look: StatLook = {}): Tile {
  const { limits = LIMITS.none, states, sparkline = false, nameOnly = false, decimals } = look;
  const coloured = limits !== LIMITS.none || states !== undefined;
  const builder = new PanelBuilder()
    .thresholds(thresholdsOf(limits))
    .colorMode(coloured ? BigValueColorMode.Background : BigValueColorMode.Value)
    .graphMode(sparkline ? BigValueGraphMode.Area : BigValueGraphMode.None)
    .textMode(nameOnly ? BigValueTextMode.Name : BigValueTextMode.Auto)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  if (states !== undefined) builder.mappings(mappingsOf(states));
  if (decimals !== undefined) builder.decimals(decimals);
  return tile(builder, subject, sparkline ? 'range' : 'instant');
}
