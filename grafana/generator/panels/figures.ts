import { BigValueTextMode, VizOrientation } from '@grafana/grafana-foundation-sdk/common';
import { LIMITS, type Limits } from '../palette.ts';
import { bigNumbers } from './stat.ts';
import { onlyFields, type Step } from './steps.ts';
import { option, type Subject, type Tile, thresholdsOf, tile } from './tile.ts';

/** A big number: a field of the single row after the steps. */
export type Figure = {
  readonly field: string;
  readonly title: string;
  readonly unit: string;
  readonly decimals: number;
  readonly limits?: Limits;
};

type FiguresSubject = Omit<Subject, 'targets' | 'unit'> & {
  readonly steps: readonly Step[];
  /** The table whose queries supply the row. */
  readonly rowsOf: Tile;
};

/** Big numbers side by side, from the rows of a table. */
export function figureTiles({ steps, rowsOf, ...subject }: FiguresSubject, figures: readonly Figure[]): Tile {
  const names = figures.map(({ field }) => field);
  const builder = bigNumbers(LIMITS.none, 36)
    .orientation(VizOrientation.Vertical)
    .textMode(BigValueTextMode.ValueAndName);
  for (const step of [...(rowsOf.inputs ?? []), ...steps, ...onlyFields(names)])
    builder.withTransformation(step);
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
