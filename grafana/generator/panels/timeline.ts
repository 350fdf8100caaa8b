import {
  LegendDisplayMode,
  LegendPlacement,
  VisibilityMode,
  VizLegendOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import type { DynamicConfigValue } from '@grafana/grafana-foundation-sdk/dashboard';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/statetimeline';
import type { Coded, Limits } from '../palette.ts';
import { WITH_SERIES } from './steps.ts';
import { mappingsOf, onOnePage, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

/** Maximum number of points of a row, also on a narrow screen. */
const MOST_POINTS = 96;

type TimelineSubject = Omit<Subject, 'maxDataPoints'> & {
  /** States for the codes in the values. */
  readonly codes?: readonly Coded[];
  /** Colours for the values. */
  readonly limits?: Limits;
  /** Looks of rows by their names; all values are 1. */
  readonly rows?: readonly (readonly [name: string, look: DynamicConfigValue[]])[];
};

/** A row for each series, coloured by its values or its name. A time without data is a gap. */
export function timeline({ codes = [], limits, rows = [], ...subject }: TimelineSubject): Tile {
  const builder = new PanelBuilder()
    .mappings(mappingsOf(codes))
    .mergeValues(true)
    .showValue(codes.length > 0 ? VisibilityMode.Auto : VisibilityMode.Never)
    .withTransformation(WITH_SERIES)
    .rowHeight(0.85)
    .lineWidth(0)
    .fillOpacity(80)
    .legend(
      new VizLegendOptionsBuilder()
        .showLegend(false)
        .displayMode(LegendDisplayMode.List)
        .placement(LegendPlacement.Bottom),
    );
  if (limits !== undefined)
    builder
      .thresholds(thresholdsOf(limits))
      .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Thresholds));
  for (const [name, look] of rows) builder.overrideByName(name, look);
  return onOnePage(tile(builder, { ...subject, maxDataPoints: MOST_POINTS }, 'range'));
}
