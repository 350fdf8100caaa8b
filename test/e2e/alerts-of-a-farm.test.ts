import { HOUR, MINUTE, SECOND } from '../alert-stories/farm.ts';
import { playStories, quiet, type Story } from '../alert-stories/story.ts';

/*
 * Stories that the daemon's own code watches, and the alerts of the shipped rules. Names of alerts have labels
 * behind them; a count is 1 unless it is said.
 */

const RENTED = 'HosterSoldPhoneOffline';
const MANY = 'HosterManyPhonesOffline';
const CAUSE = 'HosterCommonCause';
const ANY = ['HosterApiUnavailable', 'HosterApiDegraded', 'HosterKeyRefused', CAUSE, MANY, RENTED];

const STORIES: readonly Story[] = [
  {
    name: 'nothing happens, and there is no alert',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      await farm.pass(HOUR);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a sold phone falls offline, is told by its name, and its alert ends when it is back',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.fires(RENTED);
      farm.start('a-1');
      await farm.pass(4 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
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
    name: 'a rack is cut, and a page tells it in place of its phones; half of it back ends nothing',
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
    name: 'one sold phone fails each five minutes, and each is named',
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
    name: 'the API is down, a phone leaves meanwhile, and is told afterwards; what was wrong stands',
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
    name: 'Prometheus scrapes nothing for ten minutes, in which a phone is back and another one falls offline',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.start('a-1');
      farm.stop('a-2');
      await farm.unscraped(10 * MINUTE);
      await farm.pass(2 * MINUTE);
      farm.fires(`${RENTED} device_id=a-2`);
      await farm.pass(2 * MINUTE);
      farm.fires(RENTED);
    },
  },
  {
    name: 'a rental ends while the phone is offline: the page ends, and the warning begins at once',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      farm.rent('idle', 'a-1');
      await farm.pass(2 * MINUTE);
      farm.fires('HosterPhoneOffline device_id=a-1');
      quiet(farm, RENTED);
    },
  },
  {
    name: 'sixty of a hundred phones leave at once, which is a warning',
    farm: { racks: { a: 60, b: 40 } },
    play: async (farm) => {
      farm.list(false, 'a');
      await farm.pass(10 * MINUTE);
      farm.fires('HosterPhoneLeft severity=warning');
      quiet(farm, 'HosterPhoneLeft severity=info', RENTED);
    },
  },
  {
    name: 'the tunnels cannot be read, since the start or for two hours',
    farm: { racks: { a: 5 }, rental: () => 'self_rented' },
    play: async (farm) => {
      farm.answer(500, 'tunnel');
      await farm.pass(HOUR);
      farm.fires('HosterApiDegraded');
      farm.answer(200);
      await farm.pass(45 * MINUTE);
      quiet(farm, ...ANY);
    },
  },
  {
    name: 'a tunnel goes down while its phone reports, and works again',
    farm: { racks: { a: 5 }, rental: () => 'self_rented' },
    play: async (farm) => {
      for (const phone of farm.of('a-1')) phone.tunnel = { uptimeStatus: 'down', tunnelId: 'one' };
      await farm.pass(5 * MINUTE);
      farm.fires('HosterTunnelDown device_id=a-1');
      for (const phone of farm.of('a-1')) phone.tunnel = { uptimeStatus: 'up', tunnelId: 'two' };
      await farm.pass(3 * MINUTE);
      quiet(farm, 'HosterTunnelDown', 'HosterCredentialChanged');
    },
  },
  {
    name: 'a balance that swings around its limit is told once',
    farm: { racks: { a: 5 }, balanceLowCents: 500 },
    play: async (farm) => {
      for (let swing = 0; swing < 20; swing += 1) {
        farm.setBalance(495 + 10 * (swing % 2));
        await farm.pass(2 * MINUTE);
        farm.fires('HosterBalanceLow');
      }
      farm.setBalance(560);
      await farm.pass(3 * MINUTE);
      quiet(farm, 'HosterBalanceLow');
    },
  },
  {
    name: 'a new label pages nobody again',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      farm.stop('a-1');
      await farm.pass(6 * MINUTE);
      for (const phone of farm.of('a-1')) phone.label = 'elsewhere/new';
      await farm.pass(10 * MINUTE);
      farm.fires(`${RENTED} device_id=a-1`);
      farm.fires(RENTED);
    },
  },
  {
    name: 'a sold phone whose heartbeat cannot be read is told by its name',
    farm: { racks: { a: 10 } },
    play: async (farm) => {
      for (const phone of farm.of('a-1')) phone.readable = false;
      await farm.pass(4 * MINUTE);
      farm.fires('HosterPhoneOffline device_id=a-1');
    },
  },
];

playStories(STORIES);
