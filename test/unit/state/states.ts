import type { AccountState } from '../../../src/state/format.ts';
import { NOON } from '../../builders.ts';

/** An account with everything that can be kept. */
export const MAIN: AccountState = {
  identity: { name: 'main', apiUrl: 'https://api.example.com/', key: { file: '/run/secrets/hoster' } },
  money: {
    balance: { availableCents: 12_345, pendingCents: -5, totalCents: undefined },
    observed: {
      available: { increaseCents: 500, decreaseCents: 20 },
      pending: { increaseCents: 0, decreaseCents: 0 },
    },
  },
  devices: [
    [
      'phone-1',
      {
        rentalStatus: 'sold',
        rentalStatusSince: NOON,
        rentalStatusSeconds: { sold: 86_400.25, self_rented: 0, idle: 30, other: 0 },
      },
    ],
    [
      'phone-2',
      {
        rentalStatus: undefined,
        rentalStatusSince: undefined,
        rentalStatusSeconds: { sold: 0, self_rented: 0, idle: 0, other: 0 },
      },
    ],
  ],
};

/** An account of which nothing is known yet. */
export const EMPTY: AccountState = {
  identity: { name: 'empty', apiUrl: 'http://127.0.0.1:9824/', key: { environment: 'HOSTER_API_KEY' } },
  money: undefined,
  devices: [],
};

/** What both are written as. */
export const TEXT = `{"format":"hoster-exporter state","version":1,"saved_at":"2026-03-01T12:00:00.000Z","accounts":[
{"name":"main","api_url":"https://api.example.com/","key":{"file":"/run/secrets/hoster"},"money":{"available_cents":12345,"pending_cents":-5,"observed":{"available":{"increase_cents":500,"decrease_cents":20},"pending":{"increase_cents":0,"decrease_cents":0}}},"phones":[
{"id":"phone-1","status":"sold","since":${NOON},"seconds":{"sold":86400.25,"idle":30}},
{"id":"phone-2","seconds":{}}
]},
{"name":"empty","api_url":"http://127.0.0.1:9824/","key":{"environment":"HOSTER_API_KEY"},"phones":[
]}
],
"checksum":"CHECKSUM"}
`;
