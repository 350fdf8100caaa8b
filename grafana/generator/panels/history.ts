import { VisibilityMode, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/statushistory';
import type { Limits, State } from '../palette.ts';
import { mappingsOf, onOnePage, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

/** Steps of a time range: of a day, five minutes. */
const MOST_POINTS = 288;

/**
 * A row of cells for each series, coloured by their values.
 *
 * @param states values that stand for states
 */
export function history(
  subject: Omit<Subject, 'maxDataPoints'>,
  limits: Limits,
  states: readonly State[] = [],
): Tile {
  const builder = new PanelBuilder()
    .mappings(mappingsOf(states))
    .thresholds(thresholdsOf(limits))
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds))
    .showValue(VisibilityMode.Never)
    .rowHeight(0.85)
    .colWidth(1)
    .lineWidth(0)
    .fillOpacity(80)
    .legend(new VizLegendOptionsBuilder().showLegend(false));
  return onOnePage(tile(builder, { ...subject, maxDataPoints: MOST_POINTS }, 'range'));
}
