import { openIncident } from '../../../src/alerts/incident.ts';
import { LOGBOOK } from '../../../src/features/incidents/memory.ts';
import { MAINTENANCE } from '../../../src/features/maintenance/cover.ts';
import type { Maintenance } from '../../../src/features/maintenance/model.ts';
import { DAYS, noTimes } from '../../../src/features/month/days.ts';
import { NEW_ACCOUNT } from '../../../src/model/account.ts';
import { type Incidents, NO_INCIDENTS } from '../../../src/model/incident.ts';
import type { Reading } from '../../../src/model/reading.ts';
import type { AccountSnapshot, Snapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
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

const membersOf = (...ids: readonly string[]) => new Map(ids.map((id) => [id, NOON]));

const CUT = openIncident(
  {
    ...{ problem: 'common_cause', kind: 'group', value: 'rack-"01"', since: NOON - 700_500 },
    devices: { sold: 1, others: 1 },
    members: membersOf('bare-1', 'sold-1'),
  },
  NOON - 600_000,
);
const FLOOD = openIncident(
  {
    ...{ problem: 'many_offline', since: NOON - 700_500, notifiedSize: 8 },
    devices: { sold: 0, others: 2 },
    members: membersOf('bare-1', 'bare-2'),
  },
  NOON - 600_000,
);
const NAMES = { label: 'rack-01/slot-01', group: 'rack-01' };
const INCIDENT = openIncident(
  { problem: 'sold_offline', since: NOON - 700_500, deviceId: 'sold-1', ...NAMES },
  NOON - 500_000,
);
/** A recently ended incident is still shown; an older one is not. */
const TOLD: Incidents = {
  ...NO_INCIDENTS,
  open: [CUT, FLOOD],
  ended: [
    { ...INCIDENT, reason: 'back', endedAt: NOON - 100_000, closedAt: NOON - 90_000 },
    { ...INCIDENT, id: 'later', reason: 'rental_ended', endedAt: NOON - 30_000, closedAt: NOON - 30_000 },
  ],
};

/** A snapshot in which each family of the catalog has something to say: three accounts, one of them expired. */
export const FLEET_OF_EVERYTHING: Snapshot = snapshotOf(
  judgedInOutage({
    name: 'main',
    currency: 'EUR',
    balanceLowCents: 500,
    access: 'granted',
    devices: freshReading({
      ...fleetOf(
        fleetDevice(healthyDevice({ id: 'sold-1' }), {
          properties: new Map([
            ['carrier', 'say "hi" \\ 📱'],
            ['owner', 'Anna'],
          ]),
          rentalStatusSince: NOON - 3_600_000,
          times: {
            firstListedAt: NOON - 7_200_000,
            column: 'sold_online',
            milliseconds: {
              sold_online: 3_600_000,
              sold_offline: 90_000,
              self_rented: 60_500,
              maintenance: 5_000,
            },
            interruptions: 2,
          },
          backAt: NOON - 10_000,
        }),
        fleetDevice(
          healthyDevice({
            id: 'self-rented-1',
            label: 'say "hi" \\ two\nlines 📱',
            rentalStatus: 'self_rented',
            marketplaceStatus: 'not_listed',
            selfRentStatus: 'running',
            rentalId: 'rental-1',
            rotationStatus: 'paused',
            rotationIntervalMilliseconds: undefined,
          }),
        ),
        fleetDevice(bareDevice({ id: 'bare-1' })),
      ),
      departed: new Map([
        [
          'left-1',
          {
            device: { label: 'rack-1/left', brand: 'Google', model: 'Pixel 6', appVersion: '4.2.0' },
            group: 'rack-1',
            leftAt: NOON - 7_200_000,
            times: {
              firstListedAt: NOON - 86_400_000,
              column: 'idle',
              milliseconds: { idle: 79_200_000 },
              interruptions: 0,
            },
          },
        ],
      ]),
      left: new Map([
        ['left-1', { ...NAMES, lastListedAt: NOON - 60_000, removedAt: NOON, wasOffline: false }],
      ]),
    }),
    tunnels: freshReading(
      new Map([
        ['self-rented-1', answerAtNoon(tunnelOf())],
        ['self-rented-2', answerAtNoon(undefined)],
      ]),
    ),
    balance: freshReading(moneyOf(123_45, 67)),
    causes: [
      {
        cause: {
          ...{ kind: 'tunnel_host', value: 'proxy.example.com', devices: 4, sold: 1, ownDevices: 4 },
          ...{ others: 0, startAt: NOON - 700_500, endAt: NOON - 690_000 },
        },
        deviceIds: ['bare-1', 'sold-1'],
      },
    ],
  }),
  accountOf({ name: 'unread' }),
  accountOf({
    name: 'notified',
    known: LOGBOOK.with(
      DAYS.with({ ...NEW_ACCOUNT, at: NOON, incidents: TOLD }, [
        {
          ...{ date: '2026-03-01', zone: 'UTC', midnight: NOON - 43_200_000, devices: new Map() },
          dayBefore: { ...noTimes(), sold_online: 86_400_000, unknown: 1_500 },
        },
      ]),
      {
        incidents: new Map([
          [
            CUT.id,
            {
              acknowledged: { by: 'Anna', at: NOON - 300_000 },
              notes: [{ text: 'say "hi" \\ 📱', by: 'Anna', at: NOON - 200_000 }],
              ...{ soldMilliseconds: 60_000, cents: 12 },
            },
          ],
          [FLOOD.id, { isEscalated: true, notes: [], soldMilliseconds: 0, cents: 0 }],
        ]),
        phones: new Map([['bare-1', [{ text: 'battery swollen', by: 'loopback', at: NOON - 200_000 }]]]),
      },
    ),
  }),
  judgedInOutage({
    name: 'expired',
    access: 'suspended',
    devices: failing(fleetOf(fleetDevice(healthyDevice({ id: 'too-old' }))), 'expired', 3_600_000),
    balance: failing(moneyOf(100, 0), 'stale', 60_000),
  }),
);

/** A reading whose polls have failed since. */
function failing<Data>(data: Data, state: 'stale' | 'expired', milliseconds: number): Reading<Data> {
  return { ...freshReading(data), state, failure: 'timeout', lastAttemptAt: NOON + milliseconds };
}

/** An account after an outage of the API. */
function judgedInOutage(account: NonNullable<Parameters<typeof accountOf>[0]>): AccountSnapshot {
  const known = judged(accountOf(account));
  const maintenance: readonly Maintenance[] = [
    {
      source: 'configured',
      scope: { accounts: [], groups: [], devices: [] },
      ...{ id: 'nightly reboot', since: NOON, until: NOON + 900_000, untilBack: false },
      ...{ reason: '', by: '', devices: 1, offline: 0 },
    },
  ];
  const { judgement } = known.known;
  const waiting = judgement && { ...judgement, gracePeriodEndsAt: NOON + 480_000 };
  return {
    ...known,
    known: MAINTENANCE.with({ ...known.known, judgement: waiting }, { requests: [], active: maintenance }),
  };
}
