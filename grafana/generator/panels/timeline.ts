import {
  LegendDisplayMode,
  LegendPlacement,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/statetimeline';
import type { State } from '../palette.ts';
import { mappingsOf, type Subject, type Tile, tile } from './tile.ts';

/** More points than this and Grafana refuses to draw a row ("Too many data points"). */
const MOST_POINTS = 300;

/** States over time: a row for each series, its values the codes of the states. */
export function timeline(subject: Omit<Subject, 'unit' | 'maxDataPoints'>, states: readonly State[]): Tile {
  const builder = new PanelBuilder()
    .mappings(mappingsOf(states))
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
  return tile(builder, { ...subject, unit: 'none', maxDataPoints: MOST_POINTS }, 'range');
}
