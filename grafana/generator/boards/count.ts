import { LIMITS, type Limits } from '../palette.ts';
import { stat } from '../panels/stat.ts';
import type { Tile } from '../panels/tile.ts';
import { NO_PHONES } from './no-data.ts';

/** A small tile with a number of phones or accounts of this moment. */
export function count(
  title: string,
  description: string,
  expression: string,
  limits: Limits = LIMITS.none,
): Tile {
  return stat(
    {
      title,
      description,
      noValue: NO_PHONES,
      unit: 'none',
      width: 4,
      height: 4,
      targets: [{ expression }],
    },
    { limits, decimals: 0 },
  );
}
