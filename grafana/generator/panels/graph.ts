import {
  BarAlignment,
  GraphDrawStyle,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
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
import {
  FieldColorBuilder,
  FieldColorModeId,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Colour, Limits, State } from '../palette.ts';
import { fixedColour, option, type Subject, shadesOf, type Tile, tile } from './tile.ts';

/** Minutes, for what may last from seconds to days: an axis in seconds has marks at 8.33 minutes and 1.39 hours. */
export const MINUTES = 'suffix:min';

export type GraphLook = {
  readonly style?: 'lines' | 'bars';
  readonly stacked?: boolean;
  /** The series are called by the values of these states. */
  readonly states?: readonly State[];
  /** Drawn as dashed lines. */
  readonly limits?: Limits;
  readonly max?: number;
  /** The least top of the axis: nothing but zeros has no axis to 100. */
  readonly leastMax?: number;
  /** Where values may be negative, the axis need not begin at 0. */
  readonly signed?: boolean;
  /** A series that is a limit: nothing is filled below it. */
  readonly limit?: string;
  readonly decimals?: number;
  /** Colours of series by a pattern of their names; of several series of one pattern, shades of it. */
  readonly byName?: readonly (readonly [pattern: string, colour: Colour])[];
  /** Many series: a table of them at the side. */
  readonly manySeries?: boolean;
};

/** Values over time. */
export function graph(subject: Subject, look: GraphLook = {}): Tile {
  const bars = look.style === 'bars';
  const builder = new PanelBuilder()
    .drawStyle(bars ? GraphDrawStyle.Bars : GraphDrawStyle.Line)
    // A line of 0 would lie on the next band, in its own colour.
    .lineWidth(look.stacked === true ? 0 : 1)
    .fillOpacity(look.stacked === true || bars ? 60 : 10)
    .showPoints(VisibilityMode.Auto)
    .spanNulls(false)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.PaletteClassic))
    .legend(legend(look.manySeries === true))
    .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi).sort(SortOrder.Descending));
  // A bar is of the time after its point: the first day of a range is not cut.
  if (bars) builder.barAlignment(BarAlignment.After);
  if (look.signed !== true) builder.min(0);
  const leastMax = look.leastMax ?? (look.decimals === 0 ? 4 : undefined);
  if (leastMax !== undefined) builder.axisSoftMax(leastMax);
  if (look.max !== undefined) builder.max(look.max);
  if (look.decimals !== undefined) builder.decimals(look.decimals);
  if (look.stacked === true) builder.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
  if (look.limits !== undefined) {
    builder
      .thresholds(linesAt(look.limits))
      .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
  }
  if (look.limit !== undefined) builder.overrideByName(look.limit, [{ id: 'custom.fillOpacity', value: 0 }]);
  for (const [pattern, colour] of look.byName ?? []) {
    builder.overrideByRegexp(pattern, [shadesOf(colour)]);
  }
  for (const { value, text, colour } of look.states ?? []) {
    builder.overrideByName(value, [option('displayName', text), fixedColour(colour)]);
  }
  return tile(builder, subject, 'range');
}

/** Dashed lines at the limits, and none at 0. */
function linesAt([first, ...steps]: Limits): ThresholdsConfigBuilder {
  return new ThresholdsConfigBuilder()
    .mode(ThresholdsMode.Absolute)
    .steps([{ value: null, color: first }, ...steps.map(([value, color]) => ({ value, color }))]);
}

function legend(manySeries: boolean): VizLegendOptionsBuilder {
  return new VizLegendOptionsBuilder()
    .displayMode(manySeries ? LegendDisplayMode.Table : LegendDisplayMode.List)
    .placement(manySeries ? LegendPlacement.Right : LegendPlacement.Bottom)
    .showLegend(true);
}
