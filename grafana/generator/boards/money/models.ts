import type { Row } from '../../layout.ts';
import { LIMITS } from '../../palette.ts';
import { table } from '../../panels/table.ts';
import { ofAccount, perPhone, ROWS } from '../../promql.ts';
import { averageBy, phonesAmong, phonesBy, rentalIs } from '../../queries/phones.ts';
import { NO_PHONES } from '../no-data.ts';

const MODEL = 'brand, model';
const COUNT = phonesBy(MODEL);
const SOLD_SHARE = `${phonesAmong(rentalIs('sold'), MODEL)} / ${COUNT}`;

/** Of each phone the share of the time range for which it was sold, as far as it was observed. */
const NOT_SOLD = perPhone(ofAccount('hoster_device_rental_status', 'status!="sold"'));
const SOLD_TIME = `avg_over_time((${rentalIs('sold')} or 0 * ${NOT_SOLD})[$__range:$__interval])`;

const SHARE = { unit: 'percentunit', decimals: 0, limits: LIMITS.occupancy, width: 150 } as const;

function amongModels(vector: string): { readonly expression: string } {
  return { expression: `(${vector})\nand on (${MODEL}) topk(${ROWS}, ${COUNT})` };
}

/** Panels to decide the next model to buy. */
export const models: Row = {
  title: 'Models',
  collapsed: true,
  tiles: [
    table({
      title: 'Which model to buy next',
      description:
        'The most frequent models by the share of them that is sold, now and over the time range. Buy what stays sold; few phones of a model prove nothing.',
      noValue: NO_PHONES,
      width: 24,
      height: 10,
      maxDataPoints: 50,
      columns: [
        { title: 'Brand', label: 'brand', width: 150 },
        { title: 'Model', label: 'model' },
        { title: 'Phones', target: { expression: `topk(${ROWS}, ${COUNT})` }, width: 100 },
        { title: 'Sold now', target: amongModels(SOLD_SHARE), ...SHARE },
        {
          title: 'Sold, time range',
          target: amongModels(averageBy(SOLD_TIME, MODEL)),
          ...SHARE,
        },
      ],
      sortBy: ['Sold, time range', 'descending'],
    }),
  ],
};
