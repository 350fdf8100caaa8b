import { describe, expect, it } from 'vitest';
import {
  describeIncident,
  describePhone,
  describeVisit,
  descriptionText,
  headText,
  incidentName,
  placeName,
} from '../../../src/fleet/describe.ts';
import type { FleetCause, FleetIncident } from '../../../src/fleet/document.ts';
import { indexPhones } from '../../../src/fleet/phones.ts';
import { timeIn } from '../../../src/fleet/trust.ts';
import { visitsOf } from '../../../src/fleet/visits.ts';
import { account, NOON, phone } from './phone.ts';

const MINUTE = 60_000;
const time = timeIn('UTC', NOON);
const at = (minutes: number): string => new Date(NOON + minutes * MINUTE).toISOString();

const RACK: FleetCause = {
  ...{ id: 'group:rack-03', kind: 'group', value: 'rack-03', phones: 9, soldPhones: 3, ownPhones: 12 },
  ...{ others: 0, since: at(-12), withinSeconds: 17.2 },
};

const CUT: FleetIncident = {
  ...{ id: 'i1', account: 'main', problem: 'common_cause', alert: 'HosterCommonCause', severity: 'critical' },
  ...{ kind: 'group', value: 'rack-03', phones: 9, soldPhones: 3, allPhones: 12, mostSoldPhones: 4 },
  ...{ since: at(-12), openedAt: at(-10) },
};

const ONE = { accounts: [account()] };
const TWO = { accounts: [account(), account({ name: 'other' })] };

describe('an incident', () => {
  it.each([
    ['an open outage', {}, ONE, 'Outage: rack-03 (9 of 12 phones offline, 3 sold), since 11:48 (12 min)'],
    [
      'a resolved outage with all that it had',
      { endedAt: at(-2), reasonText: 'back online' },
      ONE,
      'Outage: rack-03 (12 phones, 4 sold), 11:48–11:58 (10 min), back online',
    ],
    [
      'who is on it',
      { phones: 1, acknowledgedBy: 'Olena', acknowledgedAt: at(-9) },
      ONE,
      'Outage: rack-03 (1 of 12 phones offline, 3 sold), since 11:48 (12 min), Olena has been on it since 11:51',
    ],
    [
      'nobody by name without a login',
      { acknowledgedBy: 'loopback', acknowledgedAt: at(-9) },
      ONE,
      'Outage: rack-03 (9 of 12 phones offline, 3 sold), since 11:48 (12 min), acknowledged 11:51',
    ],
    [
      'its account',
      {},
      TWO,
      'Outage: rack-03 of main (9 of 12 phones offline, 3 sold), since 11:48 (12 min)',
    ],
  ] as const)('is told with %s', (_, own, fleet, text) => {
    expect(descriptionText(describeIncident({ ...CUT, ...own }, fleet, NOON, time), time)).toBe(text);
  });

  it('of a group counts all phones of the group, as the wall has them', () => {
    const incident = { ...CUT, groupPhones: 13 };
    const inRack = ['a', 'b'].map((id) => phone({ id, group: 'rack-03' }));
    const elsewhere = [phone({ group: 'rack-04' }), phone({ account: 'other', group: 'rack-03' })];
    const counts = (fleet: Parameters<typeof describeIncident>[1]) =>
      describeIncident({ ...incident, phones: 1 }, fleet, NOON, time).counts;
    expect(counts(ONE)).toBe('1 of 13 phones offline, 3 sold');
    expect(counts({ ...ONE, phones: [...inRack, ...elsewhere] })).toBe('1 of 2 phones offline, 3 sold');
  });

  it('of an account is named by it only among several', () => {
    const refused: FleetIncident = {
      ...{ id: 'k', account: 'main', problem: 'key_refused', alert: 'HosterKeyRefused' },
      ...{ severity: 'critical', since: at(-5) },
    };
    expect(headText(describeIncident(refused, ONE, NOON, time))).toBe('API key refused');
    expect(headText(describeIncident(refused, TWO, NOON, time))).toBe('API key refused: main');
  });

  it.each([
    [{ phone: 'p1', label: ' ' }, 'p1'],
    [{ kind: 'app_version', value: '2.15' }, 'app version 2.15'],
    [{ kind: 'carrier', value: 'Kyivstar' }, 'carrier Kyivstar'],
    [{ kind: undefined, value: undefined, allPhones: 30 }, '30 phones'],
  ])('of %j is called %s', (own, name) => {
    expect(incidentName({ ...CUT, ...own }, ONE)).toBe(name);
  });
});

it.each([
  [{ kind: 'group', value: 'rack-03' }, 'main', 'rack-03', 'rack-03 of main'],
  [{ kind: 'group', value: 'rack-03' }, undefined, 'rack-03', 'rack-03'],
  [{ kind: 'account', value: 'main' }, 'main', 'all phones', 'account main'],
  [{ kind: 'carrier', value: 'Kyivstar' }, 'main', 'carrier Kyivstar', 'carrier Kyivstar of main'],
])('what phones share is called by its account only among several: %j of %s', (cause, own, one, several) => {
  expect(placeName(cause, own, ONE)).toBe(one);
  expect(placeName(cause, own, TWO)).toBe(several);
});

describe('a place that needs attention', () => {
  const dark = (id: string, own: Parameters<typeof phone>[0] = {}) =>
    phone({ ...{ id, group: 'rack-03', online: false, problem: 'sold_offline', cause: RACK.id }, ...own });

  it('is an outage with its cost, its evidence and who is on it, by the start of its incident', () => {
    const phones = [dark('a', { priceCentsPerDay: 2_400 }), dark('b', { problemSince: at(-600) })];
    const fleet = {
      accounts: [account({ currency: 'EUR' })],
      causes: [RACK],
      incidents: [{ ...CUT, acknowledgedBy: 'Olena', acknowledgedAt: at(-9) }],
    };
    const [visit = expect.fail()] = visitsOf(fleet, indexPhones(phones).entries);
    // One phone in the rack was already offline, and is not part of the outage.
    const others = [
      phone({ id: 'c', group: 'rack-03' }),
      phone({ id: 'd', group: 'rack-03', problem: 'offline' }),
      phone({ id: 'e', group: 'rack-04' }),
    ];
    expect(describeVisit(visit, { ...fleet, phones: [...phones, ...others] }, NOON, time)).toMatchObject({
      title: 'Outage',
      name: 'rack-03',
      counts: '3 of 4 phones offline, 2 sold',
      since: NOON - 12 * MINUTE,
      lasted: '12 min',
      who: 'Olena has been on it since 11:51',
      cost: 'about €1.00 an hour (estimated)',
      advice:
        'They went offline within 18 s of each other. No other phone went offline at that time. Check its power and its internet connection.',
    });
  });

  it('is named without an account if phones of several are part of it', () => {
    const phones = [dark('a'), dark('b', { account: 'other' })];
    const fleet = { ...TWO, causes: [RACK], incidents: [] };
    const [visit = expect.fail()] = visitsOf(fleet, indexPhones(phones).entries);
    expect(describeVisit(visit, fleet, NOON, time).name).toBe('rack-03');
  });
});

it('a phone is told with what is wrong and what to do', () => {
  const [entry = expect.fail()] = indexPhones([
    phone({ label: 'rack-01/slot-04', problem: 'tunnel_down', problemSince: at(-61) }),
  ]).entries;
  expect(describePhone(entry, ONE, NOON)).toMatchObject({
    ...{ title: 'Tunnel down', name: 'rack-01/slot-04', lasted: '1 h 1 min' },
    advice: expect.stringMatching(/^You are renting this phone\. .* Restart the app\./),
  });
});
