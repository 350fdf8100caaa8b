import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import {
  headlineOf,
  hiddenVerdictOf,
  urgentVisits,
  verdictOf,
} from '../../../../src/features/page/browser/verdict.ts';
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
import { accountOf, fleet, incident, totals } from '../../fleet/fleet.ts';
import { NOON, phone, reading } from '../../fleet/phone.ts';

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
    ...{ now, time },
  });
}

const RACK: FleetCause = {
  ...{ id: 'group:rack-03', kind: 'group', value: 'rack-03', phones: 2, soldPhones: 1, ownPhones: 2 },
  ...{ others: 0, since: '2026-03-01T11:50:00.000Z', withinSeconds: 9 },
};
const cut = [
  phone({ id: 'a', problem: 'sold_offline', cause: RACK.id, priceCentsPerDay: 240 }),
  phone({ id: 'b', problem: 'offline', cause: RACK.id, rentalStatus: 'idle' }),
].map((each) => ({ ...each, group: 'rack-03', online: false, problemSince: '2026-03-01T11:50:00.000Z' }));
/** Readings of polls that all succeeded at 11:55 last. */
function readAt1155(state: 'stale' | 'expired', failureText?: string) {
  const last = reading({ state, lastSuccessAt: '2026-03-01T11:55:00.000Z', failureText });
  return { devices: last, tunnels: last, balance: last };
}

const NO_PHONES = { totals: totals({ phones: 0, online: 0 }) };
const lone = phone({ id: 'c', problem: 'sold_offline', online: false, priceCentsPerDay: 480 });

describe('the headline', () => {
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
      'Outage: rack-03',
      '2 of 2 phones offline, 1 sold, since 11:50, about €0.10 an hour (estimated).',
    ],
    [
      'a rack is cut, and a sold phone is offline beside it',
      { phones: [...cut, lone], causes: [RACK] },
      'bad',
      'Outage: rack-03, 1 more phone needs attention',
      'rack-03: 2 of 2 phones offline, 1 sold, since 11:50. 2 sold phones are offline, about €0.30 an hour (estimated).',
    ],
    [
      'phones without a rental are offline',
      {
        phones: ['a', 'b'].map((id) =>
          phone({ id, problem: 'offline', online: false, rentalStatus: 'idle' }),
        ),
      },
      'warn',
      '2 phones need attention: rack-01/slot-01 · a, rack-01/slot-01 · b',
      '',
    ],
    [
      'there are no phones',
      {
        accounts: [accountOf({ ...NO_PHONES, keyFile: '/etc/key', apiUrl: 'https://api.example.com' })],
        phones: [],
      },
      'info',
      'No phones. Is it the right API key?',
      'The key in /etc/key has no phones at https://api.example.com.',
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

  it('says since when there has been no new data, and the last known state, in place of the notice', () => {
    const accounts = [accountOf({ readings: readAt1155('stale', 'The API is slow. Wait.') })];
    expect(verdict({ accounts, phones: [lone] })).toMatchObject({
      tone: 'warn',
      title: 'No news from the marketplace since 11:55: this is not your phones',
      note: 'The API is slow. Wait. Retrying every 30 s. You see the data from 5 min ago. Last known: 1 phone needs attention: rack-01/slot-01.',
      notices: [],
    });
    expect(verdict({ accounts }).note).toContain('Nothing needed attention then.');
  });

  it('leaves the notice of one of several accounts, and says what the others show', () => {
    const old = accountOf({ name: 'old', readings: readAt1155('expired') });
    expect(verdict({ accounts: [accountOf(), old] })).toMatchObject({
      tone: 'info',
      title: 'No problems at 11:55:00. No data since then.',
      notices: [{ title: 'No news from the marketplace since 11:55 (old)' }],
    });
  });

  it.each([
    ['alone', ['rack-01'], 0, '', 'Outage: rack-01'],
    ['with a phone', ['rack-01'], 1, ': x', 'Outage: rack-01, 1 more phone needs attention'],
    ['with others', ['rack-01', 'rack-02'], 2, '', 'Outages: rack-01, rack-02, 2 more phones need attention'],
    ['of many racks', ['a', 'b', 'c', 'd', 'e'], 0, '', 'Outages: a, b, c, and 2 more'],
    ['of no rack, with a phone', [], 1, ': a/1', '1 phone needs attention: a/1'],
    ['of no rack, with phones of several', [], 3, '', '3 phones need attention'],
  ] as const)('names an outage %s', (_, outages, phones, where, title) => {
    expect(headlineOf(outages, phones, where)).toBe(title);
  });

  it('is as loud as the alert of a refused key, also while the data is fresh and another account is fine', () => {
    const key = { access: 'invalid_key', keyFile: '/etc/key' } as const;
    const readings = readAt1155('stale');
    for (const own of [key, { ...key, readings }])
      expect(verdict({ accounts: [accountOf(own)] })).toMatchObject({
        ...{ tone: 'bad', title: 'API key refused', notices: [] },
        note: expect.stringContaining('Put a new key into /etc/key.'),
      });
    const accounts = [accountOf(), accountOf({ name: 'other', ...key, readings })];
    expect(verdict({ accounts })).toMatchObject({ tone: 'bad', title: 'API key refused (other)' });
    expect(verdict({ accounts, phones: cut, causes: [RACK] })).toMatchObject({
      tone: 'bad',
      title: 'API key refused (other). Outage: rack-03 of main',
    });
  });

  it('says since when a key is refused, and since when the first of several sold phones is offline', () => {
    const since = '2026-03-01T11:50:00.000Z';
    const refused = incident({ problem: 'key_refused', since, phone: undefined });
    const account = accountOf({ access: 'invalid_key', keyFile: '/etc/key', totals: undefined });
    expect(verdict({ accounts: [account], incidents: [refused] }).title).toBe('API key refused since 11:50');
    const later = { ...refused, since: '2026-03-01T11:55:00.000Z', account: 'other' };
    const accounts = [account, { ...account, name: 'other', keyFile: '/etc/other' }];
    expect(verdict({ accounts, incidents: [refused, later] }).title).toMatch(/^API key refused \(main\)$/);
    const earlier = { ...lone, id: 'x', problemSince: since };
    expect(verdict({ phones: [lone, earlier] })).toMatchObject({
      title: expect.stringMatching(/^2 phones need attention: rack-.+, rack-.+/),
      note: '2 sold phones are offline, the first since 11:50, about €0.40 an hour (estimated).',
    });
  });

  it('says who is on the outage that it names', () => {
    const acknowledged = { acknowledgedAt: '2026-03-01T11:52:00.000Z', acknowledgedBy: 'Olena' };
    const open = incident({
      ...{ problem: 'common_cause', phone: undefined, kind: 'group', value: 'rack-03', phones: 2 },
      ...{ since: RACK.since, allPhones: 2, soldPhones: 1 },
    });
    const { note } = verdict({ phones: cut, causes: [RACK], incidents: [{ ...open, ...acknowledged }] });
    expect(note).toContain(
      '1 sold, since 11:50, about €0.10 an hour (estimated), Olena has been on it since 11:52.',
    );
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

describe('the headline of a hidden page', () => {
  const now = NOON + 20_000;
  const time = timeTextAt(now, UTC);
  /** The fleet with totals of its phones, as an exporter sends it. */
  const counted = (own: Partial<FleetDocument>): FleetDocument => {
    const document = fleet(own);
    const accounts = document.accounts.map((account) => {
      const phones = document.phones.filter((each) => each.account === account.name);
      const problems = Object.fromEntries(
        PROBLEMS.map((each) => [each, phones.filter(({ problem }) => problem === each).length]),
      );
      const online = phones.filter((each) => each.problem === undefined).length;
      return { ...account, totals: totals({ phones: phones.length, online }, problems) };
    });
    return { ...document, accounts };
  };
  const hidden = (document: FleetDocument, at = now, connection = CONNECTED) =>
    hiddenVerdictOf({ ...document, phones: [] }, connection, at, time);

  it.each<[string, Partial<FleetDocument>]>([
    ['all is well', {}],
    ['a rack is cut', { phones: cut, causes: [RACK] }],
    ['a rack is cut, and a phone', { phones: [...cut, lone], causes: [RACK] }],
    ['a phone is offline', { phones: [lone], incidents: [incident({ phone: 'c' })] }],
    ['a key is refused', { accounts: [accountOf({ access: 'denied' })] }],
  ])('is that of the page where %s', (_, own) => {
    const document = counted(own);
    const { title, tone } = verdict(document);
    expect(hidden(document)).toMatchObject({ title, tone });
  });

  it('has the tone and the numbers of the page for any phones', () => {
    const problem = fc.option(fc.constantFrom(...PROBLEMS), { nil: undefined });
    fc.assert(
      fc.property(fc.array(problem, { minLength: 1, maxLength: 6 }), (problems) => {
        const document = counted({
          phones: problems.map((each, index) =>
            phone({ id: `p${index}`, group: `g${index}`, problem: each }),
          ),
        });
        const [shown, tab] = [verdict(document), hidden(document)];
        expect(tab.tone).toBe(shown.tone);
        expect(shown.title.startsWith(tab.title)).toBe(true);
      }),
    );
  });

  it('does not say that all is well once its data is minutes old', () => {
    const later = NOON + 151_000;
    expect(hidden(counted({}), later)).toMatchObject({
      ...{ tone: 'warn', title: 'No news from the exporter since 12:00' },
    });
    expect(hidden(counted({}), later, { ...CONNECTED, lastResponseAt: later })).toMatchObject({
      ...{ tone: 'warn', title: 'No news from the marketplace since 12:00' },
    });
  });
});

describe('the past below the headline', () => {
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
      'Last alert: Outage: rack-03, 11:17–11:29.',
    ],
    [
      'a phone',
      [incident({ endedAt: '2026-03-01T11:50:00.000Z', reason: 'back' })],
      'Last alert: Sold, offline: rack-01/slot-01, 11:38–11:50.',
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
