import { findCommonCauses } from '../src/analysis/common-cause.ts';
import type { CauseKind } from '../src/model/cause.ts';
import type { FleetDevice } from '../src/model/fleet.ts';
import { DEFAULT_GROUPS, groupOf } from '../src/model/group.ts';
import type { AccountSnapshot } from '../src/model/snapshot.ts';
import { createPhone, NASTY_LABELS } from '../src/simulator/fleet.ts';
import {
  between,
  createRandom,
  deriveSeed,
  pick,
  pickWeighted,
  type Random,
} from '../src/simulator/random.ts';
import {
  accountOf,
  answerAtNoon,
  bareDevice,
  fleetDevice,
  fleetOf,
  freshReading,
  NOON,
  tunnelOf,
} from './builders.ts';

/*
 * Incidents in simulated fleets, each from a seed alone, and how well the analysis names their causes.
 */

export const INCIDENTS = [
  'power cut of a shelf',
  'hub of five',
  'uplink of a site',
  'app update',
  'bug of a model',
  'proxy host down',
  'account-wide outage',
  'two at once',
  '1 % a day fail by themselves',
  '5 % a day fail by themselves',
  '20 % a day fail by themselves',
] as const;

export type Incident = (typeof INCIDENTS)[number];

export const FLEET_SIZES = [20, 50, 100, 250, 500, 1_000, 2_500, 10_000] as const;

/** A cause, by what it is named. */
type Name = `${CauseKind} ${string}`;

/** What happened in one incident, and what the analysis made of it. */
export type Outcome = {
  /** Causes that have silenced at least five devices. */
  readonly causes: readonly Name[];
  /** Causes of fewer devices, which may be named or not. */
  readonly small: readonly Name[];
  readonly named: readonly Name[];
};

/** A simulated device. Instants are seconds before the poll. */
type Simulated = {
  readonly account: string;
  readonly label: string;
  /** What it really shares, whatever its label says. */
  readonly place: string;
  readonly model: string;
  readonly appVersion: string;
  readonly host: string | undefined;
  readonly heartbeatSeconds: number;
  silentFor: number | undefined;
};

/** Heartbeat intervals of a fleet, in seconds; undefined for a fleet that mixes them. */
const HEARTBEATS = [5, 30, 60, 120, 300, 600, undefined] as const;

const POLL_SECONDS = 30;
const DAY = 86_400;

/** An incident in a fleet, two polls after all its devices must count as silent. */
export type SimulatedIncident = {
  readonly accounts: readonly AccountSnapshot[];
  readonly devices: readonly Simulated[];
  readonly struck: readonly Struck[];
};

/** Share of the incidents in which the exporter was restarted afterwards, and knows no gaps of silent devices. */
const RESTARTED = 0.05;

/** Simulates an incident. */
export function simulateIncident(incident: Incident, size: number, seed: number): SimulatedIncident {
  const random = createRandom(deriveSeed(seed, size, INCIDENTS.indexOf(incident)));
  const heartbeat = pick(random, HEARTBEATS);
  const devices = createDevices(incident, size, heartbeat, random);
  const dailyShare = Number(/^(\d+) % a day/.exec(incident)?.[1] ?? pick(random, [0, 1, 5])) / 100;
  failByThemselves(devices, dailyShare, random);
  const slowest = Math.max(...devices.map(({ heartbeatSeconds }) => heartbeatSeconds));
  const ago = Math.max(600, 1.5 * slowest) + 2 * POLL_SECONDS;
  const struck = strike(incident, devices, ago, random);
  const isRestarted = random() < RESTARTED;
  return { accounts: accountsOf(devices, isRestarted, random), devices, struck };
}

/** Lets the analysis name the causes of an incident. */
export function outcomeOf({ accounts, devices, struck }: SimulatedIncident): Outcome {
  const named = findCommonCauses(accounts)
    .flat()
    .map(({ cause }): Name => `${cause.kind} ${cause.value}`)
    .map((name) => struck.find((one) => isSame(one, name, devices))?.name ?? name);
  return {
    causes: struck.filter(({ count }) => count >= 5).map(({ name }) => name),
    small: struck.filter(({ count }) => count < 5).map(({ name }) => name),
    named: [...new Set(named)],
  };
}

/**
 * Tells whether a name says the same as a cause that happened: another spelling of it, or a value whose devices are those
 * that were struck, but for a tenth, as where each site has an account of its own.
 */
function isSame({ name, devices: struck }: Struck, other: Name, devices: readonly Simulated[]): boolean {
  if (other.toLowerCase() === name) return true;
  const own = devices.filter((device) => namesOf(device).includes(other));
  const common = own.filter((device) => struck.has(device)).length;
  return common >= 0.9 * (own.length + struck.size - common);
}

function namesOf({ account, label, appVersion, model, host }: Simulated): readonly Name[] {
  return [
    `group ${groupOf(label, DEFAULT_GROUPS)}`,
    `tunnel_host ${host}`,
    `account ${account}`,
    `app_version ${appVersion}`,
    `model ${model}`,
  ];
}

/** Devices of a hub, a rack or a site, which the first part of their labels names. */
function createDevices(
  incident: Incident,
  size: number,
  heartbeat: number | undefined,
  random: Random,
): readonly Simulated[] {
  const accounts = pick(random, [1, 1, 2, 3]);
  const perPlace =
    incident === 'hub of five'
      ? 5
      : incident === 'uplink of a site'
        ? Math.ceil(size / between(random, 2, 4))
        : Math.min(between(random, 6, 40), Math.ceil(size / 3));
  const kind = incident === 'hub of five' ? 'hub' : incident === 'uplink of a site' ? 'site' : 'rack';
  const fleetSeed = between(random, 0, 1_000_000);
  return Array.from({ length: size }, (_, index): Simulated => {
    const { model, appVersion } = createPhone(fleetSeed, index);
    const number = Math.floor(index / perPlace) + 1;
    const place = `${kind}-${String(number).padStart(2, '0')}`;
    const wrong = `${kind}-${String(between(random, 1, Math.ceil(size / perPlace))).padStart(2, '0')}`;
    const slot = `slot-${(index % perPlace) + 1}`;
    const label = pickWeighted(random, [
      [94, `${place}/${slot}`],
      [2, pick(random, NASTY_LABELS)],
      [1, `${wrong}/${slot}`],
      [1, `${place.toUpperCase()}/${slot}`],
      [2, `${place} ${slot}`],
    ]);
    return {
      account: `account-${Math.floor((index * accounts) / size)}`,
      label,
      place,
      model,
      appVersion,
      host:
        random() < 0.2
          ? `gate-${between(random, 1, Math.min(12, Math.ceil(size / 50)))}.example.net`
          : undefined,
      heartbeatSeconds: heartbeat ?? pick(random, [5, 30, 60, 120, 300, 600]),
      silentFor: undefined,
    };
  });
}

/** Lets devices fall silent at any time of the last day, for 20 minutes to a day. */
function failByThemselves(devices: readonly Simulated[], share: number, random: Random): void {
  for (const device of devices) {
    if (random() >= share) continue;
    const ago = random() * DAY;
    if (between(random, 20 * 60, DAY) > ago) device.silentFor = ago;
  }
}

/** A cause, the devices that it silenced, and the number of those that nothing else explains. */
type Struck = { readonly name: Name; readonly devices: ReadonlySet<Simulated>; readonly count: number };

/** Lets the devices of an incident fall silent, but for a few that survive. */
function strike(
  incident: Incident,
  devices: readonly Simulated[],
  ago: number,
  random: Random,
): readonly Struck[] {
  const places = [...new Set(devices.map(({ place }) => place))];
  const place = placeOf(pickFrom(random, places));
  const version = versionOf(pickFrom(random, devices).appVersion);
  const hit = (target: Target, delay = 0, beside?: Target): Struck => {
    const survivors = pick(random, [0, 0, 0.03, 0.06]);
    const struck = new Set<Simulated>();
    for (const device of devices) {
      if (!target.includes(device) || random() < survivors || device.silentFor !== undefined) continue;
      device.silentFor = ago + delay + random() * target.seconds;
      struck.add(device);
    }
    // What another cause explains, too, says nothing of this one.
    const count = [...struck].filter((device) => beside?.includes(device) !== true).length;
    return { name: target.name, count, devices: struck };
  };
  switch (incident) {
    case 'power cut of a shelf':
    case 'hub of five':
    case 'uplink of a site':
      return [hit(place)];
    case 'app update':
      return [hit(version)];
    case 'bug of a model':
      return [hit(modelOf(pickFrom(random, devices).model))];
    case 'proxy host down': {
      const tunnels = devices.filter(({ host }) => host !== undefined);
      return tunnels.length === 0 ? [] : [hit(hostOf(pickFrom(random, tunnels).host))];
    }
    case 'account-wide outage':
      return [hit(accountTarget(pickFrom(random, devices).account))];
    case 'two at once': {
      const others = places.filter((other) => placeOf(other).name !== place.name);
      const delay = random() < 0.5 ? 0 : between(random, 1, 120);
      const other = random() < 0.3 ? version : placeOf(pickFrom(random, others));
      return [hit(place, 0, other), hit(other, delay, place)];
    }
    default:
      return [];
  }
}

/** Devices that one cause silences, within some seconds. */
type Target = {
  readonly name: Name;
  readonly seconds: number;
  readonly includes: (device: Simulated) => boolean;
};

const placeOf = (wanted: string): Target => ({
  name: `group ${wanted}`,
  seconds: 1,
  includes: ({ place }) => place === wanted,
});
const versionOf = (wanted: string): Target => ({
  name: `app_version ${wanted}`,
  seconds: 40,
  includes: ({ appVersion }) => appVersion === wanted,
});
const modelOf = (wanted: string): Target => ({
  name: `model ${wanted}`,
  seconds: 40,
  includes: ({ model }) => model === wanted,
});
const hostOf = (wanted: string | undefined): Target => ({
  name: `tunnel_host ${wanted}`,
  seconds: 5,
  includes: ({ host }) => host === wanted,
});
const accountTarget = (wanted: string): Target => ({
  name: `account ${wanted}`,
  seconds: 5,
  includes: ({ account }) => account === wanted,
});

function pickFrom<Choice>(random: Random, choices: readonly Choice[]): Choice {
  const [first, ...others] = choices;
  if (first === undefined) throw new RangeError('nothing to pick from');
  return pick(random, [first, ...others]);
}

function accountsOf(
  devices: readonly Simulated[],
  isRestarted: boolean,
  random: Random,
): readonly AccountSnapshot[] {
  const names = [...new Set(devices.map(({ account }) => account))];
  return names.map((name) => {
    const own = devices.filter(({ account }) => account === name);
    const ids = new Map(own.map((device, index) => [device, `${name}-${index}`]));
    const tunnels = own.flatMap((device) => {
      const id = ids.get(device) ?? '';
      return device.host === undefined ? [] : [[id, answerAtNoon(tunnelOf({ host: device.host }))] as const];
    });
    const entries = own.map((device) => {
      const id = ids.get(device) ?? '';
      return [id, entryOf(device, id, isRestarted, random)] as const;
    });
    return accountOf({
      name,
      devices: freshReading({ ...fleetOf(), devices: new Map(entries) }),
      tunnels: freshReading(new Map(tunnels)),
    });
  });
}

/** Returns the device as polls show it: its last heartbeat is up to one interval before it fell silent. */
function entryOf(device: Simulated, id: string, isRestarted: boolean, random: Random): FleetDevice {
  const { label, model, appVersion, heartbeatSeconds, silentFor = 0 } = device;
  const age = silentFor + random() * heartbeatSeconds;
  const shown = bareDevice({ id, label, model, appVersion, lastHeartbeatAt: NOON - Math.round(age * 1000) });
  // Polls see every heartbeat of a slow device, and some of a quick one.
  const isUnknown = isRestarted && silentFor > 0;
  const gap = Math.ceil(POLL_SECONDS / heartbeatSeconds) * heartbeatSeconds;
  return fleetDevice(shown, {
    heartbeatGapSeconds: isUnknown ? undefined : gap * (0.98 + 0.04 * random()),
  });
}

/** Counts over many incidents. */
export type Score = { right: number; wrong: number; missed: number; incidents: number };

export function emptyScore(): Score {
  return { right: 0, wrong: 0, missed: 0, incidents: 0 };
}

/** Adds an outcome: a named cause is right if it is one that happened, and one of five devices or more may not be missed. */
export function addOutcome(score: Score, { causes, small, named }: Outcome): void {
  score.incidents += 1;
  for (const name of named) {
    if (causes.includes(name)) score.right += 1;
    else if (!small.includes(name)) score.wrong += 1;
  }
  score.missed += causes.filter((name) => !named.includes(name)).length;
}

/** Share of the named causes that happened. */
export function precisionOf({ right, wrong }: Score): number {
  return right + wrong === 0 ? 1 : right / (right + wrong);
}

/** Share of the causes that were named. */
export function recallOf({ right, missed }: Score): number {
  return right + missed === 0 ? 1 : right / (right + missed);
}
