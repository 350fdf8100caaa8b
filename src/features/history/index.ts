import { dateAt, midnightOf } from '../../base/time-zone.ts';
import type { Feature } from '../../cli/command.ts';
import { DAY } from '../../model/time.ts';
import { HISTORY, movementSince } from './history.ts';
import { createHistoryResponse } from './route.ts';

/** History: counts of phones and the balance over time, for the charts and the money of the page. */
export const history: Feature = {
  name: 'history',
  create: ({ snapshot, now, timeZone }) => ({
    judgement: () => ({ parts: [HISTORY.bind(undefined)] }),
    document: () => {
      const today = dateAt(timeZone(), now());
      const [midnight, month] = [today, `${today.slice(0, 7)}-01`].map((date) =>
        midnightOf(timeZone(), date),
      );
      return {
        observed: snapshot().accounts.map(({ name, known }) => ({
          account: name,
          today: movementSince(known, midnight ?? 0),
          week: movementSince(known, now() - 7 * DAY),
          month: movementSince(known, month ?? 0),
        })),
      };
    },
    routes: () => [['/api/v1/history', { methods: ['GET'], answer: createHistoryResponse(snapshot, now) }]],
  }),
};
