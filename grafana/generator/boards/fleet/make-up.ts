import type { Row } from '../../layout.ts';
import { ranking } from '../../panels/ranking.ts';
import { table } from '../../panels/table.ts';
import { ROWS } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { NO_PHONES } from '../no-data.ts';

const MODEL = 'brand, model';

const LARGEST = `topk(${ROWS}, ${phones.phonesBy(MODEL)})`;

function among(vector: string): { readonly expression: string } {
  return { expression: `${phones.phonesAmong(vector, MODEL)}\nand on (${MODEL}) ${LARGEST}` };
}

export const makeUp: Row = {
  title: 'Models, versions',
  collapsed: true,
  tiles: [
    table({
      title: 'Models',
      description:
        'The most frequent models, how many of each are silent and sold now. A model that is silent more often than others is one not to buy again.',
      noValue: NO_PHONES,
      width: 12,
      height: 10,
      columns: [
        { title: 'Brand', label: 'brand', width: 120 },
        { title: 'Model', label: 'model' },
        { title: 'Phones', target: { expression: LARGEST }, width: 80 },
        { title: 'Silent', target: among(phones.silent()), width: 80 },
        { title: 'Sold', target: among(phones.rentalIs('sold')), width: 80 },
      ],
      sortBy: ['Phones', 'descending'],
    }),
    ranking(
      {
        title: 'Versions of the app',
        description:
          'Phones by the version of the app on them. Update the stragglers; compare a new version with the silent phones before you roll it out.',
        noValue: NO_PHONES,
        unit: 'none',
        width: 12,
        height: 10,
        targets: [{ expression: `topk(${ROWS}, ${phones.phonesBy('app_version')})` }],
      },
      'app_version',
    ),
  ],
};
