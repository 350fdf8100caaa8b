import { LIMITS, type Limits } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { NO_PHONES } from './no-data.ts';

/** A small tile with a number of this moment: of phones and accounts, unless the text for no data says otherwise. */
export function count(
  title: string,
  description: string,
  expression: string,
  limits: Limits = LIMITS.none,
  noValue = NO_PHONES,
): Tile {
  return stat(
    {
      title,
      description,
      noValue,
      unit: 'none',
      width: 4,
      height: 4,
      targets: [{ expression, legend: '{{as}}' }],
    },
    { limits, named: true, decimals: 0 },
  );
}
