import {
  BarAlignment,
  GraphDrawStyle,
  LegendDisplayMode,
  LegendPlacement,
  SortOrder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VisibilityMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Colour, State } from '../palette.ts';
import { fixedColour, option, type Subject, shadesOf, type Tile, tile } from './tile.ts';

/** Minutes for durations from seconds to days: an axis in seconds has marks at 8.33 minutes and 1.39 hours. */
export const MINUTES = 'suffix:min';

/** A graph, and its look. */
export type GraphSubject = Subject & {
  readonly style?: 'lines' | 'bars';
  readonly stacked?: boolean;
  /** States whose values name the series. */
  readonly states?: readonly State[];
  readonly max?: number;
  /** A series that is a limit, without a filled area. */
  readonly limit?: string;
  readonly decimals?: number;
  /** Colours of series by a pattern of their names, with shades for several series of a pattern. */
  readonly byName?: readonly (readonly [pattern: string, colour: Colour])[];
  /** Series are named by accounts: each account has its colour on all dashboards. */
  readonly isByAccount?: boolean;
  /** Series that are dashed, by a pattern of their names. */
  readonly dashed?: string;
};

/** Values over time. */
export function graph(look: GraphSubject): Tile {
  const bars = look.style === 'bars';
  const builder = new PanelBuilder()
    .drawStyle(bars ? GraphDrawStyle.Bars : GraphDrawStyle.Line)
    // A line at 0 would cover the next band.
    .lineWidth(look.stacked === true ? 0 : look.isByAccount === true ? 2 : 1)
    .fillOpacity(look.stacked === true || bars ? 60 : look.isByAccount === true ? 0 : 10)
    .showPoints(VisibilityMode.Auto)
    .spanNulls(false)
    .colorScheme(
      new FieldColorBuilder().mode(
        look.isByAccount === true ? FieldColorModeId.PaletteClassicByName : FieldColorModeId.PaletteClassic,
      ),
    )
    .legend(
      new VizLegendOptionsBuilder()
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom)
        .showLegend(true),
    )
    .min(0)
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  // A bar covers the time after its point, so the first day of a range is complete.
  if (bars) builder.barAlignment(BarAlignment.After);
  // A graph of small counts, and of zeros, has no halves on its axis.
  if (look.decimals === 0) builder.axisSoftMax(4);
  if (look.unit === 'reqps') builder.axisSoftMax(0.1);
  if (look.max !== undefined) builder.max(look.max);
  if (look.decimals !== undefined) builder.decimals(look.decimals);
  if (look.stacked === true) builder.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  if (look.limit !== undefined) builder.overrideByName(look.limit, [{ id: 'custom.fillOpacity', value: 0 }]);
  for (const [pattern, colour] of look.byName ?? []) {
    builder.overrideByRegexp(pattern, [shadesOf(colour)]);
  }
  if (look.dashed !== undefined) {
    const line = { fill: 'dash', dash: [6, 6] };
    builder.overrideByRegexp(look.dashed, [
      { id: 'custom.lineStyle', value: line },
      { id: 'custom.fillOpacity', value: 0 },
    ]);
  }
  for (const { value, text, colour } of look.states ?? []) {
    builder.overrideByName(value, [option('displayName', text), fixedColour(colour)]);
  }
  return tile(builder, look, 'range');
}
