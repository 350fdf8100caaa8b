import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/base/steps.ts';
import { MAINTENANCE } from '../../../src/features/maintenance/cover.ts';
import { step } from '../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../src/model/account.ts';
import type { Device } from '../../../src/model/device.ts';
import type { Observation } from '../../../src/model/observation.ts';
import { healthyDevice, NOON, STEP_SETTINGS } from '../../builders.ts';
import { listObservation } from '../list-observation.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const INTERVAL = 30 * SECOND;

/** Each phone is offline when its heartbeat is older. */
const LIMIT = 5 * MINUTE;
const SETTINGS = { ...STEP_SETTINGS, offlineAfterSeconds: LIMIT / SECOND };

/** A list at so many milliseconds after noon, with what it shows of the only phone; nothing if it lacks it. */
type Listed = readonly [after: number, device: Partial<Device> | undefined];

const sold = (heartbeatAfter: number): Partial<Device> => ({
  rentalStatus: 'sold',
  lastHeartbeatAt: NOON + heartbeatAfter,
});

function observation([after, device]: Listed, elapsed: number | undefined): Observation {
  const at = NOON + after;
  const shown = device === undefined ? [] : [healthyDevice({ id: 'a', ...device })];
  const others = [healthyDevice({ id: 'b', lastHeartbeatAt: at })];
  return listObservation([...shown, ...others], at, INTERVAL, elapsed);
}

/** Lists in one process; the first one follows a start. */
function afterLists(account: Account, ...lists: readonly Listed[]): Account {
  let known = account;
  for (const [index, listed] of lists.entries()) {
    const [before] = lists[index - 1] ?? [];
    const elapsed = before === undefined ? undefined : listed[0] - before;
    known = finish(step(known, observation(listed, elapsed), SETTINGS));
  }
  return known;
}

const timesOf = ({ fleet }: Account) => (fleet?.devices.get('a') ?? fleet?.departed.get('a'))?.times;
const times = (...lists: readonly Listed[]) => timesOf(afterLists(NEW_ACCOUNT, ...lists));
const spent = (...lists: readonly Listed[]) => times(...lists)?.milliseconds;

/** Lists each half minute. */
function every(from: number, to: number, device: (after: number) => Partial<Device>): readonly Listed[] {
  return Array.from({ length: (to - from) / INTERVAL + 1 }, (_, index): Listed => {
    const after = from + index * INTERVAL;
    return [after, device(after)];
  });
}

/** Every phone is in maintenance from an instant on. */
function withMaintenance(account: Account, after: number): Account {
  const word = {
    id: 'w',
    scope: { accounts: [], groups: [], devices: [] },
    reason: '',
    by: '',
    startedAt: NOON + after,
    until: NOON + DAY,
    untilBack: false,
    away: new Map(),
  };
  return finish(step(account, MAINTENANCE.observation({ started: word }), SETTINGS));
}

describe('the time between two lists', () => {
  it.each([
    ['sold', 'sold_online'],
    ['self_rented', 'self_rented'],
    ['idle', 'idle'],
    ['other', 'other'],
  ] as const)('of a phone that is %s goes to the column %s', (rentalStatus, column) => {
    const device = { rentalStatus, lastHeartbeatAt: NOON };
    expect(spent([0, device], [INTERVAL, device])).toEqual({ [column]: INTERVAL });
  });

  it('goes to the column that the first of them showed, and the one that the second shows begins at 0', () => {
    const listed: readonly Listed[] = [
      [0, sold(0)],
      [INTERVAL, { ...sold(0), rentalStatus: 'idle' }],
    ];
    expect(spent(...listed)).toEqual({ sold_online: INTERVAL, idle: 0 });
  });

  it('goes nowhere while the phone has no rental status', () => {
    const device = { rentalStatus: undefined };
    expect(spent([0, device], [INTERVAL, device])).toEqual({});
  });

  it('is divided where a sold phone fell offline: its last heartbeat and its limit', () => {
    expect(spent(...every(0, 330 * SECOND, () => sold(-10 * SECOND)))).toEqual({
      sold_online: 290 * SECOND,
      sold_offline: 40 * SECOND,
    });
  });

  it('is divided where an offline phone reported again', () => {
    const lists = every(0, 390 * SECOND, (after) => sold(after < 390 * SECOND ? 0 : 380 * SECOND));
    expect(spent(...lists)).toEqual({ sold_online: 310 * SECOND, sold_offline: 80 * SECOND });
  });

  it('is not divided where a phone that is not sold falls offline', () => {
    const idle = { rentalStatus: 'idle', lastHeartbeatAt: NOON } as const;
    expect(spent(...every(0, 10 * MINUTE, () => idle))).toEqual({ idle: 10 * MINUTE });
  });

  it('never exceeds what passed by our own clock', () => {
    const lists = every(0, 20 * MINUTE, (after) => sold(after > 12 * MINUTE ? 12 * MINUTE : 0));
    expect(Object.values(spent(...lists) ?? {}).reduce((sum, each) => sum + each)).toBe(20 * MINUTE);
  });

  it('is maintenance for a sold, offline phone in maintenance', () => {
    const account = afterLists(NEW_ACCOUNT, [0, sold(0)]);
    const lists = every(0, 7 * MINUTE, () => sold(0));
    const known = timesOf(afterLists(withMaintenance(account, 0), ...lists));
    expect(known?.milliseconds).toEqual({ sold_online: 5 * MINUTE, maintenance: 2 * MINUTE });
    expect(known?.interruptions).toBe(0);
  });

  it('is unknown over a restart, and the times go on from what was known', () => {
    const account = afterLists(NEW_ACCOUNT, [0, sold(0)], [INTERVAL, sold(INTERVAL)]);
    const later = afterLists(account, [HOUR, sold(HOUR)], [HOUR + INTERVAL, sold(HOUR + INTERVAL)]);
    expect(timesOf(later)).toMatchObject({
      firstListedAt: NOON,
      milliseconds: { sold_online: 2 * INTERVAL },
    });
  });

  it('is unknown where a poll in between failed for long', () => {
    const account = afterLists(NEW_ACCOUNT, [0, sold(0)]);
    const at = NOON + MINUTE;
    const failed = finish(
      step(
        account,
        { kind: 'failure', elapsed: INTERVAL, collector: 'devices', reason: 'timeout', at },
        SETTINGS,
      ),
    );
    const list = observation([5 * MINUTE, sold(5 * MINUTE)], 5 * MINUTE);
    expect(timesOf(finish(step(failed, list, SETTINGS)))?.milliseconds).toEqual({ sold_online: 0 });
  });
});

describe('an interruption', () => {
  const count = (...lists: readonly Listed[]) => times(...lists)?.interruptions;

  it('is counted each time a sold phone goes offline', () => {
    expect(count(...every(0, 10 * MINUTE, () => sold(0)))).toBe(1);
    const twice = (after: number) => sold(after < 8 * MINUTE ? 0 : 8 * MINUTE);
    expect(count(...every(0, 15 * MINUTE, twice))).toBe(2);
  });

  it('is counted again where a new heartbeat came and the phone was offline again by the next list', () => {
    const lists: readonly Listed[] = [
      [0, sold(-LIMIT - MINUTE)],
      [30 * SECOND, sold(-LIMIT - MINUTE)],
      [60 * SECOND, sold(-LIMIT - SECOND)],
    ];
    expect(count(...lists)).toBe(1);
  });

  it.each<[string, (after: number) => Partial<Device>]>([
    [
      'is offline when it is sold',
      (after) => ({ ...sold(0), rentalStatus: after < 6 * MINUTE ? 'idle' : 'sold' }),
    ],
    ['was offline when it was first listed', () => sold(-HOUR)],
    ['falls offline while nobody rents it', () => ({ ...sold(0), rentalStatus: 'idle' })],
  ])('is not counted of a phone that %s', (_, device) => {
    expect(count(...every(0, 10 * MINUTE, device))).toBe(0);
  });

  it('is counted where the phone fell offline while the exporter was off', () => {
    const account = afterLists(NEW_ACCOUNT, [0, sold(0)]);
    expect(timesOf(afterLists(account, [HOUR, sold(0)]))?.interruptions).toBe(1);
  });
});

describe('a phone that left', () => {
  const known: readonly Listed[] = every(0, 10 * MINUTE, () => sold(0));
  const gone = [10.5, 11].map((minutes): Listed => [minutes * MINUTE, undefined]);
  const left = afterLists(NEW_ACCOUNT, ...known, ...gone);

  it('keeps its times, its interruptions and its names', () => {
    expect(left.fleet?.devices.has('a')).toBe(false);
    expect(left.fleet?.departed.get('a')).toMatchObject({
      device: { label: 'Rack A / 1', model: 'Galaxy A14' },
      leftAt: NOON + 10 * MINUTE,
      times: { firstListedAt: NOON, interruptions: 1, milliseconds: { sold_online: 5 * MINUTE } },
    });
  });

  it('takes them up when it returns, and the time between is nowhere', () => {
    const back = afterLists(left, ...every(DAY, DAY + MINUTE, (after) => sold(after)));
    expect(back.fleet?.departed.size).toBe(0);
    expect(timesOf(back)).toMatchObject({
      firstListedAt: NOON,
      interruptions: 1,
      milliseconds: { sold_online: 6 * MINUTE, sold_offline: 5 * MINUTE },
    });
  });

  it.each([
    ['keeps them until the end of the following month', '2026-04-30T20:00:00Z', true],
    ['has none after that', '2026-05-02T06:00:00Z', false],
  ])('%s', (_, instant, isKept) => {
    const after = Date.parse(instant) - NOON;
    expect(afterLists(left, [after, undefined]).fleet?.departed.has('a')).toBe(isKept);
  });
});
