import { describe, expect, it } from 'vitest';
import type { FleetAccount, FleetCause, FleetIncident, FleetPhone } from '../../../src/fleet/document.ts';
import { indexPhones, isOffline } from '../../../src/fleet/phones.ts';
import { visitsOf } from '../../../src/fleet/visits.ts';
import { incident } from './fleet.ts';
import { account, phone } from './phone.ts';

const CAUSE: FleetCause = {
  ...{ id: 'group:rack-2', kind: 'group', value: 'rack-2', phones: 3, soldPhones: 2, ownPhones: 3 },
  ...{ others: 0, since: '2026-03-01T11:00:00.000Z', withinSeconds: 5 },
};

const OUTAGE = '2026-03-01T11:50:00.000Z';

const offline = (id: string, own: Partial<FleetPhone> = {}): FleetPhone =>
  phone({ id, label: id, problem: 'sold_offline', problemSince: '2026-03-01T11:00:00.000Z', ...own });

/** What the places are called, in their order. */
const namesOf = (phones: readonly FleetPhone[], causes: readonly FleetCause[] = []) =>
  visitsOf({ accounts: [], causes, incidents: [] }, indexPhones(phones.filter(isOffline)).entries).map(
    ({ cause, entries }) =>
      cause === undefined ? entries.map(({ name }) => name).join() : `${cause.value}: ${entries.length}`,
  );

const costsOf = (phones: readonly FleetPhone[], ...accounts: readonly FleetAccount[]) =>
  visitsOf({ accounts, causes: [CAUSE], incidents: [] }, indexPhones(phones).entries).map(
    ({ costs }) => costs,
  );

describe('the places to go to', () => {
  it('are the offline phones, sold ones first, then the longest offline', () => {
    const phones = [
      offline('idle', { problem: 'offline' }),
      offline('rented', { problem: 'self_rented_offline' }),
      offline('later', { problemSince: '2026-03-01T11:30:00.000Z' }),
      offline('earlier'),
      phone({ id: 'well', label: 'well' }),
      offline('given up', { problem: 'given_up' }),
      offline('in work', { problem: 'in_maintenance' }),
      offline('no tunnel', { problem: 'tunnel_missing' }),
    ];
    expect(namesOf(phones)).toEqual(['earlier', 'later', 'rented', 'idle']);
  });

  it('have a rack without power once, before a single phone', () => {
    const cause = CAUSE.id;
    const phones = [
      offline('alone'),
      offline('a', { cause }),
      offline('b', { cause }),
      offline('c', { cause, problem: 'offline' }),
    ];
    expect(namesOf(phones, [CAUSE])).toEqual(['rack-2: 3', 'alone']);
  });

  it('begin with what costs most, where the owner named prices', () => {
    const cause = CAUSE.id;
    const phones = [
      offline('a', { cause, priceCentsPerDay: 100 }),
      offline('b', { cause, priceCentsPerDay: 100 }),
      offline('dear', { priceCentsPerDay: 250 }),
      offline('no price'),
    ];
    expect(namesOf(phones, [CAUSE])).toEqual(['dear', 'rack-2: 2', 'no price']);
    expect(costsOf(phones, account({ currency: 'EUR' }))).toEqual([
      [{ currency: 'EUR', cents: 250 }],
      [{ currency: 'EUR', cents: 200 }],
      [],
    ]);
  });

  it('never add or compare amounts of two currencies', () => {
    const cause = CAUSE.id;
    const phones = [
      offline('a', { cause, account: 'euros', priceCentsPerDay: 250 }),
      offline('b', { cause, account: 'dollars', priceCentsPerDay: 250 }),
      offline('dear', { account: 'dollars', priceCentsPerDay: 9_000 }),
    ];
    const [euros, dollars] = [
      account({ name: 'euros', currency: 'EUR' }),
      account({ name: 'dollars', currency: 'USD' }),
    ];
    expect(costsOf(phones, euros, dollars)).toEqual([
      [
        { currency: 'EUR', cents: 250 },
        { currency: 'USD', cents: 250 },
      ],
      [{ currency: 'USD', cents: 9_000 }],
    ]);
  });

  it('last since the outage of a rack, not since one of its phones was offline before', () => {
    const cause = CAUSE.id;
    const phones = [
      offline('before', { cause }),
      offline('a', { cause, problemSince: OUTAGE }),
      offline('b', { cause }),
    ];
    const outage = incident({
      ...{ problem: 'common_cause', phone: undefined, kind: CAUSE.kind, value: CAUSE.value, since: OUTAGE },
    });
    const sinceOf = (incidents: readonly FleetIncident[]) =>
      visitsOf({ accounts: [], causes: [CAUSE], incidents }, indexPhones(phones).entries).map(({ since }) =>
        new Date(since).toISOString(),
      );
    expect(sinceOf([])).toEqual(['2026-03-01T11:00:00.000Z']);
    expect(sinceOf([outage])).toEqual([OUTAGE]);
  });

  it('have a phone by itself whose cause is gone', () => {
    expect(namesOf([offline('a', { cause: 'group:gone' })])).toEqual(['a']);
  });
});
