import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { urgentVisits, verdictOf } from '../../../../src/features/page/browser/verdict.ts';
import type { FleetCause, FleetDocument, FleetIncident } from '../../../../src/fleet/document.ts';
import {
  ageBasisOf,
  type ConnectionState,
  freshnessOf,
  REQUEST_FAILURES,
  timeTextAt,
} from '../../../../src/fleet/freshness.ts';
import { indexPhones } from '../../../../src/fleet/phones.ts';
import { PROBLEMS } from '../../../../src/model/problem.ts';
import { NOON, phone, reading } from '../../fleet/phone.ts';
import { accountOf, fleet, incident, totals } from '../chat/fleet.ts';

const CONNECTED: ConnectionState = { lastResponseAt: NOON, failure: undefined, failingSince: undefined };
const UTC = createTimeZone('UTC');

/** The sentence for a fleet, 20 s after noon. */
function verdict(own: Partial<FleetDocument> | undefined, connection = CONNECTED) {
  const now = NOON + 20_000;
  const time = timeTextAt(now, UTC);
  const document = own && fleet(own);
  const lostAt = connection.failure === undefined ? undefined : now;
  return verdictOf({
    fleet: document,
    visits: document ? urgentVisits(document, indexPhones(document.phones).entries) : [],
    freshness: freshnessOf(document, connection, now, time),
    bases: new Map(
      document?.accounts.map(({ name, readings }) => [name, ageBasisOf(readings.devices, now, lostAt)]),
    ),
    time,
  });
}

const RACK: FleetCause = {
  ...{ id: 'group:rack-03', kind: 'group', value: 'rack-03', phones: 2, soldPhones: 1, ownPhones: 2 },
  ...{ others: 0, since: '2026-03-01T11:50:00.000Z', withinSeconds: 9 },
};
const cut = [
  phone({ id: 'a', problem: 'sold_offline', online: false, cause: RACK.id, priceCentsPerDay: 240 }),
  phone({ id: 'b', problem: 'offline', online: false, cause: RACK.id, rentalStatus: 'idle' }),
];
const lone = phone({ id: 'c', problem: 'sold_offline', online: false, priceCentsPerDay: 480 });

describe('the sentence', () => {
  it.each<[string, Partial<FleetDocument>, string, string, string]>([
    ['all is well', {}, 'good', 'All 4 phones are online', ''],
    [
      'some phones are out of service',
      { accounts: [accountOf({ totals: totals({ phones: 7 }, { in_maintenance: 2, not_set_up: 1 }) })] },
      'good',
      'All 4 phones are online',
      '1 not set up, 2 in maintenance.',
    ],
    [
      'only phones that were given up are offline',
      { accounts: [accountOf({ totals: totals({ phones: 5, offline: 1 }, { given_up: 1 }) })] },
      'good',
      '4 of 5 phones are online, nothing needs attention',
      '',
    ],
    [
      'a rack is cut',
      { phones: cut, causes: [RACK] },
      'bad',
      '1 outage needs attention',
      '1 sold phone is offline, about €0.10 an hour (estimated).',
    ],
    [
      'a rack is cut, and a sold phone is offline beside it',
      { phones: [...cut, lone], causes: [RACK] },
      'bad',
      '1 outage, 1 phone needs attention',
      '2 sold phones are offline, about €0.30 an hour (estimated).',
    ],
    [
      'phones without a rental are offline',
      {
        phones: ['a', 'b'].map((id) =>
          phone({ id, problem: 'offline', online: false, rentalStatus: 'idle' }),
        ),
      },
      'warn',
      '2 phones need attention',
      '',
    ],
    [
      'there are no phones',
      { accounts: [accountOf({ totals: totals({ phones: 0, online: 0 }) })], phones: [] },
      'info',
      'No phones in main. Is it the right API key?',
      '',
    ],
    [
      'the marketplace has just come back',
      { accounts: [accountOf({ gracePeriodEndsAt: '2026-03-01T12:05:00.000Z' })] },
      'info',
      'No problems so far. Phones may still be offline since the outage.',
      '',
    ],
  ])('says so where %s', (_, own, tone, title, note) => {
    expect(verdict(own)).toMatchObject({ tone, title, note });
  });

  it('never adds up the costs of several currencies', () => {
    const accounts = [accountOf(), accountOf({ name: 'other', currency: 'USD' })];
    const { note } = verdict({ accounts, phones: [lone, { ...lone, account: 'other' }] });
    expect(note).toBe('2 sold phones are offline, about €0.20 + $0.20 an hour (estimated).');
  });

  it('says since when there is no new data and what was known, in place of the notice', () => {
    const devices = reading({
      state: 'stale',
      lastSuccessAt: '2026-03-01T11:55:00.000Z',
      failureText: 'The API is slow. Wait.',
    });
    const accounts = [accountOf({ readings: { devices, tunnels: devices, balance: devices } })];
    expect(verdict({ accounts, phones: [lone] })).toMatchObject({
      tone: 'warn',
      title: 'Phones: not updating since 11:55:00',
      note: 'The API is slow. Wait. Retrying every 30 s. You see the data from 5 min ago. Last known: 1 phone needs attention.',
      notices: [],
    });
    expect(verdict({ accounts }).note).toContain('Nothing needed attention then.');
  });

  it('leaves the notice of one of several accounts, and says what the others show', () => {
    const devices = reading({ state: 'expired', lastSuccessAt: '2026-03-01T11:55:00.000Z' });
    const old = accountOf({ name: 'old', readings: { devices, tunnels: devices, balance: devices } });
    expect(verdict({ accounts: [accountOf(), old] })).toMatchObject({
      tone: 'info',
      title: 'No problems at 11:55:00. No data since then.',
      notices: [{ title: 'Phones: no data since 11:55:00 (old)' }],
    });
  });

  it('says that the exporter cannot be reached', () => {
    const lost = { lastResponseAt: NOON, failure: REQUEST_FAILURES.noResponse, failingSince: NOON };
    expect(verdict({}, lost)).toMatchObject({ tone: 'bad', title: 'The exporter cannot be reached' });
    expect(verdict(undefined, { ...CONNECTED, lastResponseAt: undefined })).toMatchObject({
      tone: 'wait',
      title: 'Loading',
    });
  });

  it('is good only with new data of all accounts and no phone that needs attention', () => {
    const state = fc.constantFrom('fresh', 'stale', 'expired');
    const problem = fc.option(fc.constantFrom(...PROBLEMS), { nil: undefined });
    fc.assert(
      fc.property(fc.array(fc.tuple(state, problem), { minLength: 1, maxLength: 4 }), (cases) => {
        const accounts = cases.map(([each], index) => {
          const devices = reading({ state: each });
          return accountOf({ name: `a${index}`, readings: { devices, tunnels: devices, balance: devices } });
        });
        const phones = cases.map(([, each], index) => phone({ account: `a${index}`, problem: each }));
        const { tone } = verdict({ accounts, phones });
        const isNew = cases.every(([each]) => each === 'fresh');
        const isCalm = urgentVisits(fleet({ accounts, phones }), indexPhones(phones).entries).length === 0;
        expect(tone === 'good').toBe(isNew && isCalm);
      }),
    );
  });
});

describe('the past below the sentence', () => {
  const outage = (own: Partial<FleetIncident> = {}): FleetIncident =>
    incident({
      ...{ problem: 'common_cause', phone: undefined, label: undefined, kind: 'group', value: 'rack-03' },
      ...{ allPhones: 9, mostSoldPhones: 2, since: '2026-03-01T11:17:00.000Z' },
      ...{ endedAt: '2026-03-01T11:29:00.000Z', reason: 'back', reasonText: 'back online' },
      ...own,
    });

  it.each<[string, readonly FleetIncident[], string]>([
    ['nothing', [], 'No recent alerts.'],
    ['an outage', [outage()], 'rack-03 was offline 11:17–11:29, 2 sold phones.'],
    [
      'outages, the newest first',
      [outage({ endedAt: '2026-03-01T10:00:00.000Z', value: 'rack-01' }), outage()],
      'rack-03 was offline 11:17–11:29, 2 sold phones, and 1 other outage.',
    ],
    [
      'an outage of phones that share nothing',
      [outage({ problem: 'many_offline', kind: undefined, value: undefined, mostSoldPhones: 0 })],
      '9 phones were offline 11:17–11:29.',
    ],
    ['an outage that lasts', [outage({ endedAt: undefined })], 'No recent alerts.'],
    [
      'a rack that was taken into maintenance while it was offline',
      [outage({ reason: 'maintenance' })],
      'Last alert: Outage, main, 11:17–11:29.',
    ],
    [
      'a phone',
      [incident({ endedAt: '2026-03-01T11:50:00.000Z', reason: 'back' })],
      'Last alert: Sold, offline, rack-01/slot-01, 11:38–11:50.',
    ],
  ])('of %s', (_, incidents, text) => {
    expect(verdict({ incidents }).past).toBe(text);
  });

  it('has outages also below new problems, and no other alerts', () => {
    expect(verdict({ phones: [lone], incidents: [outage()] }).past).toContain('rack-03 was offline');
    const ended = incident({ endedAt: '2026-03-01T11:50:00.000Z', reason: 'back' });
    expect(verdict({ phones: [lone], incidents: [ended] }).past).toBe('');
  });
});
