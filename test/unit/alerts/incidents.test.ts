import { describe, expect, it } from 'vitest';
import { openIncident } from '../../../src/alerts/incident.ts';
import { incidentsAfter } from '../../../src/alerts/incidents.ts';
import { finish } from '../../../src/base/steps.ts';
import { step } from '../../../src/judge/step.ts';
import { NEW_ACCOUNT } from '../../../src/model/account.ts';
import { NO_CAUSES } from '../../../src/model/cause.ts';
import type { EndedIncident } from '../../../src/model/incident.ts';
import { healthyDevice, NOON, STEP_SETTINGS, tunnelOf } from '../../builders.ts';
import { createFarm, DAY, type Farm, type FarmPhone, HOUR, MINUTE } from '../../watch.ts';
import { listObservation } from '../list-observation.ts';

/** Notifications without times. */
const whatOf = (farm: Farm): readonly string[] => farm.notifications().map(withoutTime);

function withoutTime(line: string): string {
  return line.replace(/^\S+ /, '');
}

const idOf = ({ device }: FarmPhone): string => device.id;

/** Lets a phone go offline and come back several times; it is back for ten minutes each time. */
async function flap(farm: Farm, times: number, minutesAway: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    farm.stop('a-1');
    await farm.pass(minutesAway * MINUTE);
    farm.start('a-1');
    await farm.pass(10 * MINUTE);
  }
}

/** Minutes of the first notification. */
const minuteOf = (lines: readonly string[]): number => Number(lines[0]?.split(' ')[0]);

describe('an offline phone', () => {
  it('gives one alert within four and a quarter minutes of its last heartbeat, resolved when it reports', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.stop('a-1');
    await farm.pass(20 * MINUTE);
    farm.start('a-1');
    await farm.pass(10 * MINUTE);
    const notified = farm.notifications();
    expect(minuteOf(notified)).toBeLessThanOrEqual(4.25);
    expect(notified.map(withoutTime)).toEqual(['+sold_offline a-1', '-sold_offline a-1 back']);
  });

  it('gives an alert as soon beside a rack without power, which is one incident within five minutes', async () => {
    const farm = await createFarm({ racks: { a: 40, b: 40 } });
    farm.stop('a');
    await farm.pass(MINUTE);
    farm.stop('b-3');
    await farm.pass(20 * MINUTE);
    const notified = farm.notifications();
    expect(notified.map(withoutTime)).toEqual([
      expect.stringMatching(/^\+common_cause group a/),
      '+sold_offline b-3',
    ]);
    expect(minuteOf(notified)).toBeLessThanOrEqual(5);
    expect(minuteOf(notified.slice(1))).toBeLessThanOrEqual(5.25);
  });

  it('names each phone of a failure that takes one every five minutes', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    for (let number = 1; number <= 12; number += 1) {
      farm.stop(`a-${number}`);
      await farm.pass(5 * MINUTE);
    }
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(Array.from({ length: 12 }, (_, index) => `+sold_offline a-${index + 1}`));
  });

  it('continues as another one at once when the rental ends, and ends when the phone is given up', async () => {
    const farm = await createFarm({
      racks: { a: 5 },
      interval: 2 * MINUTE,
      tunnelsEach: HOUR,
      balanceEach: HOUR,
    });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    farm.rent('idle', 'a-1');
    await farm.pass(8 * DAY);
    expect(whatOf(farm)).toEqual([
      '+sold_offline a-1',
      '-sold_offline a-1 rental_ended',
      '+offline a-1',
      '-offline a-1 given_up',
      '+earns_nothing a-1',
    ]);
  });

  it('that is flapping is one incident until it has been calm for as long', async () => {
    const farm = await createFarm({ racks: { a: 20 }, settings: { offlineAfterSeconds: 240 } });
    await flap(farm, 6, 7);
    expect(whatOf(farm)).toEqual([
      '+sold_offline a-1',
      '-sold_offline a-1 back',
      '+sold_offline a-1',
      '-sold_offline a-1 back',
      '+flapping a-1',
    ]);
    await farm.pass(2 * HOUR);
    expect(whatOf(farm)).toEqual(['-flapping a-1 calm']);
  });

  it('gives an alert for a flapping phone once it stays away', async () => {
    const farm = await createFarm({ racks: { a: 20 }, settings: { offlineAfterSeconds: 240 } });
    await flap(farm, 3, 7);
    farm.notifications();
    farm.stop('a-1');
    await farm.pass(29 * MINUTE);
    expect(whatOf(farm)).toEqual([]);
    await farm.pass(2 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1']);
  });

  it('that stays away each time gives three alerts, until it stays away for longer', async () => {
    const farm = await createFarm({ racks: { a: 20 }, settings: { offlineAfterSeconds: 240 } });
    await flap(farm, 6, 9);
    const opened = (): readonly string[] => whatOf(farm).filter((line) => line.startsWith('+'));
    expect(opened()).toEqual(['+sold_offline a-1', '+sold_offline a-1', '+flapping a-1']);
    expect(farm.open()).toMatchObject([{ problem: 'flapping' }]);
    await flap(farm, 2, 35);
    expect(opened()).toEqual(['+sold_offline a-1']);
    farm.stop('a-1');
    await farm.pass(80 * MINUTE);
    expect(opened()).toEqual(['+sold_offline a-1']);
  });

  it('of a sold phone without a readable heartbeat gives an alert within minutes', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    for (const phone of farm.of('a-1')) phone.unreadable = true;
    await farm.pass(3 * MINUTE);
    expect(whatOf(farm)).toEqual(['+heartbeat_unreadable a-1']);
    for (const phone of farm.of('a-1')) phone.unreadable = false;
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['-heartbeat_unreadable a-1 readable']);
  });

  it.each([2, 4, 5, 15, 60])(
    'is not seen where the clock of the API is set ahead by %i minutes, and a real one gives an alert as soon',
    async (minutes) => {
      const farm = await createFarm({ racks: { a: 20, b: 20 } });
      farm.stop('a-1');
      farm.setAhead(minutes * MINUTE);
      for (let poll = 0; poll < 40; poll += 1) {
        await farm.pass(MINUTE / 2);
        for (const id of farm.phones.keys()) if (id !== 'a-1') expect(farm.problemOf(id)).toBeUndefined();
      }
      const notified = farm.notifications();
      expect(notified.map(withoutTime)).toEqual(['+sold_offline a-1']);
      expect(minuteOf(notified) - minutes).toBeLessThanOrEqual(5);
    },
  );

  it('stays open over a restart, an outage of a day and a new label', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1']);
    for (const phone of farm.of('a-1')) phone.device = { ...phone.device, label: 'other/name' };
    await farm.pass(HOUR);
    await farm.restart(25 * HOUR);
    await farm.pass(HOUR);
    expect(whatOf(farm)).toEqual([]);
    expect(farm.open()).toMatchObject([{ problem: 'sold_offline', label: 'a/a-1', group: 'a' }]);
  });
});

describe('a single unusual list', () => {
  it('forgets no rhythm without the versions of apps', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    const show = (appVersion: string): void => {
      for (const phone of farm.of('a')) phone.device = { ...phone.device, appVersion };
    };
    show('');
    await farm.pass(MINUTE / 2);
    show('2.1.0');
    await farm.pass(MINUTE);
    farm.stop('a-1');
    await farm.pass(5 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1']);
  });

  it('gives no alert for the API where the heartbeat of a phone without a rental cannot be read', async () => {
    const farm = await createFarm({ racks: { a: 20 }, status: () => 'idle' });
    for (const phone of farm.of('a-1')) phone.unreadable = true;
    await farm.pass(2 * HOUR);
    expect(whatOf(farm)).toEqual([]);
    for (const phone of farm.of('a').slice(0, 5)) phone.unreadable = true;
    await farm.pass(HOUR);
    expect(whatOf(farm)).toEqual(['+api_degraded heartbeats_unreadable']);
  });
});

describe('phones that are offline together', () => {
  /** The other phones of rack a. */
  const OTHERS = Array.from({ length: 39 }, (_, index) => `a-${index + 2}`);

  it('are one incident until a few are left, each of which gets its own', async () => {
    const farm = await createFarm({ racks: { a: 40, b: 40 } });
    farm.stop('a');
    await farm.pass(20 * MINUTE);
    farm.start(...farm.of('a').slice(0, 20).map(idOf));
    await farm.pass(30 * MINUTE);
    farm.start(...farm.of('a').slice(0, 39).map(idOf));
    await farm.pass(30 * MINUTE);
    expect(whatOf(farm)).toEqual([
      expect.stringMatching(/^\+common_cause group a/),
      '-common_cause group a (40) back',
      '+sold_offline a-40',
    ]);
  });

  it('name those that stay away a quarter of an hour after the last of the others returned', async () => {
    const farm = await createFarm({ racks: { a: 12, b: 12, c: 12 } });
    farm.stop('a', 'b', 'c');
    await farm.pass(20 * MINUTE);
    const away = ['a-1', 'a-2', 'b-1', 'c-1'];
    farm.start(...[...farm.phones.keys()].filter((id) => !away.includes(id)));
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm).filter((line) => line.startsWith('+sold_offline'))).toEqual([]);
    await farm.pass(10 * MINUTE);
    const notified = whatOf(farm).filter((line) => line.startsWith('+sold_offline'));
    expect(notified.toSorted()).toEqual(away.map((id) => `+sold_offline ${id}`));
  });

  it('that the owner archives have left, and are not back', async () => {
    const farm = await createFarm({ racks: { a: 8, b: 40 } });
    farm.stop('a');
    await farm.pass(20 * MINUTE);
    farm.list(false, 'a');
    await farm.pass(20 * MINUTE);
    expect(whatOf(farm)).toEqual([
      expect.stringMatching(/^\+common_cause group a/),
      '-common_cause group a (8) left',
    ]);
  });

  it('keep an earlier incident of one of them', async () => {
    const farm = await createFarm({ racks: { a: 40, b: 40 } });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    farm.stop(...OTHERS);
    await farm.pass(20 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1', expect.stringMatching(/^\+common_cause group a/)]);
  });

  it('count like their cause, with the one that had an incident before', async () => {
    const farm = await createFarm({
      racks: { a: 40, b: 40 },
      status: (id) => (id === 'a-2' ? 'idle' : 'sold'),
    });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    farm.stop(...OTHERS);
    await farm.pass(20 * MINUTE);
    const [account] = farm.snapshot().accounts;
    const [cause] = account?.known.causes ?? [];
    const outage = account?.known.incidents.open.find(({ problem }) => problem === 'common_cause');
    expect([cause?.deviceIds.length, outage?.devices, outage?.members.size]).toEqual([
      40,
      { sold: 39, others: 1 },
      39,
    ]);
  });

  it('are a mass outage without a known cause, with another notification when it has doubled', async () => {
    const farm = await createFarm({ racks: { a: 30, b: 30, c: 30, d: 30 }, status: () => 'idle' });
    const some = (from: number, to: number): readonly string[] =>
      ['a', 'b', 'c', 'd'].flatMap((rack) =>
        Array.from({ length: to - from + 1 }, (_, index) => `${rack}-${from + index}`),
      );
    farm.stop(...some(1, 3));
    await farm.pass(4 * MINUTE);
    expect(whatOf(farm)).toEqual(['+many_offline 12 (12)']);
    const [{ id } = { id: '' }] = farm.open();
    farm.stop(...some(4, 6));
    await farm.pass(10 * MINUTE);
    farm.notifications();
    expect(farm.open()).toContainEqual(expect.objectContaining({ id, value: '', notifiedSize: 24 }));
  });

  it('never hide a sold phone in a mass outage of idle ones', async () => {
    const racks = { a: 10, b: 10, c: 10 };
    const farm = await createFarm({ racks, status: (id) => (id === 'c-9' ? 'sold' : 'idle') });
    farm.stop('a-1', 'a-2', 'b-1', 'b-2', 'c-1', 'c-2');
    await farm.pass(3 * MINUTE);
    farm.stop('c-9');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toContain('+sold_offline c-9');
  });

  it('are found by a first list without memory, and none of them gets its own incident', async () => {
    const farm = await createFarm({ racks: { a: 40, b: 40 } });
    farm.stop('a');
    await farm.pass(20 * MINUTE);
    farm.notifications();
    await farm.restart(MINUTE, false);
    await farm.pass(20 * MINUTE);
    expect(whatOf(farm)).toEqual(['+common_cause group a (40)']);
  });
});

describe('a phone that leaves the list', () => {
  it('gives one alert, also after an outage, and again when it leaves again', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.fail('devices', 'timeout');
    await farm.pass(5 * HOUR);
    farm.list(false, 'a-1');
    farm.fail('devices', undefined);
    await farm.pass(10 * MINUTE);
    farm.list(true, 'a-1');
    await farm.pass(2 * HOUR);
    farm.list(false, 'a-1');
    await farm.pass(5 * HOUR);
    expect(whatOf(farm)).toEqual([
      '+api_unavailable timeout',
      '-api_unavailable timeout answers_again',
      '+left a-1',
      '-left a-1 returned',
      '+left a-1',
      '-left a-1 notified',
    ]);
  });

  it('is shown by the end of its offline incident', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.stop('a-1');
    await farm.pass(10 * MINUTE);
    farm.list(false, 'a-1');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+sold_offline a-1', '-sold_offline a-1 left']);
  });

  it('with many others gives one warning with them', async () => {
    const farm = await createFarm({ racks: { a: 60, b: 40 } });
    farm.list(false, 'a');
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+many_left 60 (60)']);
  });

  it('with 1,499 others gives one alert with all of them', async () => {
    const farm = await createFarm({ racks: { a: 1_500, b: 1_600 }, before: 0 });
    await farm.pass(MINUTE);
    farm.list(false, 'a');
    await farm.pass(3 * MINUTE);
    expect(whatOf(farm)).toEqual(['+many_left 1500 (1500)']);
    expect(farm.snapshot().accounts[0]?.known.fleet?.left.size).toBe(1_000);
  });

  it('while the exporter is off gives an alert by the next one', async () => {
    const farm = await createFarm({ racks: { a: 20 } });
    farm.list(false, 'a-1');
    await farm.restart(HOUR);
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+left a-1']);
  });
});

describe('an account', () => {
  it('whose key is refused gives one alert, whatever fails then and however often the exporter restarts', async () => {
    const farm = await createFarm({ racks: { a: 5 } });
    farm.fail('devices', 'unauthorized');
    await farm.pass(25 * HOUR);
    farm.fail('devices', 'server');
    await farm.pass(HOUR);
    await farm.restart(2 * MINUTE);
    await farm.pass(HOUR);
    farm.fail('devices', undefined);
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['+key_refused', '-key_refused key_taken']);
  });

  it('whose API never responded gives an alert, resolved only when it responds', async () => {
    const farm = await createFarm({ racks: { a: 5 }, before: 0 });
    farm.fail('devices', 'connect');
    await farm.pass(6 * MINUTE);
    await farm.restart(2 * MINUTE);
    await farm.pass(30 * MINUTE);
    expect(whatOf(farm)).toEqual(['+api_unavailable connect']);
    farm.fail('devices', undefined);
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['-api_unavailable connect answers_again']);
  });

  it('whose tunnels or balance cannot be read for half an hour gives an alert', async () => {
    const farm = await createFarm({ racks: { a: 5 }, status: () => 'self_rented', before: 0 });
    farm.fail('tunnels', 'server');
    farm.fail('balance', 'server');
    await farm.pass(40 * MINUTE);
    farm.fail('tunnels', undefined);
    farm.fail('balance', undefined);
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual([
      '+tunnels_unreadable',
      '+balance_unreadable',
      '-tunnels_unreadable readable',
      '-balance_unreadable readable',
    ]);
  });

  it('whose balance swings around its limit gives one alert', async () => {
    const farm = await createFarm({ racks: { a: 5 } });
    farm.setLimit(500);
    for (let swing = 0; swing < 20; swing += 1) {
      farm.setBalance(495 + 10 * (swing % 2));
      await farm.pass(3 * MINUTE);
    }
    expect(whatOf(farm)).toEqual(['+balance_low']);
    farm.setBalance(560);
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['-balance_low paid_in']);
  });

  it('whose balance is low until the limit is removed, or while it cannot be read, gives no false end', async () => {
    const farm = await createFarm({ racks: { a: 5 } });
    farm.setLimit(500);
    farm.setBalance(100);
    await farm.pass(MINUTE);
    farm.setBalance(undefined);
    await farm.pass(10 * MINUTE);
    expect(whatOf(farm)).toEqual(['+balance_low']);
    farm.setLimit(undefined);
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['-balance_low limit_removed']);
  });

  it('whose list misses phones for half an hour gives an alert, resolved only after as long', async () => {
    const farm = await createFarm({ racks: { a: 5 } });
    farm.setIncomplete(true);
    await farm.pass(40 * MINUTE);
    farm.setIncomplete(false);
    await farm.pass(20 * MINUTE);
    farm.setIncomplete(true);
    await farm.pass(20 * MINUTE);
    farm.setIncomplete(false);
    await farm.pass(40 * MINUTE);
    expect(whatOf(farm)).toEqual(['+api_degraded list_incomplete', '-api_degraded list_incomplete calm']);
  });
});

describe('a tunnel', () => {
  it('that goes down gives an alert after a minute, with its end', async () => {
    const farm = await createFarm({ racks: { a: 5 }, status: () => 'self_rented' });
    for (const phone of farm.of('a-1')) phone.tunnel = tunnelOf({ uptimeStatus: 'down' });
    await farm.pass(5 * MINUTE);
    for (const phone of farm.of('a-1')) phone.tunnel = tunnelOf();
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual(['+tunnel_down a-1', '-tunnel_down a-1 works_again']);
  });

  const changeLogins = (farm: Farm, ...names: readonly string[]): void => {
    const at = farm.now();
    const credentials = { countByStatus: new Map([['active', 1]]), oldestActiveAt: at, lastChangeAt: at };
    for (const phone of names.flatMap(farm.of)) phone.tunnel = tunnelOf({ id: 'anew', credentials });
  };

  it('that is rented anew has new logins, of which nobody is notified', async () => {
    const farm = await createFarm({ racks: { a: 5 }, status: () => 'self_rented' });
    changeLogins(farm, 'a-1');
    await farm.pass(MINUTE);
    expect(whatOf(farm)).toEqual([]);
    changeLogins(farm, 'a-1');
    await farm.pass(5 * HOUR);
    expect(whatOf(farm)).toEqual(['+credential_changed a-1', '-credential_changed a-1 notified']);
  });

  it('with changed logins gives one alert with others that changed too, and none in maintenance', async () => {
    const farm = await createFarm({ racks: { a: 10, b: 10 }, status: () => 'self_rented' });
    changeLogins(farm, 'a', 'b');
    await farm.pass(MINUTE);
    await farm.maintain({ scope: { accounts: [], groups: ['b'], devices: [] } });
    changeLogins(farm, 'a', 'b');
    await farm.pass(5 * HOUR);
    expect(whatOf(farm)).toEqual([
      '+many_credentials_changed 10 (10)',
      '-many_credentials_changed 10 (10) notified',
    ]);
  });
});

it('looks at each incident that has ended a few times, however many phones are offline at once', () => {
  const phones = 8_000;
  const devices = Array.from({ length: phones }, (_, index) =>
    // Each fell offline at a time of its own, so that none of them is part of a mass outage.
    healthyDevice({ id: `p${index}`, lastHeartbeatAt: NOON - HOUR - index * 7 * MINUTE }),
  );
  const account = finish(step(NEW_ACCOUNT, listObservation(devices, NOON, MINUTE, undefined), STEP_SETTINGS));
  let looks = 0;
  const ended = Array.from({ length: 1_000 }, (_, index): EndedIncident => {
    const incident = openIncident({ problem: 'offline', since: NOON - DAY }, NOON - DAY);
    const end = { reason: 'back', endedAt: NOON - HOUR, closedAt: NOON - HOUR } as const;
    return {
      ...{ ...incident, ...end, id: `ended-${index}` },
      get deviceId() {
        looks += 1;
        return `gone-${index}`;
      },
    };
  });
  const incidents = { ...account.incidents, ended };
  const after = finish(
    incidentsAfter({ name: 'main', account: { ...account, incidents } }, undefined, NO_CAUSES, undefined),
  );
  expect(after.open.length).toBeGreaterThan(phones / 2);
  expect(looks).toBeLessThan(20 * ended.length);
});
