import { dateAt, midnightOf } from '../../base/time-zone.ts';
import type { Feature } from '../../cli/command.ts';
import { DAY } from '../../model/time.ts';
import { HISTORY_FIELDS } from './document.ts';
import { HISTORY, movementSince } from './history.ts';
import { createHistoryResponse } from './route.ts';

/** History: counts of phones and the balance over time, for the page's charts and its money. */
export const history: Feature = {
  name: 'history',
  fields: HISTORY_FIELDS,
  create: ({ snapshot, now, timeZone }) => ({
    judgement: () => ({ parts: [HISTORY.bind(timeZone())] }),
    document: () => ({
      observed: snapshot().accounts.map(({ name, known }) => {
        const at = known.at ?? now();
        const today = dateAt(timeZone(), at);
        return {
          account: name,
          today: movementSince(known, midnightOf(timeZone(), today)),
          week: movementSince(known, at - 7 * DAY),
          month: movementSince(known, midnightOf(timeZone(), `${today.slice(0, 7)}-01`)),
        };
      }),
    }),
    routes: () => [
      ['/api/v1/history', { methods: ['GET'], answer: createHistoryResponse(snapshot, now, timeZone) }],
    ],
  }),
};
