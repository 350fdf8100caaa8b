import type { Feature } from '../../cli/command.ts';
import { HISTORY } from './history.ts';
import { createHistoryResponse } from './route.ts';

/** History: counts of phones and the balance over time, for the charts of the page. */
export const history: Feature = {
  name: 'history',
  create: ({ snapshot, now }) => ({
    judgement: () => ({ parts: [HISTORY.bind(undefined)] }),
    routes: () => [['/api/v1/history', { methods: ['GET'], answer: createHistoryResponse(snapshot, now) }]],
  }),
};
