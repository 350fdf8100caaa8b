import { setTimeout as wait } from 'node:timers/promises';
import { secondsOf } from '../../rules/duration.ts';
import { readShortened } from '../../rules/shorten.ts';
import { healthyPhones } from './phones.ts';
import type { Story } from './story.ts';

const FEW = healthyPhones(12);
const SITE = healthyPhones(500);
const [selfRented, sold] = FEW.map(({ deviceId }) => deviceId);
const idsOf = (phones: readonly { readonly deviceId: string }[]) => phones.map(({ deviceId }) => deviceId);

/** How long something that the shipped files call so takes here, in milliseconds. */
function shortened(duration: string): number {
  return secondsOf(readShortened().durations[duration] ?? '') * 1000;
}

/** What can happen to a hoster, and what he is told. */
export const STORIES: readonly Story[] = [
  {
    title: 'nothing happens',
    account: 'quiet',
    phones: FEW,
    happens: async () => {},
    told: [],
  },
  {
    title: 'one sold phone falls silent',
    account: 'phone',
    phones: FEW,
    happens: async ({ marketplace, hears }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await hears('firing HosterRentedDeviceOffline');
      marketplace.edit([sold ?? ''], { online: true });
      await hears('resolved HosterRentedDeviceOffline');
    },
    told: [
      `page firing HosterRentedDeviceOffline (1): ${FEW[1]?.label} is rented and silent`,
      `page resolved HosterRentedDeviceOffline (1): ${FEW[1]?.label} is rented and silent`,
    ],
  },
  {
    title: 'a site with 500 phones loses its power',
    account: 'site',
    phones: SITE,
    happens: async ({ marketplace, hears }) => {
      marketplace.edit(idsOf(SITE), { online: false });
      await hears('firing HosterFleetOffline');
      // Long enough for each phone to be told by itself, if nothing kept it quiet.
      await wait(shortened('15m'));
      marketplace.edit(idsOf(SITE), { online: true });
      await hears('resolved HosterFleetOffline');
    },
    told: [
      'page firing HosterFleetOffline (1): The fleet of account site is silent',
      'page resolved HosterFleetOffline (1): The fleet of account site is silent',
    ],
  },
  {
    title: 'the API is down for a while, and no phone can report either',
    account: 'api',
    phones: FEW,
    happens: async ({ marketplace, faults, hears, sees }) => {
      faults.on('all', 'internal-error');
      marketplace.edit(idsOf(FEW), { online: false });
      await hears('firing HosterApiUnavailable');
      // Longer than the data is held, so that all of it is withdrawn.
      await sees('hoster_exporter_data_state{collector="devices", state="expired"} == 1');
      faults.off();
      await sees('hoster_exporter_poll_success{collector="devices"} == 1');
      // The first polls show heartbeats from before the outage.
      await wait(shortened('3m'));
      marketplace.edit(idsOf(FEW), { online: true });
      await hears('resolved HosterApiUnavailable');
    },
    told: [
      'page firing HosterApiUnavailable (1): The phones of account api cannot be seen: the API does not answer as it should',
      'page resolved HosterApiUnavailable (1): The phones of account api cannot be seen: the API does not answer as it should',
    ],
  },
  {
    title: 'the key is refused, until its file holds another one',
    account: 'key',
    phones: FEW,
    happens: async ({ accept, writeKey, hears }) => {
      accept('the-key-of-tomorrow');
      await hears('firing HosterApiKeyRejected');
      writeKey('the-key-of-tomorrow');
      await hears('resolved HosterApiKeyRejected');
    },
    told: [
      'page firing HosterApiKeyRejected (1): The API refuses the key of account key',
      'page resolved HosterApiKeyRejected (1): The API refuses the key of account key',
    ],
  },
  {
    title: 'a tunnel dies',
    account: 'tunnel',
    phones: FEW,
    happens: async ({ marketplace, hears }) => {
      marketplace.edit([selfRented ?? ''], { tunnel: 'down' });
      await hears('firing HosterTunnelDown');
      marketplace.edit([selfRented ?? ''], { tunnel: 'up' });
      await hears('resolved HosterTunnelDown');
    },
    told: [
      `notify firing HosterTunnelDown (1): The tunnel of ${FEW[0]?.label} is down`,
      `notify resolved HosterTunnelDown (1): The tunnel of ${FEW[0]?.label} is down`,
    ],
  },
  {
    title: 'the balance runs low',
    account: 'balance',
    phones: FEW,
    happens: async ({ marketplace, hears }) => {
      marketplace.editAccount({ availableCents: 499 });
      await hears('firing HosterBalanceLow');
      marketplace.editAccount({ availableCents: 50_000 });
      await hears('resolved HosterBalanceLow');
    },
    told: [
      'notify firing HosterBalanceLow (1): The balance of account balance runs low',
      'notify resolved HosterBalanceLow (1): The balance of account balance runs low',
    ],
  },
  {
    title: 'the exporter is killed',
    account: 'killed',
    phones: FEW,
    happens: async ({ exporter, hears }) => {
      await exporter.kill();
      await hears('firing HosterExporterDown');
      // Long enough for its account and its phones to be told, if nothing kept them quiet.
      await wait(shortened('10m'));
      await exporter.start();
      await hears('resolved HosterExporterDown');
    },
    told: [
      'page firing HosterExporterDown (1): The exporter at <exporter of killed> does not answer',
      'page resolved HosterExporterDown (1): The exporter at <exporter of killed> does not answer',
    ],
  },
];
