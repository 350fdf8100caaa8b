import { describe, expect, it } from 'vitest';
import { FINDING_THRESHOLDS, FINDINGS, type Finding, findingOf } from '../../../src/http/fleet.ts';
import type { Device } from '../../../src/model/device.ts';
import type { TunnelAnswer } from '../../../src/model/tunnel.ts';
import { answerAtNoon, fleetDevice, healthyDevice, NOON, tunnelOf } from '../../builders.ts';
import { RULES_FILE, readRules, readThresholds, shippedText, THRESHOLDS_FILE } from '../../rules/shipped.ts';

const MINUTE = 60;
const DAY = 86_400;

type Case = Partial<Device> & {
  /** Seconds. */
  readonly silentFor?: number | undefined;
  /** Seconds that the rental status has lasted. */
  readonly lasting?: number;
  readonly answer?: TunnelAnswer;
};

function find({ lasting = 0, answer, ...phone }: Case): Finding | undefined {
  const entry = fleetDevice(healthyDevice(phone), {
    heartbeatAgeSeconds: 'silentFor' in phone ? phone.silentFor : 10,
    rentalStatusSince: NOON - lasting * 1000,
  });
  return findingOf(entry, answer, NOON);
}

const noTunnel = answerAtNoon(undefined);
const tunnelDown = answerAtNoon(tunnelOf({ uptimeStatus: 'down' }));
const tunnelUp = answerAtNoon(tunnelOf());
const selfRented = { rentalStatus: 'self_rented' } as const;
const idle = { rentalStatus: 'idle' } as const;
const unlisted = { ...idle, marketplaceStatus: 'not_listed' } as const;

describe('findingOf', () => {
  it.each<[string, Case, Finding]>([
    ['a sold phone without a heartbeat for more than 10 minutes', { silentFor: 601 }, 'sold_silent'],
    ['a sold one that is not set up', { silentFor: 601, setupStatus: 'draft' }, 'sold_silent'],
    ['a sold one that has been silent for a month', { silentFor: 30 * DAY }, 'sold_silent'],
    ['a self-rented one', { ...selfRented, silentFor: 601 }, 'self_rented_silent'],
    [
      'a silent one without a tunnel',
      { ...selfRented, silentFor: 601, answer: noTunnel },
      'self_rented_silent',
    ],
    ['a self-rent without a tunnel', { ...selfRented, answer: noTunnel }, 'tunnel_missing'],
    [
      'a self-rent of a phone that is idle by its status',
      { ...idle, selfRentStatus: 'active', rentalId: 'r', answer: noTunnel },
      'tunnel_missing',
    ],
    ['a tunnel that is not up', { ...selfRented, answer: tunnelDown }, 'tunnel_down'],
    ['an idle phone', { ...idle, silentFor: 15 * MINUTE + 1 }, 'silent'],
    ['one whose status is new to us', { rentalStatus: 'other', silentFor: 15 * MINUTE + 1 }, 'silent'],
    ['one without a status', { rentalStatus: undefined, silentFor: 15 * MINUTE + 1 }, 'silent'],
    ['listed and idle for more than 3 days', { ...idle, lasting: 3 * DAY + 1 }, 'idle_too_long'],
    ['healthy and not listed', unlisted, 'unlisted'],
    ['not set up', { ...unlisted, setupStatus: 'awaiting_agent' }, 'not_set_up'],
    [
      'not set up, and never heard of',
      { ...unlisted, setupStatus: 'draft', silentFor: undefined },
      'not_set_up',
    ],
    ['silent for more than 7 days', { ...idle, silentFor: 7 * DAY + 1 }, 'given_up'],
  ])('finds a fault: %s', (_, phone, expected) => {
    expect(find(phone)).toBe(expected);
  });

  it.each<[string, Case]>([
    ['a sold phone silent for just 10 minutes', { silentFor: 600 }],
    ['a sold phone without a usable heartbeat', { silentFor: undefined }],
    ['a sold phone that is not listed', { marketplaceStatus: 'not_listed' }],
    ['an idle phone, silent for just 15 minutes', { ...idle, silentFor: 900 }],
    ['a tunnel that is up', { ...selfRented, answer: tunnelUp }],
    ['a tunnel that could not be polled', selfRented],
    [
      'a tunnel whose state is not said',
      { ...selfRented, answer: answerAtNoon(tunnelOf({ uptimeStatus: undefined })) },
    ],
    [
      'a tunnel that is down with its phone, which is not silent yet',
      { ...selfRented, silentFor: 301, answer: tunnelDown },
    ],
    ['an answer about a rental that is over', { ...idle, answer: noTunnel }],
    ['listed and idle for just 3 days', { ...idle, lasting: 3 * DAY }],
    ['not listed, idle and without a usable heartbeat', { ...unlisted, silentFor: undefined }],
    ['a marketplace status that is new to us', { ...idle, marketplaceStatus: 'other' }],
    ['a setup status that is new to us', { ...idle, setupStatus: 'other' }],
  ])('finds no fault: %s', (_, phone) => {
    expect(find(phone)).toBeUndefined();
  });
});

describe('the thresholds of findings', () => {
  const thresholds = readThresholds(shippedText(THRESHOLDS_FILE));
  const { alerts } = readRules(shippedText(RULES_FILE));
  const alert = (name: string) => alerts.find((one) => one.alert === name);

  it.each([
    ['silentSeconds', 'hoster:threshold_device_silent:seconds'],
    ['rentedSilentSeconds', 'hoster:threshold_rented_silent:seconds'],
    ['tunnelExcusedSeconds', 'hoster:threshold_fleet_silent:seconds'],
    ['givenUpSeconds', 'hoster:threshold_device_dead:seconds'],
  ] as const)('has the same %s as %s of the alerts', (name, series) => {
    expect(FINDING_THRESHOLDS[name]).toBe(thresholds.get(series));
  });

  it('has the same setup states as the alert HosterDeviceUnlisted', () => {
    const states =
      /status=~"([a-z_|]+)"/.exec(alert('HosterDeviceUnlisted')?.expr ?? '')?.[1]?.split('|') ?? [];
    const all = [
      'awaiting_device_details',
      'awaiting_agent',
      'active',
      'draft',
      'incomplete',
      'complete',
    ] as const;
    expect(all.filter((setupStatus) => find({ ...unlisted, setupStatus }) === 'not_set_up')).toEqual(states);
  });

  it('lists each finding once', () => {
    expect(new Set(FINDINGS).size).toBe(FINDINGS.length);
  });
});
