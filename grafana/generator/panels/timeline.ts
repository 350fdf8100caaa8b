import {
  LegendDisplayMode,
  LegendPlacement,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/statetimeline';
import { NO_DATA, orGrey, type State } from '../palette.ts';
import { ofAccount } from '../promql.ts';
import { mappingsOf, onOnePage, type Subject, type Target, type Tile, tile } from './tile.ts';

/** Maximum number of points of a row in Grafana ("Too many data points"). */
const MOST_POINTS = 300;

/** A row for all series if none of some series exists in the time range: without a field, Grafana reports an error. */
export function orUnknownRow(known: string, code: number | string): Target {
  const exists = `max_over_time(max(${known})[$__range:$__interval] @ end())`;
  return { expression: `absent(${exists}) * 0 + ${code}`, legend: 'all' };
}

/**
 * States over time: a row for each series, with the codes of the states as values.
 *
 * @param known a query of a few series that exist whenever states exist. Without them, one row shows "Unknown", because
 *   Grafana reports a missing field as an error
 * @param none the text of that row if accounts have data
 */
export function timeline(
  subject: Omit<Subject, 'unit' | 'maxDataPoints'>,
  states: readonly State[],
  known: string,
  none?: string,
): Tile {
  const nothing = { ...NO_DATA, code: NO_DATA.code - 1, text: none ?? NO_DATA.text };
  const builder = new PanelBuilder()
    .mappings(mappingsOf([...orGrey(states), NO_DATA, nothing]))
    .mergeValues(true)
    .showValue(VisibilityMode.Auto)
    .rowHeight(0.85)
    .lineWidth(0)
    .fillOpacity(80)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(false)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    );
  const scraped = `${nothing.code} + 0 * max(max_over_time(max(${ofAccount('hoster_up')})[$__range:$__interval] @ end()))`;
  const code = none === undefined ? NO_DATA.code : `(${scraped} or vector(${NO_DATA.code}))`;
  const targets = [...subject.targets, orUnknownRow(known, code)];
  return onOnePage(tile(builder, { ...subject, targets, unit: 'none', maxDataPoints: MOST_POINTS }, 'range'));
}
