import { setTimeout as wait } from 'node:timers/promises';
import { secondsOf } from '../../rules/duration.ts';
import { readShortened } from '../../rules/shorten.ts';
import { healthyPhones } from './phones.ts';
import type { Story } from './story.ts';

const FEW = healthyPhones(12);
const SITE = healthyPhones(500);
/** Forty phones of five hundred stand in one rack. */
const RACKS = SITE.map((phone, index) => ({
  ...phone,
  label: `${index < 40 ? 'rack-A' : 'rack-B'}/${index}`,
}));
const RACK = RACKS.slice(0, 40).map(({ deviceId }) => deviceId);
/** A quarter of the phones got an update, in every second rack; none of them is self-rented. */
const UPDATED = healthyPhones(60).map((phone, index) => ({
  ...phone,
  label: `rack-${index % 6}/${index}`,
  appVersion: index % 4 === 1 ? '3.0.0' : '2.14.1',
}));
const [selfRented, sold] = FEW.map(({ deviceId }) => deviceId);
const idsOf = (phones: readonly { readonly deviceId: string }[]) => phones.map(({ deviceId }) => deviceId);

/** Returns the shortened form of a duration of the shipped files, in milliseconds. */
function shortened(duration: string): number {
  return secondsOf(readShortened().durations[duration] ?? '') * 1000;
}

/** Stories of what can happen to a fleet, with the messages that the hoster gets. */
export const STORIES: readonly Story[] = [
  {
    title: 'nothing happens',
    account: 'quiet',
    phones: FEW,
    happens: async () => {},
    messages: [],
  },
  {
    title: 'one sold phone falls silent',
    account: 'phone',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await waitForMessage('firing HosterRentedDeviceOffline');
      marketplace.edit([sold ?? ''], { online: true });
      await waitForMessage('resolved HosterRentedDeviceOffline');
    },
    messages: [
      `page firing HosterRentedDeviceOffline (1): ${FEW[1]?.label} is sold and has been silent for <time>`,
      `page resolved HosterRentedDeviceOffline (1): ${FEW[1]?.label} is sold and has been silent for <time>`,
    ],
  },
  {
    title: 'a site with 500 phones loses its power',
    account: 'site',
    phones: SITE,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit(idsOf(SITE), { online: false });
      await waitForMessage('firing HosterCommonCause');
      // Long enough for an alert on each phone to be sent, if nothing inhibited it.
      await wait(shortened('15m'));
      marketplace.edit(idsOf(SITE), { online: true });
      await waitForMessage('resolved HosterCommonCause');
    },
    messages: [
      'page firing HosterCommonCause (1): 500 phones with the account site became silent together, since <date>',
      'page resolved HosterCommonCause (1): 500 phones with the account site became silent together',
    ],
  },
  {
    title: 'a rack of 40 phones within 500 loses its power',
    account: 'rack',
    phones: RACKS,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit(RACK, { online: false });
      await waitForMessage('firing HosterCommonCause');
      // Long enough for an alert on each phone to be sent, if nothing inhibited it.
      await wait(shortened('15m'));
      marketplace.edit(RACK, { online: true });
      await waitForMessage('resolved HosterCommonCause');
    },
    messages: [
      'page firing HosterCommonCause (1): 40 phones of rack-A became silent together, since <date>',
      'page resolved HosterCommonCause (1): 40 phones of rack-A became silent together',
    ],
  },
  {
    title: 'an update of the app breaks a version',
    account: 'update',
    phones: UPDATED,
    happens: async ({ marketplace, waitForMessage }) => {
      const broken = idsOf(UPDATED.filter(({ appVersion }) => appVersion === '3.0.0'));
      marketplace.edit(broken, { online: false });
      await waitForMessage('firing HosterCommonCause');
      // Long enough for an alert on each phone to be sent, if nothing inhibited it.
      await wait(shortened('15m'));
      marketplace.edit(broken, { online: true });
      await waitForMessage('resolved HosterCommonCause');
    },
    messages: [
      'page firing HosterCommonCause (1): 15 phones with the app version 3.0.0 became silent together, since <date>',
      'page resolved HosterCommonCause (1): 15 phones with the app version 3.0.0 became silent together',
    ],
  },
  {
    title: 'a sold phone falls silent and then leaves the list',
    account: 'left',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage, waitForSamples }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await waitForMessage('firing HosterRentedDeviceOffline');
      marketplace.edit([sold ?? ''], { archived: true });
      await waitForSamples('hoster_device_left_timestamp_seconds{device_id!=""}');
      // Longer than the alert on a phone that works again would go on.
      await wait(shortened('20m') * 1.5);
    },
    messages: [
      `page firing HosterRentedDeviceOffline (1): ${FEW[1]?.label} is sold and has been silent for <time>`,
      `digest firing digest (1): ${FEW[1]?.label} left the device list <time> ago`,
    ],
  },
  {
    title: 'the API is down for a while, and no phone can report either',
    account: 'api',
    phones: FEW,
    happens: async ({ marketplace, faults, waitForMessage, waitForSamples }) => {
      faults.on('all', 'internal-error');
      marketplace.edit(idsOf(FEW), { online: false });
      await waitForMessage('firing HosterApiUnavailable');
      // Longer than the data is held, so that all of it is withdrawn.
      await waitForSamples('hoster_exporter_data_state{collector="devices", state="expired"} == 1');
      faults.off();
      await waitForSamples('hoster_exporter_poll_success{collector="devices"} == 1');
      // The first polls show heartbeats from before the outage.
      await wait(shortened('3m'));
      marketplace.edit(idsOf(FEW), { online: true });
      await waitForMessage('resolved HosterApiUnavailable');
    },
    messages: [
      'notify firing HosterApiUnavailable (1): The phones of account api cannot be seen: polls of the API fail',
      'notify resolved HosterApiUnavailable (1): The phones of account api cannot be seen: polls of the API fail',
    ],
  },
  {
    title: 'the key is refused, until its file holds another one',
    account: 'key',
    phones: FEW,
    happens: async ({ accept, writeKey, waitForMessage }) => {
      accept('the-key-of-tomorrow');
      await waitForMessage('firing HosterApiKeyRejected');
      writeKey('the-key-of-tomorrow');
      await waitForMessage('resolved HosterApiKeyRejected');
    },
    messages: [
      'page firing HosterApiKeyRejected (1): The API refuses the key of account key',
      'page resolved HosterApiKeyRejected (1): The API refuses the key of account key',
    ],
  },
  {
    title: 'a tunnel dies',
    account: 'tunnel',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit([selfRented ?? ''], { tunnel: 'down' });
      await waitForMessage('firing HosterTunnelDown');
      marketplace.edit([selfRented ?? ''], { tunnel: 'up' });
      await waitForMessage('resolved HosterTunnelDown');
    },
    messages: [
      `notify firing HosterTunnelDown (1): The tunnel of ${FEW[0]?.label} is down`,
      `notify resolved HosterTunnelDown (1): The tunnel of ${FEW[0]?.label} is down`,
    ],
  },
  {
    title: 'the balance runs low',
    account: 'balance',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.editAccount({ availableCents: 499 });
      await waitForMessage('firing HosterBalanceLow');
      marketplace.editAccount({ availableCents: 50_000 });
      await waitForMessage('resolved HosterBalanceLow');
    },
    messages: [
      'notify firing HosterBalanceLow (1): The balance of account balance is low: 499 cents',
      'notify resolved HosterBalanceLow (1): The balance of account balance is low: 499 cents',
    ],
  },
  {
    title: 'the exporter is killed',
    account: 'killed',
    phones: FEW,
    happens: async ({ exporter, waitForMessage }) => {
      await exporter.kill();
      await waitForMessage('firing HosterExporterDown');
      // Long enough for alerts on its account and its phones to be sent, if nothing inhibited them.
      await wait(shortened('10m'));
      await exporter.start();
      await waitForMessage('resolved HosterExporterDown');
    },
    messages: [
      'page firing HosterExporterDown (1): The exporter at <exporter of killed> does not respond',
      'page resolved HosterExporterDown (1): The exporter at <exporter of killed> does not respond',
    ],
  },
];
