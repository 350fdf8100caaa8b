import {
  BigValueColorMode,
  BigValueGraphMode,
  BigValueJustifyMode,
  BigValueTextMode,
  ReduceDataOptionsBuilder,
  VizOrientation,
  VizTextDisplayOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { LIMITS, type Limits } from '../palette.ts';
import type { Step } from './steps.ts';
import { option, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

/** A big number: a field of the one row that the steps make. */
export type Figure = {
  readonly field: string;
  readonly title: string;
  readonly unit: string;
  readonly decimals: number;
  readonly limits?: Limits;
};

type FiguresSubject = Omit<Subject, 'targets' | 'unit'> & {
  readonly steps: readonly Step[];
  /** The table whose queries the row is made of. */
  readonly rowsOf: Tile;
};

/** Big numbers beside each other, of the rows of a table. */
export function figureTiles({ steps, rowsOf, ...subject }: FiguresSubject, figures: readonly Figure[]): Tile {
  const names = figures.map(({ field }) => field);
  const builder = new PanelBuilder()
    .thresholds(thresholdsOf(LIMITS.none))
    .colorMode(BigValueColorMode.Value)
    .justifyMode(BigValueJustifyMode.Center)
    .orientation(VizOrientation.Vertical)
    .text(new VizTextDisplayOptionsBuilder().titleSize(14).valueSize(36))
    .graphMode(BigValueGraphMode.None)
    .textMode(BigValueTextMode.ValueAndName)
    .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false));
  for (const step of rowsOf.inputs ?? []) builder.withTransformation(step);
  for (const step of steps) builder.withTransformation(step);
  builder
    .withTransformation({ id: 'filterFieldsByName', options: { include: { names } } })
    .withTransformation({
      id: 'organize',
      options: {
        excludeByName: {},
        indexByName: Object.fromEntries(names.map((name, index) => [name, index])),
        renameByName: {},
      },
    });
  for (const { field, title, unit, decimals, limits } of figures) {
    builder.overrideByName(field, [
      option('displayName', title),
      option('unit', unit),
      option('decimals', decimals),
      ...(limits === undefined ? [] : [option('thresholds', thresholdsOf(limits).build())]),
    ]);
  }
  return { ...tile(builder, { ...subject, unit: 'none', targets: [] }, 'table'), rowsOf };
}
