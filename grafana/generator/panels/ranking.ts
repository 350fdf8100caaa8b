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

/**
 * Bars beside each other as of now, named by a label, whose values may be those or the codes of states. Grafana shows no
 * name of a lone bar unless the panel sets one.
 */
export function ranking(subject: Subject, label: string, states: readonly State[] = []): Tile {
  const builder = new PanelBuilder()
    .displayName(placeholder(`__field.labels.${label}`))
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .showUnfilled(true)
    .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(16))
    .min(0)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(COLOURS.measure))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  for (const { value, code, text, colour } of states) {
    const look = [option('displayName', text), fixedColour(colour)];
    builder.overrideByName(value, look).overrideByName(String(code), look);
  }
  return tile(builder, subject, 'instant');
}
