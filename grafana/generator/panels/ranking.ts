import { PanelBuilder } from '@grafana/grafana-foundation-sdk/bargauge';
import {
  BarGaugeDisplayMode,
  BarGaugeValueMode,
  ReduceDataOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { COLOURS, type State } from '../palette.ts';
import { placeholder } from '../variables.ts';
import { fixedColour, option, type Subject, type Tile, tile } from './tile.ts';

/** Bars of current values, named by a label that may be a state: Grafana names a single bar only if the panel does. */
export function ranking(subject: Subject, label: string, states: readonly State[] = []): Tile {
  const builder = new PanelBuilder()
    .displayName(placeholder(`__field.labels.${label}`))
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .showUnfilled(true)
    .text(new VizTextDisplayOptionsBuilder().titleSize(12).valueSize(14))
    .min(0)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(COLOURS.measure))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  for (const { value, text, colour } of states) {
    builder.overrideByName(value, [option('displayName', text), fixedColour(colour)]);
  }
  return tile(builder, subject, 'instant');
}
