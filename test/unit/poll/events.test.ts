import { describe, expect, it } from 'vitest';
import { openIncident } from '../../../src/alerts/incident.ts';
import { NEW_ACCOUNT } from '../../../src/model/account.ts';
import type { Device } from '../../../src/model/device.ts';
import { type Incidents, NO_INCIDENTS } from '../../../src/model/incident.ts';
import { eventsBetween, type JudgedAccount } from '../../../src/poll/events.ts';
import { fleetDevice, fleetOf, healthyDevice, NOON } from '../../builders.ts';

const POLLS = { account: 'main', previousPollAt: NOON, pollAt: NOON };

/** An account whose list was read at noon. */
function accountWith(
  device: Partial<Device> | undefined,
  incidents: Incidents = NO_INCIDENTS,
): JudgedAccount {
  const fleet = device && fleetOf(fleetDevice(healthyDevice({ id: 'a', label: 'rack/1', ...device })));
  return { name: 'main', account: { ...NEW_ACCOUNT, fleet, incidents }, polledAt: NOON };
}

/** Events in short: what, and from where to where. */
function between(before: JudgedAccount, after: JudgedAccount): readonly string[] {
  return eventsBetween(before, after).map((event) =>
    'incident' in event
      ? `${event.event}: ${event.incident.problem}`
      : `${event.event}: ${event.deviceId} ${event.from} > ${event.to}`,
  );
}

const incident = openIncident({ problem: 'sold_offline', since: NOON, deviceId: 'a' }, NOON);
const over = { ...incident, reason: 'back', endedAt: NOON, closedAt: NOON } as const;

describe('eventsBetween', () => {
  it('returns an event of a device with its names and the two polls between which it happened', () => {
    expect(
      eventsBetween(accountWith({ rentalStatus: 'idle' }), accountWith({ rentalStatus: 'sold' })),
    ).toEqual([
      {
        event: 'rental begun',
        deviceId: 'a',
        label: 'rack/1',
        group: 'rack',
        from: 'idle',
        to: 'sold',
        ...POLLS,
      },
    ]);
  });

  it.each<[string, Partial<Device>, Partial<Device>, readonly string[]]>([
    ['another rental', { rentalStatus: 'self_rented' }, {}, ['rental begun: a self_rented > sold']],
    ['the end of a rental', {}, { rentalStatus: 'idle' }, ['rental ended: a sold > idle']],
    ['a device whose rental status was unknown: none', { rentalStatus: undefined }, {}, []],
    ['a device that joined', {}, { id: 'b' }, ['device joined: b not listed > listed']],
  ])('returns the events of %s', (_, before, after, events) => {
    expect(between(accountWith(before), accountWith(after))).toEqual(events);
  });

  it('returns no event of a device for the first list', () => {
    expect(between(accountWith(undefined), accountWith({}))).toEqual([]);
  });

  it('returns each incident once, and its end', () => {
    const opened = accountWith({}, { ...NO_INCIDENTS, open: [incident] });
    const grown = accountWith({}, { ...NO_INCIDENTS, open: [{ ...incident, notifiedSize: 2 }] });
    const ended = accountWith({}, { ...NO_INCIDENTS, ended: [over] });
    expect(between(accountWith({}), opened)).toEqual(['incident opened: sold_offline']);
    expect(between(opened, grown)).toEqual([]);
    expect(between(grown, ended)).toEqual(['incident ended: sold_offline']);
    expect(between(ended, accountWith({}))).toEqual([]);
  });
});
