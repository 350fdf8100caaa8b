import { PanelBuilder } from '@grafana/grafana-foundation-sdk/barchart';
import {
  LegendDisplayMode,
  LegendPlacement,
  SortOrder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizOrientation,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import type { Colour } from '../palette.ts';
import { option, type Subject, shadesOf, type Tile, tile } from './tile.ts';

/** Name of the field with the times of the points. */
const TIME = 'Time';

/** A day on the axis, without the time. */
export const DAY = 'time:MM/DD';

/** Values by day with the series of a day side by side: a graph would stack their bars. */
export function barsByDay(
  subject: Omit<Subject, 'interval'>,
  decimals: number,
  byName: readonly (readonly [pattern: string, colour: Colour])[],
): Tile {
  const builder = new PanelBuilder()
    .xField(TIME)
    .orientation(VizOrientation.Auto)
    .stacking(StackingMode.None)
    .showValue(VisibilityMode.Never)
    .xTickLabelSpacing(100)
    .xTickLabelMaxLength(10)
    .groupWidth(0.8)
    .barWidth(0.95)
    .lineWidth(0)
    .fillOpacity(80)
    .decimals(decimals)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic))
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending))
    // One row for each day, with a column for each series.
    .withTransformation({ id: 'joinByField', options: { byField: TIME, mode: 'outer' } })
    // Labels without room are formatted as missing values.
    .overrideByName(TIME, [option('unit', DAY), option('noValue', ' ')]);
  for (const [pattern, colour] of byName) builder.overrideByRegexp(pattern, [shadesOf(colour)]);
  return tile(builder, { ...subject, interval: '1d' }, 'range');
}
