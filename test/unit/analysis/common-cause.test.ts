import { describe, expect, it } from 'vitest';
import { findCommonCauses } from '../../../src/analysis/common-cause.ts';
import { shownValue } from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import type { FleetDevice } from '../../../src/model/fleet.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  NOON,
  tunnelOf,
} from '../../builders.ts';
import {
  addOutcome,
  emptyScore,
  INCIDENTS,
  outcomeOf,
  precisionOf,
  recallOf,
  simulateIncident,
} from '../../incidents.ts';

const MINUTE = 60;

/** A device whose last heartbeat was some seconds ago, of a fleet that sends one every 30 s. */
function phone(id: string, seconds: number, facts: Partial<Device> = {}): FleetDevice {
  const device = bareDevice({ id, lastHeartbeatAt: NOON - seconds * 1000, ...facts });
  return fleetDevice(device, { heartbeatGapSeconds: 30 });
}

/** The devices of a rack. */
function rack(
  name: string,
  size: number,
  seconds: number,
  facts: Partial<Device> = {},
): readonly FleetDevice[] {
  return Array.from({ length: size }, (_, slot) =>
    phone(`${name}-${slot}`, seconds + slot, { label: `${name}/${slot}`, ...facts }),
  );
}

function account(devices: readonly FleetDevice[], own: Partial<AccountSnapshot> = {}): AccountSnapshot {
  return accountOf({ devices: freshReading(fleetOf(...devices)), ...own });
}

function named(...accounts: readonly AccountSnapshot[]): readonly string[] {
  return findCommonCauses(accounts)
    .flat()
    .map(({ cause, deviceIds }) => `${deviceIds.length} of ${cause.kind} ${cause.value}`);
}

const HEALTHY = [rack('rack-01', 10, 5), rack('rack-02', 10, 5), rack('rack-03', 10, 5)].flat();

describe('findCommonCauses', () => {
  it('names the rack whose devices fell silent together, with its facts', () => {
    const [causes] = findCommonCauses([account([...HEALTHY, ...rack('rack-04', 8, 11 * MINUTE)])]);
    expect(causes).toEqual([
      {
        cause: {
          kind: 'group',
          value: 'rack-04',
          devices: 8,
          ownDevices: 8,
          others: 0,
          startAt: NOON - (11 * MINUTE + 7) * 1000,
          endAt: NOON - 11 * MINUTE * 1000,
        },
        deviceIds: [7, 6, 5, 4, 3, 2, 1, 0].map((slot) => `rack-04-${slot}`),
      },
    ]);
  });

  it('names nothing before the devices are silent, and nothing after they are given up', () => {
    expect(named(account([...HEALTHY, ...rack('rack-04', 8, 9 * MINUTE)]))).toEqual([]);
    expect(named(account([...HEALTHY, ...rack('rack-04', 8, 8 * 86_400)]))).toEqual([]);
  });

  it('names nothing if the devices of a rack fell silent one after the other', () => {
    const slowly = Array.from({ length: 8 }, (_, slot) =>
      phone(`slow-${slot}`, (20 + 10 * slot) * MINUTE, { label: `rack-04/${slot}` }),
    );
    expect(named(account([...HEALTHY, ...slowly]))).toEqual([]);
  });

  it('names nothing if less than four fifths of a rack are silent', () => {
    const half = [...rack('rack-04', 5, 11 * MINUTE), ...rack('rest-04', 5, 5)];
    const rackOfBoth = half.map((entry) => ({ ...entry, group: 'rack-04' }));
    expect(named(account([...HEALTHY, ...rackOfBoth]))).toEqual([]);
  });

  it('ignores devices that were silent long before', () => {
    const before = rack('old-04', 4, 5 * 3_600).map((entry) => ({ ...entry, group: 'rack-04' }));
    expect(named(account([...HEALTHY, ...before, ...rack('rack-04', 6, 11 * MINUTE)]))).toEqual([
      '6 of group rack-04',
    ]);
  });

  it('names two racks that lost their power at once', () => {
    const both = [...rack('rack-04', 8, 11 * MINUTE), ...rack('rack-05', 6, 11 * MINUTE)];
    expect(named(account([...HEALTHY, ...both]))).toEqual(['8 of group rack-04', '6 of group rack-05']);
  });

  it('prefers the group to a model that only this group has', () => {
    const devices = rack('rack-04', 8, 11 * MINUTE, { model: 'Pixel 8' });
    expect(named(account([...HEALTHY, ...devices]))).toEqual(['8 of group rack-04']);
  });

  it('names a version whose devices stand in all racks', () => {
    const devices = HEALTHY.map((entry, index) =>
      index % 3 === 0
        ? phone(entry.device.id, 11 * MINUTE, {
            ...entry.device,
            lastHeartbeatAt: NOON - 660_000,
            appVersion: '2.15',
          })
        : entry,
    );
    expect(named(account(devices))).toEqual(['10 of app_version 2.15']);
  });

  it('names the account where everything is silent', () => {
    expect(
      named(account([...rack('rack-01', 10, 11 * MINUTE), ...rack('rack-02', 10, 11 * MINUTE)])),
    ).toEqual(['20 of account main']);
  });

  it('finds a rack whose devices belong to two accounts, and names in each account its own devices', () => {
    const devices = rack('rack-04', 8, 11 * MINUTE);
    const one = account([...HEALTHY, ...devices.slice(0, 5)], { name: 'one' });
    const two = account([...HEALTHY, ...devices.slice(5)], { name: 'two' });
    expect(named(one, two)).toEqual(['5 of group rack-04', '3 of group rack-04']);
  });

  it('names the host of tunnels', () => {
    const hosts = HEALTHY.map(
      ({ device: { id } }, index) => [id, index % 5 === 0 ? 'a.example.com' : 'b.example.com'] as const,
    );
    const devices = HEALTHY.map((entry, index) =>
      index % 5 === 0 ? phone(entry.device.id, 11 * MINUTE, { label: entry.device.label }) : entry,
    );
    const tunnels = freshReading(
      new Map(hosts.map(([id, host]) => [id, answerAtNoon(tunnelOf({ host }))] as const)),
    );
    expect(named(account(devices, { tunnels }))).toEqual(['6 of tunnel_host a.example.com']);
  });

  it('groups devices with slow heartbeats that one power cut silenced over ten minutes', () => {
    const slow = Array.from({ length: 8 }, (_, slot) =>
      phone(`slow-${slot}`, 16 * MINUTE + slot * 70, { label: `rack-04/${slot}` }),
    ).map((entry) => ({ ...entry, heartbeatGapSeconds: 600 }));
    expect(named(account([...HEALTHY, ...slow]))).toEqual(['8 of group rack-04']);
  });

  it('uses the usual time between heartbeats of another account where that of its own is unknown', () => {
    const unknown = Array.from({ length: 8 }, (_, slot) =>
      phone(`slow-${slot}`, 16 * MINUTE + slot * 70, { label: `rack-04/${slot}` }),
    ).map((entry) => ({ ...entry, heartbeatGapSeconds: undefined }));
    const slow = HEALTHY.map((entry) => ({ ...entry, heartbeatGapSeconds: 600 }));
    expect(named(account(slow, { name: 'one' }), account(unknown, { name: 'two' }))).toContain(
      '8 of group rack-04',
    );
  });

  it('names both racks where the second lost its power a minute after the first', () => {
    const both = [...rack('rack-04', 8, 12 * MINUTE), ...rack('rack-05', 7, 11 * MINUTE)];
    expect(named(account([...HEALTHY, ...both]))).toEqual(['8 of group rack-04', '7 of group rack-05']);
  });

  it('prefers two whole racks to an account with most of their devices', () => {
    const one = account([...HEALTHY.slice(0, 10), ...rack('rack-05', 3, 11 * MINUTE)], { name: 'one' });
    const rest = Array.from({ length: 4 }, (_, slot) =>
      phone(`rest-${slot}`, 11 * MINUTE + slot, { label: `rack-05/${slot + 3}` }),
    );
    const two = account([...rack('rack-04', 6, 11 * MINUTE), ...rest], { name: 'two' });
    expect([...named(one, two)].sort()).toEqual([
      '3 of group rack-05',
      '4 of group rack-05',
      '6 of group rack-04',
    ]);
  });

  it('returns nothing for an account that is not known', () => {
    expect(findCommonCauses([accountOf(), account(HEALTHY)])).toEqual([[], []]);
  });

  it('reaches its precision and recall in simulated incidents, and names nothing where phones fail by themselves', () => {
    const score = emptyScore();
    const alone = emptyScore();
    for (const incident of INCIDENTS) {
      for (const size of [20, 100, 500]) {
        for (let seed = 1_000; seed < 1_010; seed += 1) {
          const outcome = outcomeOf(simulateIncident(incident, size, seed));
          addOutcome(incident.includes('by themselves') ? alone : score, outcome);
        }
      }
    }
    expect(precisionOf(score)).toBeGreaterThanOrEqual(0.98);
    expect(recallOf(score)).toBeGreaterThanOrEqual(0.95);
    expect(alone).toMatchObject({ right: 0, wrong: 0, incidents: 90 });
  });
});

describe('shownValue', () => {
  it('replaces the host of a tunnel by a name that stays the same', () => {
    expect(shownValue({ kind: 'tunnel_host', value: 'a.example.com' })).toMatch(/^host-[0-9a-f]{8}$/);
    expect(shownValue({ kind: 'group', value: 'rack-04' })).toBe('rack-04');
  });
});
