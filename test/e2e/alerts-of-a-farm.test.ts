import { expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND, type WatchedFarm, watchFarm } from '../alert-stories/farm.ts';
import { judge } from '../alert-stories/judge.ts';

/*
 * Stories that the daemon's own code watches, and the alerts of the shipped rules. What they expect is what the documents
 * promise.
 */

/** Names of alerts have labels behind them; a count is 1 unless it is given. */
type Story = {
  readonly name: string;
  readonly farm: Parameters<typeof watchFarm>[0];
  readonly play: (farm: WatchedFarm) => Promise<void>;
};

const quiet = (farm: WatchedFarm, ...names: readonly string[]): void => {
  for (const name of names) farm.fires(name, 0);
};

const RENTED = 'HosterSoldPhoneOffline';
const OFFLINE = 'HosterPhoneOffline';
const MANY = 'HosterManyPhonesOffline';
const CAUSE = 'HosterCommonCause';
const LEFT = 'HosterPhoneLeft';
const TUNNEL = 'HosterTunnelDown';
const FLAPPING = 'HosterPhoneFlapping';
const LOW = 'HosterBalanceLow';
const ANY = [
  ...['HosterApiUnavailable', 'HosterApiDegraded', 'HosterKeyRefused', CAUSE, MANY],
  ...[RENTED, OFFLINE, TUNNEL, FLAPPING],
];

const tunnels = (farm: WatchedFarm, name: string, uptimeStatus: string, tunnelId = 'one'): void => {
  for (const phone of farm.of(name)) phone.tunnel = { uptimeStatus, tunnelId };
};

/** Lets time pass in which none of these alerts fires. */
const watch = async (farm: WatchedFarm, milliseconds: number, ...names: readonly string[]): Promise<void> => {
  for (let left = milliseconds; left > 0; left -= 30 * SECOND) {
    await farm.pass(30 * SECOND);
    quiet(farm, ...names);
  }
};

/** Ten racks of four phones: one phone of each shares nothing with the others. */
const SPREAD = { a: 4, b: 4, c: 4, d: 4, e: 4, f: 4, g: 4, h: 4, i: 4, j: 4 };
const firstOf = (racks: string): readonly string[] => Array.from(racks, (rack) => `${rack}-1`);

const STORIES: readonly Story[] = [
  {
    name: 'an alert goes on over a restart, whether the state file is kept or lost',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      await farm.off(3 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      await farm.pass(MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      await farm.off(3 * MINUTE, false);
      farm.fires(`${RENTED} device_id=a-1`);
      await farm.pass(5 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
    },
  },
  {
    name: 'an alert goes on over the end of an outage of the API in which the state file was lost',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.answer(503);
      await farm.pass(30 * MINUTE);
      await farm.off(2 * MINUTE, false);
      await farm.pass(30 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.answer(200);
      for (let looked = 0; looked < 60; looked += 1) {
        await farm.pass(15 * SECOND);
        farm.fires(`${RENTED} device_id=a-1`);
      }
    },
  },
  {
    name: 'an exporter that is away for 25 hours ends nothing',
    farm: { racks: { a: 20, b: 20 }, balanceLowCents: 500 },
    play: async (farm) => {
      farm.stop('a');
      farm.setBalance(100);
      await farm.pass(10 * MINUTE);
      farm.fires(CAUSE);
      farm.fires('HosterBalanceLow');
      await farm.off(25 * HOUR);
      farm.fires(CAUSE);
      farm.fires('HosterBalanceLow');
      farm.fires('HosterExporterDown');
      await farm.pass(5 * MINUTE);
      farm.fires(CAUSE);
      quiet(farm, RENTED, MANY, 'HosterExporterDown');
    },
  },
  {
    name: 'a rack is cut: one alert with its name instead of one a phone, which half of it back does not resolve',
    farm: { racks: { a: 40, b: 40 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(7 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, RENTED, MANY);
      for (const phone of farm.of('a').slice(0, 20)) phone.stoppedAt = undefined;
      await farm.pass(20 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, RENTED, MANY);
      farm.start('a');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'one sold phone fails every six minutes, and each gets an alert with its name',
    farm: { racks: { a: 20 } },
    play: async (farm) => {
      for (let number = 1; number <= 8; number += 1) {
        farm.stop(`a-${number}`);
        await farm.pass(6 * MINUTE);
        farm.fires(`${RENTED} device_id=a-${number}`);
      }
      farm.fires(RENTED, 8);
      quiet(farm, MANY);
    },
  },
  {
    name: 'the key is refused for 3 hours, then the API fails, then the exporter restarts: one alert, one end',
    farm: { racks: { a: 5 } },
    play: async (farm) => {
      farm.answer(401);
      await farm.pass(3 * HOUR);
      farm.fires('HosterKeyRefused');
      farm.answer(503);
      await farm.pass(HOUR);
      await farm.off(2 * MINUTE);
      await farm.pass(10 * MINUTE);
      farm.fires('HosterKeyRefused');
      quiet(farm, 'HosterApiUnavailable');
      farm.answer(200);
      await farm.pass(10 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'the API is down and a phone leaves meanwhile: its alert comes afterwards, and the alerts from before stay',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.answer(503);
      await farm.pass(5 * HOUR);
      farm.fires('HosterApiUnavailable severity=warning');
      farm.fires('HosterApiUnavailable severity=critical');
      farm.fires(`${RENTED} device_id=a-1`);
      farm.list(false, 'a-2');
      farm.answer(200);
      await farm.pass(10 * MINUTE);
      farm.fires('HosterPhoneLeft device_id=a-2');
      farm.fires(`${RENTED} device_id=a-1`);
      quiet(farm, 'HosterApiUnavailable');
      farm.list(true, 'a-2');
      await farm.pass(HOUR);
      quiet(farm, 'HosterPhoneLeft');
      farm.list(false, 'a-2');
      await farm.pass(5 * MINUTE);
      farm.fires('HosterPhoneLeft device_id=a-2');
    },
  },
  {
    name: 'a sold phone whose heartbeat cannot be read gets an alert with its name',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      for (const phone of farm.of('a-1')) phone.readable = false;
      await farm.pass(4 * MINUTE);
      farm.fires('HosterPhoneOffline device_id=a-1');
    },
  },
  {
    name: 'two racks are cut three minutes apart: two pages, and each ends by itself',
    farm: { racks: { a: 12, b: 12, c: 24 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(3 * MINUTE);
      farm.stop('b');
      await farm.pass(8 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      farm.fires(`${CAUSE} kind=group value=b`);
      farm.fires(CAUSE, 2);
      quiet(farm, RENTED, MANY);
      farm.start('a');
      await farm.pass(4 * MINUTE);
      farm.fires(CAUSE);
      farm.fires(`${CAUSE} kind=group value=b`);
      farm.start('b');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a phone leaves while its rack is cut, and returns offline: the page of the rack still has it',
    farm: { racks: { a: 12, b: 28 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(7 * MINUTE);
      farm.list(false, 'a-1');
      await farm.pass(5 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      farm.fires(`${LEFT} device_id=a-1`);
      farm.list(true, 'a-1');
      await farm.pass(8 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, RENTED, MANY);
      farm.start('a');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'the exporter restarts while it waits for the cause of a cut',
    farm: { racks: { a: 12, b: 28 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(3 * MINUTE + 30 * SECOND);
      await farm.off(30 * SECOND);
      await farm.pass(4 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, RENTED, MANY);
    },
  },
  {
    name: 'two phones of a cut rack are archived, and the rest comes back',
    farm: { racks: { a: 12, b: 38 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(7 * MINUTE);
      farm.list(false, 'a-11', 'a-12');
      await farm.pass(5 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      farm.fires(`${LEFT} severity=info`, 2);
      for (const phone of farm.of('a').slice(0, 10)) phone.stoppedAt = undefined;
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a tunnel is down, its phone falls offline, and is back with the tunnel still down, until another one works',
    farm: { racks: { a: 8 }, rental: () => 'self_rented' },
    play: async (farm) => {
      tunnels(farm, 'a-1', 'down');
      await farm.pass(5 * MINUTE);
      farm.fires(`${TUNNEL} device_id=a-1`);
      farm.stop('a-1');
      await farm.pass(7 * MINUTE);
      farm.fires(`${OFFLINE} device_id=a-1 problem=self_rented_offline`);
      quiet(farm, TUNNEL);
      farm.start('a-1');
      await farm.pass(5 * MINUTE);
      quiet(farm, OFFLINE);
      farm.fires(`${TUNNEL} device_id=a-1`);
      tunnels(farm, 'a-1', 'up', 'two');
      await farm.pass(4 * MINUTE);
      quiet(farm, 'HosterCredentialChanged', ...ANY);
    },
  },
  {
    name: 'the key is refused while a rack is cut, and the rack is back before the key is accepted',
    farm: { racks: { a: 12, b: 28 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(7 * MINUTE);
      farm.answer(401);
      await farm.pass(15 * MINUTE);
      farm.start('a');
      await farm.pass(15 * MINUTE);
      farm.fires('HosterKeyRefused');
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, 'HosterApiUnavailable', RENTED, MANY);
      farm.answer(200);
      await farm.pass(9 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a rack is cut together with the API: its alert comes a threshold after the first good poll, not before',
    farm: { racks: { a: 12, b: 28 } },
    play: async (farm) => {
      farm.stop('a');
      farm.answer(503);
      await farm.pass(20 * MINUTE);
      farm.fires('HosterApiUnavailable');
      quiet(farm, CAUSE, RENTED, MANY);
      farm.answer(200);
      await farm.pass(3 * MINUTE);
      quiet(farm, CAUSE, RENTED, MANY);
      await farm.pass(6 * MINUTE);
      farm.fires(`${CAUSE} kind=group value=a`);
      quiet(farm, RENTED, MANY, 'HosterApiUnavailable');
    },
  },
  {
    name: 'a mass outage grows by one phone a minute: the two that are left when the rest is back get alerts with their names',
    farm: { racks: SPREAD },
    play: async (farm) => {
      farm.stop(...firstOf('abcdef'));
      await farm.pass(6 * MINUTE);
      farm.fires(`${MANY} severity=critical`);
      quiet(farm, RENTED, CAUSE);
      for (const name of firstOf('ghij')) {
        farm.stop(name);
        await farm.pass(MINUTE);
      }
      await farm.pass(6 * MINUTE);
      farm.fires(`${MANY} severity=critical`);
      farm.start(...firstOf('abcdefgh'));
      await farm.pass(4 * MINUTE);
      quiet(farm, MANY, CAUSE);
      for (const name of firstOf('ij')) farm.fires(`${RENTED} device_id=${name}`);
      farm.fires(RENTED, 2);
    },
  },
  {
    name: 'a mass outage gives another alert when it doubles, and none after a restart without a state file',
    farm: { racks: SPREAD },
    play: async (farm) => {
      farm.stop(...firstOf('abcdef'));
      await farm.pass(4 * MINUTE);
      farm.stop(...firstOf('ghij'), 'a-2', 'b-2', 'c-2');
      await farm.pass(2 * MINUTE);
      farm.fires(`${MANY} size=4`);
      for (let passed = 0; passed < 10; passed += 1) {
        await farm.pass(MINUTE);
        farm.fires(MANY);
      }
      farm.fires(`${MANY} size=8`);
      await farm.off(2 * MINUTE, false);
      for (let passed = 0; passed < 20; passed += 1) {
        await farm.pass(MINUTE);
        farm.fires(`${MANY} size=8`);
        farm.fires(MANY);
      }
      farm.start(...firstOf('abcdefghij'), 'a-2', 'b-2', 'c-2');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a phone is back when the state file is lost: its alert ends once the exporter knows the phones again',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(10 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.start('a-1');
      await farm.off(MINUTE, false);
      for (let passed = 0; passed < 14; passed += 1) {
        await farm.pass(MINUTE);
        farm.fires(`${RENTED} device_id=a-1`);
      }
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a sold phone falls offline ten minutes into a mass outage of idle ones, and gets an alert with its name',
    farm: { racks: SPREAD, rental: (id) => (id === 'j-1' ? 'sold' : 'idle') },
    play: async (farm) => {
      farm.stop(...firstOf('abcdefgh'));
      await farm.pass(10 * MINUTE);
      farm.fires(`${MANY} severity=warning`);
      quiet(farm, RENTED, OFFLINE, CAUSE);
      farm.stop('j-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=j-1`);
      farm.fires(`${MANY} severity=warning`);
    },
  },
  {
    name: 'the exporter restarts twice within a minute while a phone comes back',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.start('a-1');
      await farm.off(15 * SECOND);
      await farm.pass(15 * SECOND);
      await farm.off(15 * SECOND);
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY, 'HosterExporterDown');
    },
  },
  {
    name: 'a low balance stands while it cannot be read, and ends with the next one that is paid in',
    farm: { racks: { a: 5 }, balanceLowCents: 500 },
    play: async (farm) => {
      farm.setBalance(100);
      await farm.pass(3 * MINUTE);
      farm.fires(LOW);
      farm.answer(500, 'balance');
      farm.setBalance(2_000);
      await farm.pass(40 * MINUTE);
      farm.fires(LOW);
      farm.fires('HosterApiDegraded');
      farm.answer(200);
      await farm.pass(5 * MINUTE);
      quiet(farm, LOW, ...ANY);
    },
  },
  {
    name: 'a phone is offline for the third time in two hours: one that comes and goes, over a restart',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      for (let time = 1; time <= 2; time += 1) {
        farm.stop('a-1');
        await farm.pass(6 * MINUTE);
        farm.fires(`${RENTED} device_id=a-1`);
        farm.start('a-1');
        await farm.pass(12 * MINUTE);
        quiet(farm, ...ANY);
      }
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${FLAPPING} device_id=a-1`);
      quiet(farm, RENTED);
      farm.start('a-1');
      await farm.pass(10 * MINUTE);
      await farm.off(MINUTE);
      await farm.pass(20 * MINUTE);
      farm.fires(`${FLAPPING} device_id=a-1`);
      quiet(farm, RENTED);
      await farm.pass(95 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'Prometheus scrapes nothing exactly while a page ends, and while another one begins and ends',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.start('a-1');
      await farm.unscraped(3 * MINUTE);
      await farm.pass(2 * MINUTE);
      quiet(farm, ...ANY);
      farm.stop('a-2');
      await farm.unscraped(6 * MINUTE);
      farm.start('a-2');
      await farm.unscraped(2 * MINUTE);
      await farm.pass(2 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a rental changes three times while its phone is offline, and each time one alert follows another',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.rent('idle', 'a-1');
      await farm.pass(2 * MINUTE);
      farm.fires(`${OFFLINE} device_id=a-1 problem=offline`);
      farm.fires(OFFLINE);
      quiet(farm, RENTED);
      farm.rent('self_rented', 'a-1');
      await farm.pass(3 * MINUTE);
      farm.fires(`${OFFLINE} device_id=a-1 problem=self_rented_offline`);
      farm.fires(OFFLINE);
      farm.rent('sold', 'a-1');
      await farm.pass(3 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      quiet(farm, OFFLINE);
    },
  },
  {
    name: 'twenty phones leave at once and half return: no phone gets an alert of its own, nor is called offline',
    farm: { racks: { a: 20, b: 40 } },
    play: async (farm) => {
      farm.list(false, 'a');
      await farm.pass(10 * MINUTE);
      farm.fires(`${LEFT} severity=warning`);
      for (const phone of farm.of('a').slice(0, 10)) phone.listed = true;
      await farm.pass(10 * MINUTE);
      quiet(farm, `${LEFT} severity=info`, ...ANY);
    },
  },
  {
    name: 'an offline phone leaves, and returns offline with the label of another rack: another alert with its name',
    farm: { racks: { a: 10, b: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.list(false, 'a-1');
      await farm.pass(5 * MINUTE);
      quiet(farm, RENTED, LEFT);
      for (const phone of farm.of('a-1')) phone.label = 'b/new';
      farm.list(true, 'a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.fires(RENTED);
      farm.start('a-1');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a rack is back except for one phone: the alert of the rack is resolved, and that phone gets one with its name',
    farm: { racks: { a: 12, b: 28 } },
    play: async (farm) => {
      farm.stop('a');
      await farm.pass(8 * MINUTE);
      farm.fires(CAUSE);
      for (const phone of farm.of('a').slice(1)) phone.stoppedAt = undefined;
      await farm.pass(7 * MINUTE);
      quiet(farm, CAUSE, MANY);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.fires(RENTED);
    },
  },
  {
    name: 'the self-rented phones of ten racks lose the host of their tunnels: one page, and nothing of tunnels',
    farm: { racks: SPREAD, rental: (id) => (id.endsWith('-1') ? 'self_rented' : 'sold') },
    play: async (farm) => {
      farm.stop(...firstOf('abcdefghij'));
      for (const n of firstOf('abcdefghij')) tunnels(farm, n, 'down');
      await watch(farm, 8 * MINUTE, RENTED, MANY, OFFLINE, TUNNEL);
      farm.fires(`${CAUSE} kind=tunnel_host`);
      farm.start(...firstOf('abcdefghij'));
      for (const n of firstOf('abcdefghij')) tunnels(farm, n, 'up');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'the state file is lost while the key is refused: the open alerts stay, minute by minute',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.answer(401);
      await farm.pass(10 * MINUTE);
      await farm.off(MINUTE, false);
      for (let n = 0; n < 10; n += 1) {
        await farm.pass(MINUTE);
        farm.fires('HosterKeyRefused');
        farm.fires(`${RENTED} device_id=a-1`);
      }
      quiet(farm, 'HosterApiUnavailable');
      farm.answer(200);
      await farm.pass(12 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.fires(RENTED);
      quiet(farm, 'HosterKeyRefused');
    },
  },
  {
    name: 'a rack and eight phones of other racks stop at once: a cause and a mass outage, which outlives the cause',
    farm: { racks: { ...SPREAD, r: 12 } },
    play: async (farm) => {
      farm.stop('r', ...firstOf('abcdefgh'));
      await watch(farm, 8 * MINUTE, RENTED);
      farm.fires(`${CAUSE} kind=group value=r`);
      farm.fires(`${MANY} severity=critical`);
      farm.start('r');
      await watch(farm, 4 * MINUTE, RENTED);
      quiet(farm, CAUSE);
      farm.fires(`${MANY} severity=critical`);
    },
  },
];

it.each(STORIES.map((story) => [story.name, story] as const))('%s', async (_, { farm, play }) => {
  const watched = await watchFarm(farm);
  await play(watched);
  expect(await judge(watched.recording())).toBe('');
});
