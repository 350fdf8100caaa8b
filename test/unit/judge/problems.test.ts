import { describe, expect, it } from 'vitest';
import { finish } from '../../../src/base/steps.ts';
import { countProblems, judgeDevices } from '../../../src/judge/problems.ts';
import type { Device } from '../../../src/model/device.ts';
import type { FleetDevice } from '../../../src/model/fleet.ts';
import { type Judgement, PROBLEMS, type Problem } from '../../../src/model/problem.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import type { TunnelResponse } from '../../../src/model/tunnel.ts';
import {
  accountOf,
  answerAtNoon,
  fleetDevice,
  fleetOf,
  freshReading,
  healthyDevice,
  judged,
  NOON,
  PROBLEM_SETTINGS,
  tunnelOf,
} from '../../builders.ts';

const MINUTE = 60_000;
const DAY = 86_400;

type Case = Partial<Device> & {
  readonly offline?: true;
  /** Age of the last heartbeat, in seconds; undefined for none. */
  readonly age?: number | undefined;
  /** Seconds that the rental status has lasted. */
  readonly lasting?: number;
  /** Seconds since the rotation stopped. */
  readonly stopped?: number;
  readonly answer?: TunnelResponse;
};

function accountWith({ lasting = 0, stopped, offline, answer, ...phone }: Case): AccountSnapshot {
  const age = 'age' in phone ? phone.age : offline ? 1_000 : 10;
  const { age: _, ...facts } = phone;
  const lastHeartbeatAt = age === undefined ? undefined : NOON - age * 1000;
  const entry: Partial<FleetDevice> = {
    offline: offline === true,
    rentalStatusSince: NOON - lasting * 1000,
    rotationStoppedAt: stopped === undefined ? undefined : NOON - stopped * 1000,
  };
  return accountOf({
    devices: freshReading(fleetOf(fleetDevice(healthyDevice({ ...facts, lastHeartbeatAt }), entry))),
    tunnels: freshReading(new Map(answer === undefined ? [] : [['phone-1', answer]])),
  });
}

const judge = (phone: Case): Judgement | undefined => judged(accountWith(phone)).known.judgement;
const find = (phone: Case): Problem | undefined => judge(phone)?.problems.get('phone-1')?.problem;

const since = (instant: number) => ({ stateSince: instant });
const noTunnel = answerAtNoon(undefined);
/** The phone has reported since the tunnel went down. */
const tunnelDown = { ...answerAtNoon(tunnelOf({ uptimeStatus: 'down' })), ...since(NOON - MINUTE) };
const noLogin = answerAtNoon(
  tunnelOf({
    credentials: { countByStatus: new Map([['active', 0]]), oldestActiveAt: undefined, lastChangeAt: NOON },
  }),
);
const selfRented = { rentalStatus: 'self_rented' } as const;
const idle = { rentalStatus: 'idle' } as const;
const unlisted = { ...idle, marketplaceStatus: 'not_listed' } as const;
const offline = true;

describe('a judgement', () => {
  it.each<[string, Case, Problem]>([
    ['a sold phone that is offline', { offline }, 'sold_offline'],
    ['a sold one that has been offline for a month', { offline, age: 30 * DAY }, 'sold_offline'],
    ['a self-rented one', { ...selfRented, offline }, 'self_rented_offline'],
    ['an offline one without a tunnel', { ...selfRented, offline, answer: noTunnel }, 'self_rented_offline'],
    ['a self-rent without a tunnel', { ...selfRented, answer: noTunnel }, 'tunnel_missing'],
    [
      'a self-rent of a phone that is idle by its status',
      { ...idle, rentalId: 'r', answer: noTunnel },
      'tunnel_missing',
    ],
    [
      'a tunnel that is down since before the last heartbeat',
      { ...selfRented, answer: tunnelDown },
      'tunnel_down',
    ],
    ['a tunnel with no active login', { ...selfRented, answer: noLogin }, 'tunnel_without_login'],
    ['an idle phone that is offline', { ...idle, offline }, 'offline'],
    ['one whose status is new to us', { rentalStatus: 'other', offline }, 'offline'],
    ['one without a status', { rentalStatus: undefined, offline }, 'offline'],
    ['no readable heartbeat', { age: undefined }, 'heartbeat_unreadable'],
    ['not listed, and no readable heartbeat', { ...unlisted, age: undefined }, 'heartbeat_unreadable'],
    ['a rotation that stopped within a day', { rotationStatus: 'off', stopped: DAY }, 'rotation_stopped'],
    ['not set up', { ...unlisted, setupStatus: 'awaiting_agent' }, 'not_set_up'],
    ['sold and not set up, without a heartbeat', { setupStatus: 'draft', age: undefined }, 'not_set_up'],
    ['not set up, without a tunnel', { ...selfRented, setupStatus: 'draft', answer: noTunnel }, 'not_set_up'],
    ['healthy and not listed', unlisted, 'not_listed'],
    ['listed and idle for more than 3 days', { ...idle, lasting: 3 * DAY + 1 }, 'idle_too_long'],
    ['offline for more than 7 days', { ...idle, offline, age: 7 * DAY + 1 }, 'given_up'],
  ])('finds a problem: %s', (_, phone, expected) => {
    expect(find(phone)).toBe(expected);
  });

  it.each<[string, Case]>([
    ['a sold phone that is not listed', { marketplaceStatus: 'not_listed' }],
    ['a tunnel that is up', { ...selfRented, answer: answerAtNoon(tunnelOf()) }],
    ['a tunnel that was never polled', selfRented],
    [
      'a tunnel whose state is not said',
      { ...selfRented, answer: answerAtNoon(tunnelOf({ uptimeStatus: undefined })) },
    ],
    [
      'a tunnel that went down with its phone, which is not offline yet',
      { ...selfRented, age: 120, answer: tunnelDown },
    ],
    ['an answer about a rental that is over', { ...idle, answer: noTunnel }],
    ['a rotation that stopped more than a day ago', { rotationStatus: 'off', stopped: DAY + 1 }],
    ['listed and idle for just 3 days', { ...idle, lasting: 3 * DAY }],
    ['a marketplace status that is new to us', { ...idle, marketplaceStatus: 'other' }],
    ['a setup status that is new to us', { ...idle, setupStatus: 'other' }],
  ])('finds no problem: %s', (_, phone) => {
    expect(find(phone)).toBeUndefined();
  });

  it('counts each device once: online, or by why it is not', () => {
    const kinds: readonly Case[] = [{}, { offline }, unlisted, { age: undefined }, { setupStatus: 'draft' }];
    const devices = kinds.map((facts, index) => {
      const entry = accountWith({ ...facts, id: `p${index}` }).devices.data?.devices.get(`p${index}`);
      return entry ?? fleetDevice(healthyDevice());
    });
    const { judgement } = judged(accountOf({ devices: freshReading(fleetOf(...devices)) })).known;
    expect(judgement?.online).toBe(2);
    expect(PROBLEMS.filter((problem) => judgement?.counts[problem] === 1)).toEqual([
      'sold_offline',
      'heartbeat_unreadable',
      'not_set_up',
      'not_listed',
    ]);
  });
});

describe('since when a problem lasts', () => {
  const problemOf = (account: AccountSnapshot) => judged(account).known.judgement?.problems.get('phone-1');

  it.each<[string, Case, number]>([
    ['the last heartbeat of an offline phone', { offline, age: 700 }, NOON - 700_000],
    ['the last heartbeat of one that is given up', { ...idle, offline, age: 8 * DAY }, NOON - 8 * DAY * 1000],
    ['when the tunnel was first seen down', { ...selfRented, answer: tunnelDown }, NOON - MINUTE],
    ['when the rotation stopped', { rotationStatus: 'off', stopped: 60 }, NOON - MINUTE],
    ['when the phone became idle', { ...idle, lasting: 4 * DAY }, NOON - 4 * DAY * 1000],
    ['the poll that first shows it', unlisted, NOON],
  ])('is %s', (_, phone, expected) => {
    expect(problemOf(accountWith(phone))?.since).toBe(expected);
  });

  it('stays, except for an offline device with another heartbeat', () => {
    const began = NOON - 3_600_000;
    const sinceOf = (phone: Case, problem: Problem, since = began) => {
      const { fleet, tunnels } = accountWith(phone).known;
      const before = {
        problems: new Map([['phone-1', { problem, since }]]),
        counts: NO_COUNTS,
        online: 0,
        gracePeriodEndsAt: undefined,
        maintenance: [],
      };
      const judgement = fleet && finish(judgeDevices(fleet, tunnels, before, PROBLEM_SETTINGS));
      return judgement?.problems.get('phone-1')?.since;
    };
    expect(sinceOf(unlisted, 'not_listed')).toBe(began);
    expect(sinceOf({ ...selfRented, answer: noTunnel }, 'tunnel_missing')).toBe(began);
    expect(sinceOf(unlisted, 'offline')).toBe(NOON);
    expect(sinceOf({ ...idle, offline, age: 700 }, 'offline')).toBe(NOON - 700_000);
  });

  it('is never in the future: that comes from a clock that was wrong', () => {
    const later = { ...answerAtNoon(undefined), ...since(NOON + 1) };
    expect(problemOf(accountWith({ ...selfRented, answer: later }))?.since).toBe(NOON);
  });
});

const NO_COUNTS = countProblems(new Map(), new Map()).counts;
