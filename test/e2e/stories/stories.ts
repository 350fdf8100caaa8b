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
const [selfRented, sold, another] = FEW.map(({ deviceId }) => deviceId);
const idsOf = (phones: readonly { readonly deviceId: string }[]) => phones.map(({ deviceId }) => deviceId);

/** Returns the shortened form of a duration of the shipped files, in milliseconds. */
function shortened(duration: string): number {
  return secondsOf(readShortened().durations[duration] ?? '') * 1000;
}

/** The messages about a common cause, from its beginning to its end. */
const causeMessages = (count: number, which: string, sold: number): readonly string[] => {
  const unsold = count === sold ? '' : ` ${count - sold} unsold and`;
  const line = `Outage: ${which},${unsold} ${sold} sold phones offline`;
  return [
    `page firing HosterCommonCause (1): ${line} since <time>`,
    `page resolved HosterCommonCause (1): ${line}, back after <time>`,
  ];
};

/** Phones fall offline together, for longer than it takes to tell each of them, and come back. */
const cut =
  (ids: readonly string[]): Story['happens'] =>
  async ({ marketplace, waitForMessage }) => {
    marketplace.edit(ids, { online: false });
    await waitForMessage('firing HosterCommonCause');
    // Long enough for an alert on each phone to be sent, if nothing kept it quiet.
    await wait(shortened('15m'));
    marketplace.edit(ids, { online: true });
    await waitForMessage('resolved HosterCommonCause');
  };

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
    title: 'two sold phones fall offline one after the other, and the first comes back',
    account: 'phone',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await waitForMessage(`${FEW[1]?.label}: sold and offline`);
      marketplace.edit([another ?? ''], { online: false });
      await waitForMessage(`${FEW[2]?.label}: sold and offline`);
      marketplace.edit([sold ?? ''], { online: true });
      await waitForMessage('resolved HosterSoldPhoneOffline');
    },
    messages: [
      `page firing HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline since <time>`,
      `page firing HosterSoldPhoneOffline (1): ${FEW[2]?.label}: sold and offline since <time>`,
      `page resolved HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline, back after <time>`,
    ],
  },
  {
    title: 'a site with 500 phones loses its power',
    account: 'site',
    phones: SITE,
    happens: cut(idsOf(SITE)),
    messages: causeMessages(500, 'account site', 458),
  },
  {
    title: 'a rack of 40 phones within 500 loses its power',
    account: 'rack',
    phones: RACKS,
    happens: cut(RACK),
    messages: causeMessages(40, 'rack-A', 36),
  },
  {
    title: 'an update of the app breaks a version',
    account: 'update',
    phones: UPDATED,
    happens: cut(idsOf(UPDATED.filter(({ appVersion }) => appVersion === '3.0.0'))),
    messages: causeMessages(15, 'app version 3.0.0', 15),
  },
  {
    title: 'a sold phone falls offline and then leaves the list',
    account: 'left',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await waitForMessage('firing HosterSoldPhoneOffline');
      marketplace.archive([sold ?? '']);
      await waitForMessage('resolved HosterSoldPhoneOffline');
      // Long enough for a message about phones that left.
      await wait(shortened('15m'));
    },
    messages: [
      `page firing HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline since <time>`,
      `page resolved HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline, left after <time>`,
    ],
  },
  {
    title: 'two healthy phones leave the list',
    account: 'archived',
    phones: FEW,
    happens: async ({ marketplace, waitForMessage, waitForSamples }) => {
      // What was never listed cannot leave.
      await waitForSamples(`hoster_device_info{device_id="${another}"}`);
      marketplace.archive([sold ?? '', another ?? '']);
      await waitForMessage('firing HosterPhoneLeft');
    },
    messages: [
      `digest firing HosterPhoneLeft (2): ${FEW[1]?.label}: no longer on the marketplace since <time>`,
    ],
  },
  {
    title: 'the key is refused, until its file holds another one',
    account: 'key',
    phones: FEW,
    happens: async ({ accept, writeKey, waitForMessage }) => {
      accept('the-key-of-tomorrow');
      await waitForMessage('firing HosterKeyRefused');
      writeKey('the-key-of-tomorrow');
      await waitForMessage('resolved HosterKeyRefused');
    },
    messages: [
      'page firing HosterKeyRefused (1): API key refused: account key since <time>',
      'page resolved HosterKeyRefused (1): API key refused: account key, key taken after <time>',
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
      `notify firing HosterTunnelDown (1): ${FEW[0]?.label}: tunnel down since <time>`,
      `notify resolved HosterTunnelDown (1): ${FEW[0]?.label}: tunnel down, works again after <time>`,
    ],
  },
  {
    title: 'the balance runs low',
    account: 'balance',
    phones: FEW,
    happens: async ({ setBalance, waitForMessage }) => {
      setBalance(499);
      await waitForMessage('firing HosterBalanceLow');
      setBalance(50_000);
      await waitForMessage('resolved HosterBalanceLow');
    },
    messages: [
      'notify firing HosterBalanceLow (1): Balance low: account balance, EUR 4.99 since <time>',
      'notify resolved HosterBalanceLow (1): Balance low: account balance, EUR 500.00, paid in after <time>',
    ],
  },
  {
    title: 'the exporter is killed while a phone is offline, which comes back meanwhile',
    account: 'killed',
    phones: FEW,
    happens: async ({ exporter, marketplace, waitForMessage }) => {
      marketplace.edit([sold ?? ''], { online: false });
      await waitForMessage('firing HosterSoldPhoneOffline');
      await exporter.kill();
      await waitForMessage('firing HosterExporterDown');
      marketplace.edit([sold ?? ''], { online: true });
      // Long enough for an end to be told, if the alert had one.
      await wait(shortened('15m'));
      await exporter.start();
      await waitForMessage('resolved HosterExporterDown');
      await waitForMessage('resolved HosterSoldPhoneOffline');
    },
    messages: [
      `page firing HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline since <time>`,
      'page firing HosterExporterDown (1): The exporter at <exporter of killed> does not respond',
      'page resolved HosterExporterDown (1): The exporter at <exporter of killed> does not respond',
      `page resolved HosterSoldPhoneOffline (1): ${FEW[1]?.label}: sold and offline, back after <time>`,
    ],
  },
];
