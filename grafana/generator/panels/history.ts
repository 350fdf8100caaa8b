import { VisibilityMode, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/statushistory';
import { type Limits, NO_DATA, type State } from '../palette.ts';
import { mappingsOf, onOnePage, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';
import { orUnknownRow } from './timeline.ts';

/** Steps of a time range: of a day, five minutes. */
const MOST_POINTS = 288;

/**
 * A row of cells for each series, coloured by their values.
 *
 * @param known a query of a few series that exist whenever values exist
 * @param states values that stand for states
 */
export function history(
  subject: Omit<Subject, 'maxDataPoints'>,
  limits: Limits,
  known: string,
  states: readonly State[] = [],
): Tile {
  const builder = new PanelBuilder()
    .mappings(mappingsOf([...states, NO_DATA]))
    .thresholds(thresholdsOf(limits))
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds))
    .showValue(VisibilityMode.Never)
    .rowHeight(0.85)
    .colWidth(1)
    .lineWidth(0)
    .fillOpacity(80)
    .legend(new VizLegendOptionsBuilder().showLegend(false));
  const targets = [...subject.targets, orUnknownRow(known, NO_DATA.code)];
  return onOnePage(tile(builder, { ...subject, targets, maxDataPoints: MOST_POINTS }, 'range'));
}
