import { describe, expect, it } from 'vitest';
import { openIncident } from '../../../src/alerts/incident.ts';
import { buildFleetDocument } from '../../../src/fleet/build.ts';
import type { FleetDevice } from '../../../src/model/fleet.ts';
import { NO_INCIDENTS } from '../../../src/model/incident.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  answerAtNoon,
  fleetDevice,
  fleetOf,
  freshReading,
  healthyDevice,
  judged,
  moneyOf,
  NOON,
  snapshotOf,
  tunnelOf,
} from '../../builders.ts';
import { totals } from './fleet.ts';

const EXPORTER = {
  version: '1.2.3',
  pollSeconds: { devices: 30, tunnels: 30, balance: 3_600 },
  allowsChanges: false,
  timeZone: 'Europe/Kyiv',
  grafanaUrl: undefined,
};

const READ_AT_NOON = {
  state: 'fresh',
  lastSuccessAt: '2026-03-01T12:00:00.000Z',
  lastAttemptAt: '2026-03-01T12:00:00.000Z',
};

/** An account as a poll leaves it: what is shown was judged. */
const withJudgement = (account: AccountSnapshot): AccountSnapshot =>
  account.known.judgement === undefined ? judged(account) : account;

/** The document as clients parse it. */
async function documentOf(...accounts: readonly AccountSnapshot[]) {
  const snapshot = snapshotOf(...accounts.map(withJudgement));
  return JSON.parse(JSON.stringify(await buildFleetDocument(snapshot, EXPORTER, async () => {})));
}

const one = fleetDevice(healthyDevice({ id: 'p1' }));
const two = fleetDevice(
  healthyDevice({ id: 'p2', rentalStatus: 'self_rented', selfRentStatus: 'active', rentalId: 'r-1' }),
);
const full = accountOf({
  currency: 'EUR',
  access: 'granted',
  devices: freshReading(fleetOf(one, two)),
  tunnels: freshReading(
    new Map([['p2', { ...answerAtNoon(tunnelOf({ uptimeStatus: 'down' })), stateSince: NOON - 60_000 }]]),
  ),
  balance: freshReading(moneyOf(12_345, 600)),
});

describe('buildFleetDocument', () => {
  it('contains every known fact of accounts and devices', async () => {
    expect(await documentOf(full)).toEqual({
      version: 1,
      exporter: EXPORTER,
      accounts: [
        {
          name: 'main',
          currency: 'EUR',
          access: 'granted',
          learningEndsAt: '2026-03-01T12:30:00.000Z',
          readings: {
            devices: READ_AT_NOON,
            tunnels: READ_AT_NOON,
            balance: READ_AT_NOON,
          },
          totals: totals(
            { phones: 2, online: 2, sold: 1, selfRented: 1, idle: 0, listed: 2 },
            { tunnel_down: 1 },
          ),
          balance: { availableCents: 12_345, pendingCents: 600, totalCents: 12_945 },
        },
      ],
      phones: [
        {
          account: 'main',
          id: 'p1',
          label: 'Rack A / 1',
          group: 'Rack A',
          brand: 'Samsung',
          model: 'Galaxy A14',
          appVersion: '4.2.0',
          rentalStatus: 'sold',
          rentalStatusSince: '2026-03-01T12:00:00.000Z',
          rentalStatusBeginSeen: false,
          marketplaceStatus: 'listed',
          setupStatus: 'complete',
          lastHeartbeatAt: '2026-03-01T11:59:50.000Z',
          heartbeatAgeSeconds: 10,
          offlineAfterSeconds: 600,
          online: true,
          rotationStatus: 'active',
          rotationIntervalSeconds: 600,
        },
        expect.objectContaining({
          id: 'p2',
          problem: 'tunnel_down',
          problemSince: '2026-03-01T11:59:00.000Z',
          selfRentStatus: 'active',
          tunnel: { live: true, status: 'enabled', uptimeStatus: 'down' },
        }),
      ],
      causes: [],
      incidents: [],
      left: [],
      events: [],
    });
  });

  it('contains neither the address of a tunnel, nor its logins, nor a rental', async () => {
    expect(JSON.stringify(await documentOf(full))).not.toMatch(
      /proxy\.example\.com|10000|tunnel-1|credential|r-1/,
    );
  });

  it('keeps what was last known of expired data, and says when it was polled', async () => {
    const expired: AccountSnapshot = {
      ...full,
      devices: { ...full.devices, state: 'expired', failure: 'timeout', lastAttemptAt: NOON + 1_000 },
      balance: { ...full.balance, state: 'expired', failure: 'timeout' },
    };
    const { accounts, phones } = await documentOf(expired);
    const known = await documentOf(full);
    expect(phones).toEqual(known.phones);
    expect(accounts[0].totals).toEqual(known.accounts[0].totals);
    expect(accounts[0].balance).toEqual(known.accounts[0].balance);
    expect(accounts[0].readings.devices).toEqual({
      state: 'expired',
      lastSuccessAt: '2026-03-01T12:00:00.000Z',
      lastAttemptAt: '2026-03-01T12:00:01.000Z',
      failure: 'timeout',
      failureText: 'The response took too long. If it persists, raise client.timeout.',
    });
  });

  it('says of when the phones of a state file are, before a poll has succeeded', async () => {
    const { accounts, phones } = await documentOf({
      ...full,
      devices: { ...full.devices, state: 'expired', lastSuccessAt: undefined },
    });
    expect(phones).toHaveLength(2);
    expect(accounts[0].readings.devices.lastSuccessAt).toBe('2026-03-01T12:00:00.000Z');
  });

  it('says for half an hour after the first list that it learns, but not with configured thresholds', async () => {
    const ends = async (...devices: readonly FleetDevice[]) => {
      const { accounts } = await documentOf(accountOf({ devices: freshReading(fleetOf(...devices)) }));
      return accounts[0].learningEndsAt;
    };
    const since = (entry: FleetDevice, at: number) => ({
      ...entry,
      times: { ...entry.times, firstListedAt: at },
    });
    expect(await ends(one, since(two, NOON - 600_000))).toBe('2026-03-01T12:20:00.000Z');
    expect(await ends(one, since(two, NOON - 1_800_000))).toBeUndefined();
    expect(await ends({ ...one, offlineAfterSeconds: 300 })).toBeUndefined();
    expect(await ends()).toBeUndefined();
  });

  it('shows no tunnel while tunnels have expired, and the problem that stands', async () => {
    const { phones } = await documentOf({ ...full, tunnels: { ...full.tunnels, state: 'expired' } });
    expect(phones[1]).toHaveProperty('problem', 'tunnel_down');
    expect(phones[1]).not.toHaveProperty('tunnel');
  });

  it('marks a device that the last list lacked', async () => {
    const absence = { seenAt: NOON, missing: 30_000, listings: 1, completeListings: 1, suspect: false };
    const fleet = { ...fleetOf(one, two), absent: new Map([['p1', absence]]) };
    const { phones } = await documentOf({ ...full, devices: freshReading(fleet) });
    expect(phones.map(({ absent }: { absent?: true }) => absent)).toEqual([true, undefined]);
  });

  it('names common causes with their devices, and no host of a tunnel', async () => {
    const cause = {
      ...{ kind: 'tunnel_host', value: 'proxy.example.com', devices: 4, sold: 3, ownDevices: 5, others: 1 },
      ...{ startAt: NOON - 700_000, endAt: NOON - 690_000 },
    } as const;
    const known = { ...full.known, causes: [{ cause, deviceIds: ['p2'] }] };
    const document = await documentOf({ ...full, known });
    const id = document.causes[0].id;
    expect(document.causes).toEqual([
      {
        id: expect.stringMatching(/^tunnel_host:host-[0-9a-f]{8}$/),
        ...{ kind: 'tunnel_host', value: id.slice('tunnel_host:'.length), phones: 4, soldPhones: 3 },
        ...{ ownPhones: 5, others: 1, since: '2026-03-01T11:48:20.000Z', withinSeconds: 10 },
      },
    ]);
    expect(document.phones.map((phone: { cause?: string }) => phone.cause)).toEqual([undefined, id]);
  });

  it('names devices that left, newest first, and the last events', async () => {
    const names = { label: 'rack-01/1', group: 'rack-01' };
    const left = { ...names, lastListedAt: NOON, removedAt: NOON, wasOffline: true };
    const later = { ...left, removedAt: NOON + 1, wasOffline: false };
    const fleet = { ...fleetOf(one), left: new Map(Object.entries({ x: left, y: later })) };
    const polls = { previousPollAt: NOON - 30_000, pollAt: NOON };
    const joined = { event: 'device joined', account: 'main', from: 'not listed', to: 'listed' } as const;
    const document = await buildFleetDocument(
      {
        ...snapshotOf({ ...full, devices: freshReading(fleet) }),
        events: [{ ...joined, ...names, deviceId: 'x', ...polls }],
      },
      EXPORTER,
      async () => {},
    );
    const instants = { previousPollAt: '2026-03-01T11:59:30.000Z', pollAt: '2026-03-01T12:00:00.000Z' };
    const phone = { account: 'main', ...names };
    expect(document.left).toEqual([
      { ...phone, id: 'y', lastListedAt: '2026-03-01T12:00:00.000Z', wasOffline: false },
      { ...phone, id: 'x', lastListedAt: '2026-03-01T12:00:00.000Z', wasOffline: true },
    ]);
    expect(document.events).toEqual([{ ...joined, ...names, id: 'x', ...instants }]);
  });

  it('names incidents, and how they ended', async () => {
    const members = new Map(['x', 'y'].map((id) => [id, NOON]));
    const cut = openIncident(
      { problem: 'common_cause', kind: 'group', value: 'rack-01', since: NOON, members },
      NOON,
    );
    const incident = openIncident(
      { problem: 'offline', since: NOON, deviceId: 'x', label: 'rack-01/1' },
      NOON,
    );
    const over = { ...incident, reason: 'back', endedAt: NOON + 1000, closedAt: NOON + 30_000 } as const;
    const known = { ...full.known, incidents: { ...NO_INCIDENTS, open: [cut], ended: [over] } };
    const { incidents } = await documentOf({ ...full, known });
    expect(incidents).toEqual([
      {
        ...{ id: cut.id, account: 'main', problem: 'common_cause', alert: 'HosterCommonCause' },
        ...{ severity: 'critical', kind: 'group', value: 'rack-01', phones: 0, soldPhones: 0, allPhones: 2 },
        ...{ since: '2026-03-01T12:00:00.000Z', openedAt: '2026-03-01T12:00:00.000Z' },
      },
      {
        ...{ id: incident.id, account: 'main', problem: 'offline', alert: 'HosterPhoneOffline' },
        ...{ severity: 'warning', phone: 'x', label: 'rack-01/1', group: '' },
        ...{ since: '2026-03-01T12:00:00.000Z', openedAt: '2026-03-01T12:00:00.000Z' },
        ...{ endedAt: '2026-03-01T12:00:01.000Z', reason: 'back', reasonText: 'back online' },
      },
    ]);
  });

  it('leaves out an unusable heartbeat', async () => {
    const odd = fleetDevice(healthyDevice(), { heartbeatAgeSeconds: undefined });
    const { phones, accounts } = await documentOf(accountOf({ devices: freshReading(fleetOf(odd)) }));
    expect(phones[0]).not.toHaveProperty('lastHeartbeatAt');
    expect(phones[0]).toMatchObject({ online: false, problem: 'heartbeat_unreadable' });
    expect(accounts[0].totals.online).toBe(0);
  });

  it('yields to the event loop every 512 devices', async () => {
    const many = Array.from({ length: 5_000 }, (_, index) => fleetDevice(healthyDevice({ id: `p${index}` })));
    let turns = 0;
    const snapshot = snapshotOf(accountOf({ devices: freshReading(fleetOf(...many)) }));
    await buildFleetDocument(snapshot, EXPORTER, async () => {
      turns += 1;
    });
    expect(turns).toBe(9);
  });
});
