import { PanelBuilder } from '@grafana/grafana-foundation-sdk/bargauge';
import {
  BarGaugeDisplayMode,
  BarGaugeValueMode,
  ReduceDataOptionsBuilder,
  VizOrientation,
} from '@grafana/grafana-foundation-sdk/common';
import { FieldColorBuilder, FieldColorModeId } from '@grafana/grafana-foundation-sdk/dashboard';
import { COLOURS, type State } from '../palette.ts';
import { fixedColour, option, type Subject, type Tile, tile } from './tile.ts';

/** Bars beside each other as of now; the series may be called by the values or the codes of states. */
export function ranking(subject: Subject, states: readonly State[] = []): Tile {
  const builder = new PanelBuilder()
    .orientation(VizOrientation.Horizontal)
    .displayMode(BarGaugeDisplayMode.Basic)
    .valueMode(BarGaugeValueMode.Text)
    .showUnfilled(true)
    .min(0)
    .colorScheme(new FieldColorBuilder().mode(FieldColorModeId.Fixed).fixedColor(COLOURS.measure))
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  for (const { value, code, text, colour } of states) {
    const look = [option('displayName', text), fixedColour(colour)];
    builder.overrideByName(value, look).overrideByName(String(code), look);
  }
  return tile(builder, subject, 'instant');
}
