import type { Snapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  healthyDevice,
  moneyOf,
  NOON,
  tunnelOf,
} from '../../builders.ts';

/** A snapshot in which each family of the catalog has something to say: three accounts, one of them expired. */
export const FLEET_OF_EVERYTHING: Snapshot = {
  accounts: [
    accountOf({
      name: 'main',
      currency: 'EUR',
      access: 'granted',
      devices: freshReading({
        ...fleetOf(
          fleetDevice(healthyDevice({ id: 'sold-1' }), {
            rentalStatusSince: NOON - 3_600_000,
            rentalStatusSeconds: { sold: 3_600, self_rented: 60.5, idle: 0, other: 0 },
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
        left: new Map([
          [
            'left-1',
            {
              label: 'rack-01/slot-01',
              group: 'rack-01',
              lastListedAt: NOON - 60_000,
              removedAt: NOON,
              wasSilent: false,
            },
          ],
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
            kind: 'tunnel_host',
            value: 'proxy.example.com',
            devices: 4,
            ownDevices: 4,
            others: 0,
            startAt: NOON - 700_500,
            endAt: NOON - 690_000,
          },
          deviceIds: ['bare-1', 'sold-1'],
        },
      ],
    }),
    accountOf({ name: 'unread' }),
    accountOf({
      name: 'expired',
      access: 'suspended',
      devices: {
        ...freshReading(fleetOf(fleetDevice(healthyDevice({ id: 'too-old' })))),
        state: 'expired',
        failure: 'unauthorized',
        lastAttemptAt: NOON + 3_600_000,
      },
      balance: {
        ...freshReading(moneyOf(100, 0)),
        state: 'held',
        failure: 'timeout',
        lastAttemptAt: NOON + 60_000,
      },
    }),
  ],
};
