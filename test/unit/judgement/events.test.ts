import { describe, expect, it } from 'vitest';
import { eventsBetween } from '../../../src/judgement/events.ts';
import { type Causes, type ExplainedCause, NO_CAUSES } from '../../../src/model/cause.ts';
import type { Device } from '../../../src/model/device.ts';
import type { Fleet } from '../../../src/model/fleet.ts';
import type { AccountSnapshot } from '../../../src/model/snapshot.ts';
import {
  accountOf,
  answerAtNoon,
  fleetDevice,
  fleetOf,
  freshReading,
  healthyDevice,
  judged,
  NOON,
  tunnelOf,
} from '../../builders.ts';

const POLLS = { previousPollAt: NOON, pollAt: NOON };

function fleet(...devices: readonly Partial<Device>[]): Fleet {
  return fleetOf(
    ...devices.map((facts) => fleetDevice(healthyDevice({ id: 'a', label: 'rack/1', ...facts }))),
  );
}

type Judged = Parameters<typeof eventsBetween>[0]['accounts'][number];

/** An account whose list was read at noon. */
function asJudged({ known }: AccountSnapshot, toldSilent: ReadonlySet<string> = new Set()): Judged {
  return { name: 'main', account: { ...known, toldSilent }, polledAt: NOON };
}

function account(devices: Fleet, toldSilent?: ReadonlySet<string>): Judged {
  return asJudged(judged(accountOf({ devices: freshReading(devices) })), toldSilent);
}

const reporting = { lastHeartbeatAt: NOON - 10_000 };
const silent = { lastHeartbeatAt: NOON - 16 * 60_000 };

/** The device `a` was told to be silent, if it was. */
const TOLD: ReadonlySet<string> = new Set(['a']);

const CAUSE: ExplainedCause = {
  id: 'group rack',
  cause: {
    kind: 'group',
    value: 'rack',
    devices: 8,
    sold: 8,
    ownDevices: 8,
    others: 0,
    startAt: NOON,
    endAt: NOON,
  },
  deviceIds: new Map([['main', ['a']]]),
  most: 8,
};

const SHOWN: Causes = { ...NO_CAUSES, shown: [CAUSE] };

/** Events in short: what, and from where to where. */
function between(
  before: Judged,
  after: Judged,
  causes: readonly [before: Causes, after: Causes] = [NO_CAUSES, NO_CAUSES],
): readonly string[] {
  const [known, present] = causes;
  return eventsBetween(
    { accounts: [before], causes: known },
    { accounts: [after], causes: present },
  ).events.map((event) =>
    'kind' in event
      ? `${event.event}: ${event.devices} of ${event.kind} ${event.value}`
      : `${event.event}: ${event.deviceId} ${event.from} > ${event.to}`,
  );
}

describe('a device that is silent', () => {
  /** The events of several polls, each with its heartbeat and the causes found. */
  function story(...polls: readonly (readonly [Partial<Device>, Causes])[]): readonly (readonly string[])[] {
    let before = { accounts: [account(fleet(reporting))], causes: NO_CAUSES };
    return polls.map(([facts, causes]) => {
      const { events, toldSilent } = eventsBetween(before, { accounts: [account(fleet(facts))], causes });
      before = { accounts: [account(fleet(facts), toldSilent.get('main'))], causes };
      return events.map(({ event }) => event);
    });
  }

  it('is told once, although a cause explains it for a time, and then told to be back', () => {
    expect(
      story(
        [silent, NO_CAUSES],
        [silent, SHOWN],
        [silent, SHOWN],
        [silent, NO_CAUSES],
        [reporting, NO_CAUSES],
      ),
    ).toEqual([['device silent'], ['common cause begun'], [], ['common cause ended'], ['device back']]);
  });

  it('is told by its cause alone if that is found at once', () => {
    const candidates: Causes = { ...NO_CAUSES, candidates: [CAUSE] };
    expect(story([silent, candidates], [silent, SHOWN], [reporting, NO_CAUSES])).toEqual([
      [],
      ['common cause begun'],
      ['common cause ended'],
    ]);
  });
});

describe('eventsBetween', () => {
  it('returns an event of a device with its names and the two polls between which it happened', () => {
    expect(
      eventsBetween(
        { accounts: [account(fleet(reporting))], causes: NO_CAUSES },
        { accounts: [account(fleet(silent))], causes: NO_CAUSES },
      ).events,
    ).toEqual([
      {
        event: 'device silent',
        account: 'main',
        deviceId: 'a',
        label: 'rack/1',
        group: 'rack',
        from: 'reporting',
        to: 'silent',
        ...POLLS,
      },
    ]);
  });

  it.each<[string, Partial<Device>, Partial<Device>, readonly string[]]>([
    ['a device that is back', silent, reporting, ['device back: a silent > reporting']],
    ['a device that stays silent: none', silent, { ...silent, label: 'x' }, []],
    ['a sale', { rentalStatus: 'idle' }, { rentalStatus: 'sold' }, ['rental begun: a idle > sold']],
    ['another rental', { rentalStatus: 'self_rented' }, {}, ['rental begun: a self_rented > sold']],
    ['the end of a rental', {}, { rentalStatus: 'idle' }, ['rental ended: a sold > idle']],
    ['a device whose rental status was unknown: none', { rentalStatus: undefined }, {}, []],
  ])('returns the events of %s', (_, before, after, events) => {
    const known = account(fleet(before), before === silent ? TOLD : undefined);
    expect(between(known, account(fleet(after)))).toEqual(events);
  });

  it('returns events of devices that joined and left, and none for the first list', () => {
    const left = { label: 'x', group: '', lastListedAt: NOON, removedAt: NOON, wasSilent: true };
    const before = account(fleet({ id: 'a' }));
    const after = account({ ...fleet({ id: 'b' }), left: new Map([['a', left]]) });
    expect(between(before, after)).toEqual([
      'device joined: b not listed > listed',
      'device left: a silent > archived or lost',
    ]);
    expect(between(asJudged(accountOf()), after)).toEqual([]);
  });

  it('returns events of a tunnel that is lost or back, but none for a held value', () => {
    const tunnels = (uptimeStatus: string | undefined, isHeld = false) =>
      freshReading(
        new Map([
          [
            'a',
            { ...answerAtNoon(uptimeStatus === undefined ? undefined : tunnelOf({ uptimeStatus })), isHeld },
          ],
        ]),
      );
    const devices = freshReading(fleet(reporting));
    const of = (uptimeStatus: string | undefined, isHeld?: boolean) =>
      asJudged(accountOf({ devices, tunnels: tunnels(uptimeStatus, isHeld) }));
    expect(between(of('up'), of('down'))).toEqual(['tunnel lost: a up > down']);
    expect(between(of('up'), of(undefined))).toEqual(['tunnel lost: a up > missing']);
    expect(between(of(undefined), of('up'))).toEqual(['tunnel back: a missing > up']);
    expect(between(of('down'), of(undefined))).toEqual([]);
    expect(between(of('up'), of('down', true))).toEqual([]);
  });

  it('returns one event for a common cause, and none for each of its devices', () => {
    const [up, down] = [account(fleet(reporting)), account(fleet(silent))];
    expect(between(up, down, [NO_CAUSES, SHOWN])).toEqual(['common cause begun: 8 of group rack']);
    expect(between(down, up, [SHOWN, NO_CAUSES])).toEqual(['common cause ended: 8 of group rack']);
  });

  it('returns an event of a device that stays silent when its common cause has ended', () => {
    expect(between(account(fleet(silent)), account(fleet(silent)), [SHOWN, NO_CAUSES])).toEqual([
      'common cause ended: 8 of group rack',
      'device silent: a reporting > silent',
    ]);
  });

  it('waits for the next poll with the events of devices that a cause may explain', () => {
    const [up, down, later] = [account(fleet(reporting)), account(fleet(silent)), account(fleet(silent))];
    const candidates: Causes = { ...NO_CAUSES, candidates: [CAUSE] };
    expect(between(up, down, [NO_CAUSES, candidates])).toEqual([]);
    expect(between(down, later, [candidates, SHOWN])).toEqual(['common cause begun: 8 of group rack']);
    expect(between(down, later, [candidates, NO_CAUSES])).toEqual(['device silent: a reporting > silent']);
  });

  it('returns no end of a cause whose account is not configured any more', () => {
    const before = { accounts: [account(fleet(silent))], causes: SHOWN };
    expect(eventsBetween(before, { accounts: [], causes: NO_CAUSES }).events).toEqual([]);
  });

  it('takes back without a word what was told by a clock that was wrong', () => {
    const back = { ...fleet(reporting), isClockReset: true };
    expect(between(account(fleet(silent), TOLD), account(back))).toEqual([]);
  });

  it('returns no event of a cause that the first list of an account shows', () => {
    expect(between(asJudged(accountOf()), account(fleet(silent)), [NO_CAUSES, SHOWN])).toEqual([]);
  });
});
