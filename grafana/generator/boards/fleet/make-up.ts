import type { Row } from '../../layout.ts';
import { SETUP } from '../../palette.ts';
import { graph, MINUTES } from '../../panels/graph.ts';
import { ranking } from '../../panels/ranking.ts';
import { table } from '../../panels/table.ts';
import { ofAccount, ofRule, onlyRead, ROWS } from '../../promql.ts';
import * as phones from '../../queries/phones.ts';
import { NO_PHONES } from '../no-data.ts';

const MODEL = 'brand, model';

/** Lines of models in a graph that can still be told apart. */
const WORST_MODELS = 5;

const LARGEST = `topk(${ROWS}, ${phones.phonesBy(MODEL)})`;

function among(vector: string): { readonly expression: string } {
  return { expression: `${phones.phonesAmong(vector, MODEL)}\nand on (${MODEL}) ${LARGEST}` };
}

export const makeUp: Row = {
  title: 'Models, versions, set-up, gaps',
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
        width: 6,
        height: 10,
        targets: [{ expression: `topk(${ROWS}, ${phones.phonesBy('app_version')})` }],
      },
      'app_version',
    ),
    ranking(
      {
        title: 'Set-up',
        description:
          'Phones by how far their set-up has come. What is neither complete nor active cannot be rented: finish it or archive the phone.',
        noValue: NO_PHONES,
        unit: 'none',
        width: 6,
        height: 10,
        targets: [{ expression: setupCounts() }],
      },
      'status',
      Object.values(SETUP),
    ),
    graph({
      title: 'Longest gap of healthy phones, by model',
      description:
        'The silence that 99 of 100 phones of a model stay below in a day, beside the thresholds; of few phones the worst one, and of the models the worst five. A line above a threshold: raise the threshold, or look at that model.',
      noValue: 'Unknown, or the rules run for less than an hour',
      unit: MINUTES,
      width: 24,
      height: 8,
      targets: [
        {
          expression: `topk(${WORST_MODELS}, last_over_time(${ofRule('hoster:heartbeat_gap:p99')}[11m])) / 60`,
          legend: '{{account}} {{model}}',
        },
        { expression: 'hoster:threshold_device_silent:seconds / 60', legend: 'silent' },
        { expression: 'hoster:threshold_rented_silent:seconds / 60', legend: 'rented and silent' },
      ],
    }),
  ],
};

function setupCounts(): string {
  const onePerPhone = `max by (account, device_id, status) (${ofAccount('hoster_device_setup_status')})`;
  return `count by (status) (${onlyRead(onePerPhone)})`;
}
