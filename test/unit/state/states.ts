import { learnGap, NEW_RHYTHM } from '../../../src/judgement/silence.ts';
import type { AccountState } from '../../../src/state/format.ts';
import { NOON } from '../../builders.ts';

/** An account with everything that can be kept. */
export const MAIN: AccountState = {
  identity: { name: 'main', apiUrl: 'https://api.example.com/' },
  lastAmounts: { availableCents: 12_345, pendingCents: -5 },
  left: [
    [
      'phone-0',
      {
        label: 'rack-01/slot-01',
        group: 'rack-01',
        lastListedAt: NOON - 90_000,
        removedAt: NOON - 30_000,
        wasSilent: true,
      },
    ],
  ],
  devices: [
    [
      'phone-1',
      {
        rentalStatus: 'sold',
        rentalStatusSince: NOON,
        problem: { problem: 'sold_silent', since: NOON - 900_000 },
        rhythm: learnGap(NEW_RHYTHM, 60),
      },
    ],
    [
      'phone-2',
      { rentalStatus: undefined, rentalStatusSince: undefined, problem: undefined, rhythm: undefined },
    ],
  ],
};

/** An account of which nothing is known yet. */
export const EMPTY: AccountState = {
  identity: { name: 'empty', apiUrl: 'http://127.0.0.1:9824/' },
  lastAmounts: undefined,
  left: [],
  devices: [],
};

/** The text of both. */
export const TEXT = `{"format":"hoster-exporter state","version":2,"saved_at":"2026-03-01T12:00:00.000Z","accounts":[
{"name":"main","api_url":"https://api.example.com/","balance":{"available_cents":12345,"pending_cents":-5},"left":[{"id":"phone-0","label":"rack-01/slot-01","group":"rack-01","listed":${NOON - 90_000},"removed":${NOON - 30_000},"silent":true}],"phones":[
{"id":"phone-1","status":"sold","since":${NOON},"problem":{"problem":"sold_silent","since":${NOON - 900_000}},"rhythm":${JSON.stringify(learnGap(NEW_RHYTHM, 60))}},
{"id":"phone-2"}
]},
{"name":"empty","api_url":"http://127.0.0.1:9824/","phones":[
]}
]}
`;

/** The same as version 1 of the file had it: with counters, the source of the key, and a checksum. */
export const VERSION_1_TEXT = `{"format":"hoster-exporter state","version":1,"saved_at":"2026-03-01T12:00:00.000Z","accounts":[
{"name":"main","api_url":"https://api.example.com/","key":{"file":"/run/secrets/hoster"},"money":{"available_cents":12345,"pending_cents":-5,"observed":{"available":{"increase_cents":500,"decrease_cents":20},"pending":{"increase_cents":0,"decrease_cents":0}}},"phones":[
{"id":"phone-1","status":"sold","since":${NOON},"seconds":{"sold":86400.25,"idle":30}},
{"id":"phone-2","seconds":{}}
]},
{"name":"empty","api_url":"http://127.0.0.1:9824/","key":{"environment":"HOSTER_API_KEY"},"phones":[
]}
],
"checksum":"01234567"}
`;
