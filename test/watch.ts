import { MAINTENANCE } from '../src/features/maintenance/cover.ts';
import type { MaintenanceRequest } from '../src/features/maintenance/model.ts';
import type { Device } from '../src/model/device.ts';
import type { FailureReason } from '../src/model/enums.ts';
import type { Incident } from '../src/model/incident.ts';
import type { ListedDevice, Observation, PollTimes } from '../src/model/observation.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import type { Tunnel } from '../src/model/tunnel.ts';
import { healthyDevice, NOON, settingsWith, type TestSettings, tunnelOf } from './builders.ts';
import { type Beats, beatsEach } from './rhythms.ts';
import { type Collector, createDaemon, type Daemon, MAIN } from './watched-daemon.ts';

/*
 * A farm that is watched: phones with heartbeats, polls every half minute, the daemon's own judgement and memory, and its notifications.
 * Time is simulated. Rhythms are known before a story begins, without the hours that learning takes.
 */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const POLL = 30 * SECOND;

/** A time in which a phone does not beat: after `from`, and up to `until`. In milliseconds since 1970. */
type Outage = { readonly from: number; readonly until: number };

/** A phone of the farm; a story changes it as it likes. */
export type FarmPhone = {
  readonly account: string;
  readonly beats: Beats;
  device: Device;
  /** It is in the list. */
  listed: boolean;
  /** Milliseconds since 1970 from which on it does not beat; undefined while it does. */
  stoppedAt: number | undefined;
  /** Other times in which it does not beat, past and to come. */
  readonly outages: Outage[];
  /** The heartbeat that the API has stored, whatever its clock says; undefined for that of its beats. */
  stored: number | undefined;
  /** Its heartbeat cannot be read. */
  unreadable: boolean;
  /** Its id cannot be read. */
  unidentified: boolean;
  tunnel: Tunnel | undefined;
  /** Its tunnel gets no answer. */
  unanswered: boolean;
};

export type Farm = {
  readonly phones: ReadonlyMap<string, FarmPhone>;
  /** Returns the phones of a rack, or the phone with an id; with `account:` before it, those of one account. */
  readonly of: (name: string) => readonly FarmPhone[];
  /** Lets phones stop, or beat again. */
  readonly stop: (...names: readonly string[]) => void;
  readonly start: (...names: readonly string[]) => void;
  /** Lets phones beat again, each from its next beat on; {@link start} takes the beat before it too. */
  readonly wake: (...names: readonly string[]) => void;
  readonly rent: (status: Device['rentalStatus'], ...names: readonly string[]) => void;
  readonly list: (listed: boolean, ...names: readonly string[]) => void;
  /** Makes the polls of a collector fail for this reason; undefined: they succeed. */
  readonly fail: (collector: Collector, reason: FailureReason | undefined) => void;
  readonly setBalance: (cents: number | undefined) => void;
  readonly setLimit: (cents: number | undefined) => void;
  readonly setIncomplete: (incomplete: boolean) => void;
  /** Loads other settings, or other accounts of the farm. */
  readonly reload: (settings: Partial<TestSettings>, accounts?: readonly string[]) => void;
  /** Starts or ends maintenance of phones. */
  readonly maintain: (word: Partial<MaintenanceRequest>) => Promise<void>;
  readonly endMaintenance: (id: string) => Promise<void>;
  readonly problemOf: (id: string) => string | undefined;
  /** Lets time pass, with its polls. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** Sets the API's clock, which all times are by, ahead. No phone beats in the time that is skipped. */
  readonly setAhead: (milliseconds: number) => void;
  /** Ends the daemon; what it knew is in its state file, or lost. */
  readonly restart: (offMilliseconds: number, remembers?: boolean) => Promise<void>;
  /** Returns the notifications of a daemon since the last call: minutes since noon, problem, phone. */
  readonly notifications: (daemon?: number) => readonly string[];
  readonly open: () => readonly Incident[];
  readonly snapshot: (daemon?: number) => Snapshot;
  readonly now: () => number;
};

/** Options of the daemons that watch a farm. */
export type WatchOptions = {
  readonly settings?: Partial<TestSettings>;
  /** Time of heartbeats that is known when the story begins. */
  readonly before?: number;
  /** Instant at which the story begins; by default, noon. */
  readonly beginsAt?: number;
  /** Time between two polls of devices, of tunnels, and of the balance. */
  readonly interval?: number;
  readonly tunnelsEach?: number;
  readonly balanceEach?: number;
  /** Polls of one time are judged at once; by default, each by itself. */
  readonly together?: boolean;
  /** How much earlier a second daemon polls than the first, in milliseconds. */
  readonly replica?: number;
  /** Is called after each observation of a daemon. */
  readonly onObserved?: (snapshot: Snapshot, daemon: number) => void;
};

export type FarmOptions = WatchOptions & {
  /** Racks with the number of their phones; with `account:` before its name, those of an account other than main. */
  readonly racks: Readonly<Record<string, number>>;
  readonly status?: (id: string, index: number) => Device['rentalStatus'];
  /** Texts of a phone other than its label. */
  readonly facts?: (id: string, index: number) => Partial<Device>;
  readonly host?: (id: string, index: number) => string;
  /** Returns the beats of a phone; by default, each minute, each phone at another second of it. */
  readonly beats?: (index: number) => Beats;
};

export const eachMinute = (phase: number): Beats => beatsEach(MINUTE, phase);

/** Creates a farm of racks whose phones are alike. */
export function createFarm(options: FarmOptions): Promise<Farm> {
  const { racks, status = () => 'sold', facts = () => ({}), host } = options;
  const { beats = (index) => eachMinute((index * 7 * SECOND) % MINUTE) } = options;
  const phones = new Map<string, FarmPhone>();
  for (const [name, size] of Object.entries(racks)) {
    const { account, rack } = rackOf(name);
    for (let index = 1; index <= size; index += 1) {
      const id = account === MAIN ? `${rack}-${index}` : `${account}-${rack}-${index}`;
      const device = healthyDevice({
        ...{ id, label: `${rack}/${id}`, rentalStatus: status(id, index), marketplaceStatus: 'listed' },
        ...{ model: `model ${index % 3}`, appVersion: '2.1.0', selfRentStatus: undefined },
        ...facts(id, index),
      });
      const phone = farmPhone(account, device, beats(phones.size));
      phones.set(id, { ...phone, tunnel: tunnelOf(host === undefined ? {} : { host: host(id, index) }) });
    }
  }
  return watchFarm(phones, options);
}

/** Creates a phone that beats. */
export function farmPhone(account: string, device: Device, beats: Beats): FarmPhone {
  return {
    ...{ account, device, beats, listed: true, unreadable: false, unidentified: false, unanswered: false },
    ...{ stoppedAt: undefined, outages: [], stored: undefined, tunnel: undefined },
  };
}

/** The state of the farm, and of the API. */
type World = {
  readonly phones: ReadonlyMap<string, FarmPhone>;
  now: number;
  accounts: readonly string[];
  settings: Partial<TestSettings>;
  /** The time that the API's clock skipped. */
  skipped: Outage;
  cents: number | undefined;
  limit: number | undefined;
  incomplete: boolean;
  readonly failing: { -readonly [Name in Collector]?: FailureReason | undefined };
};

/** A daemon, and how much earlier it polls than the first one, in milliseconds. */
type Watcher = { readonly daemon: Daemon; readonly offset: number };

/** Watches a farm of any phones. */
export async function watchFarm(
  phones: ReadonlyMap<string, FarmPhone>,
  { settings = {}, replica, onObserved = () => {}, ...options }: WatchOptions,
): Promise<Farm> {
  const { before = 8 * HOUR, beginsAt = NOON, interval = POLL } = options;
  const world: World = {
    ...{ phones, settings, now: beginsAt - (before === 0 ? 0 : 2 * interval) },
    accounts: [...new Set(Array.from(phones.values(), ({ account }) => account))],
    ...{ skipped: { from: 0, until: 0 }, cents: 10_000, limit: undefined, incomplete: false, failing: {} },
  };
  const watchers = [0, ...(replica === undefined ? [] : [replica])].map((offset, index): Watcher => {
    const daemon = createDaemon({
      accounts: () => world.accounts,
      settings: () => settingsWith(world.settings),
      balanceLimit: () => world.limit,
      now: () => world.now,
      onObserved: (snapshot) => onObserved(snapshot, index),
    });
    return { daemon, offset };
  });
  const farm = farmOf(world, watchers, options);
  if (before > 0) {
    await farm.pass(interval);
    for (const { daemon } of watchers)
      daemon.learn((id) => phones.get(id)?.beats.learned(before) ?? eachMinute(0).learned(before));
    await farm.pass(interval);
    for (const { daemon } of watchers) daemon.notifications.length = 0;
  }
  return farm;
}

function farmOf(world: World, watchers: readonly Watcher[], options: WatchOptions): Farm {
  const { phones } = world;
  const { interval = POLL } = options;
  const daemons = watchers.map(({ daemon }) => daemon);
  const [main] = daemons;
  if (main === undefined) throw new Error('nobody watches the farm');
  const of = (name: string): readonly FarmPhone[] => {
    const { account, rack } = rackOf(name);
    return [...phones].flatMap(([id, phone]) => {
      if (name.includes(':') && phone.account !== account) return [];
      return id === name || phone.device.label.startsWith(`${rack}/`) ? phone : [];
    });
  };
  const change = (names: readonly string[], make: (phone: FarmPhone) => Partial<FarmPhone>): void => {
    for (const phone of names.flatMap(of)) Object.assign(phone, make(phone));
  };
  const pass = (milliseconds: number): Promise<void> => passTime(world, watchers, options, milliseconds);
  const say = async (observation: Observation): Promise<void> => {
    for (const daemon of daemons) for (const name of world.accounts) await daemon.observe(name, observation);
  };
  const reload = (changes: Partial<World>): void => {
    Object.assign(world, changes);
    for (const daemon of daemons) daemon.reload();
  };
  return {
    ...{ phones, of, pass },
    stop: (...names) => change(names, () => ({ stoppedAt: world.now })),
    start: (...names) => change(names, () => ({ stoppedAt: undefined })),
    wake: (...names) =>
      change(names, ({ stoppedAt = world.now, outages }) => {
        outages.push({ from: stoppedAt, until: world.now });
        return { stoppedAt: undefined };
      }),
    list: (listed, ...names) => change(names, () => ({ listed })),
    rent: (rentalStatus, ...names) => {
      const selfRentStatus = rentalStatus === 'self_rented' ? 'active' : undefined;
      change(names, ({ device }) => ({ device: { ...device, rentalStatus, selfRentStatus } }));
    },
    fail: (collector, reason) => {
      world.failing[collector] = reason;
    },
    setBalance: (cents) => Object.assign(world, { cents }),
    setLimit: (limit) => reload({ limit }),
    setIncomplete: (incomplete) => Object.assign(world, { incomplete }),
    reload: (changed, accounts = world.accounts) =>
      reload({ settings: { ...world.settings, ...changed }, accounts }),
    setAhead: (milliseconds) => {
      world.skipped = { from: world.now, until: world.now + milliseconds };
      world.now += milliseconds;
      for (const daemon of daemons) daemon.skip(milliseconds);
    },
    restart: async (off, remembers = true) => {
      world.now += off;
      for (const daemon of daemons) daemon.restart(remembers);
      await pass(interval);
    },
    notifications: (index = 0) => (daemons[index] ?? main).notifications.splice(0),
    open: () => main.snapshot().accounts[0]?.known.incidents.open ?? [],
    snapshot: (index = 0) => (daemons[index] ?? main).snapshot(),
    now: () => world.now,
    maintain: async (word) => {
      const scope = { accounts: [], groups: [], devices: [], ...word.scope };
      const base = { id: 'word', reason: '', by: 'loopback', startedAt: world.now, until: world.now + DAY };
      const started = { ...base, untilBack: false, away: new Map(), ...word, scope };
      await say(MAINTENANCE.observation({ started }));
    },
    endMaintenance: (id) => say(MAINTENANCE.observation({ ended: id })),
    problemOf: (id) =>
      main
        .snapshot()
        .accounts.map(({ known }) => known.judgement?.problems.get(id)?.problem)
        .find((problem) => problem !== undefined),
  };
}

/** Lets time pass on a farm. Each daemon polls what is due. */
async function passTime(
  world: World,
  watchers: readonly Watcher[],
  options: WatchOptions,
  milliseconds: number,
): Promise<void> {
  const { interval = POLL, together = false } = options;
  for (let left = milliseconds; left > 0; left -= interval) {
    world.now += interval;
    const at = world.now;
    for (const { daemon, offset } of watchers) {
      world.now = at - offset;
      const polls: Promise<void>[] = [];
      for (const name of world.accounts) {
        for (const poll of pollsOf(world, daemon, name, options)) {
          polls.push(poll());
          if (!together) await polls.at(-1);
        }
      }
      await Promise.all(polls);
    }
    world.now = at;
  }
}

/** Returns the polls of an account that are due. */
function pollsOf(world: World, daemon: Daemon, name: string, options: WatchOptions) {
  const { interval = POLL, tunnelsEach = interval, balanceEach = Math.max(MINUTE, interval) } = options;
  const { now, failing } = world;
  const own = Array.from(world.phones.values()).filter(({ account }) => account === name);
  const poll = (collector: Collector, every: number, observe: (times: PollTimes) => Observation) => {
    const elapsed = daemon.elapsed(name, collector);
    if (elapsed !== undefined && elapsed < every) return [];
    const reason = failing[collector] ?? (collector === 'devices' && isNoList ? 'schema' : undefined);
    const times = { elapsed, dueIn: every, slack: every };
    return [
      () =>
        reason === undefined
          ? daemon.poll(name, collector, observe(times))
          : daemon.fail(name, collector, reason),
    ];
  };
  const listed = own.filter((phone) => phone.listed);
  // A list in which most items have no id is not a list (api/device-list.ts).
  const isNoList = listed.filter((phone) => phone.unidentified).length > listed.length / 2;
  const tunnelsOf = (round: PollTimes): Observation => {
    const rented = own.filter(({ device }) => device.rentalStatus === 'self_rented');
    const answered = rented.filter(({ unanswered }) => !unanswered);
    const answers = answered.map(({ device, tunnel }) => [device.id, { tunnel, apiTime: now }] as const);
    return { kind: 'tunnels', round, results: new Map(answers), apiTime: now };
  };
  const { cents } = world;
  return [
    ...poll('devices', interval, (times) => listOf(own, world, times)),
    ...poll('tunnels', tunnelsEach, tunnelsOf),
    ...poll('balance', balanceEach, ({ elapsed }) => ({
      ...{ kind: 'balance', elapsed, apiTime: now },
      balance: { availableCents: cents, pendingCents: 0, totalCents: cents },
    })),
  ];
}

/** Returns the device list of an account. */
function listOf(own: readonly FarmPhone[], world: World, times: PollTimes): Observation {
  const { now, skipped, incomplete } = world;
  const devices = new Map<string, ListedDevice>();
  for (const phone of own) {
    if (!phone.listed || phone.unidentified) continue;
    devices.set(phone.device.id, { device: shownBy(phone, now, skipped), listedAt: now });
  }
  const rejected = own.filter(({ listed, unidentified }) => listed && unidentified).length;
  return {
    ...{ kind: 'list', times, devices, reported: devices.size + rejected, apiTime: now },
    listing: { pages: 1, passes: 1, complete: !incomplete, rejected, faulty: false },
  };
}

/** The devices that lists showed last: most do not change between two polls. */
const shown = new WeakMap<FarmPhone, { readonly of: Device; readonly device: Device }>();

/** Returns a phone as a list shows it. */
function shownBy(phone: FarmPhone, now: number, skipped: Outage): Device {
  const lastHeartbeatAt = phone.unreadable ? undefined : lastBeat(phone, now, skipped);
  const known = shown.get(phone);
  if (known?.of === phone.device && known.device.lastHeartbeatAt === lastHeartbeatAt) return known.device;
  const device = { ...phone.device, lastHeartbeatAt };
  shown.set(phone, { of: phone.device, device });
  return device;
}

/** Returns the heartbeat that the API shows. */
function lastBeat({ beats, outages, stoppedAt, stored }: FarmPhone, now: number, skipped: Outage): number {
  if (stored !== undefined) return stored;
  let beat = beats.before(Math.min(now, stoppedAt ?? now));
  for (;;) {
    const isIn = ({ from, until }: Outage): boolean => beat > from && beat <= until;
    const outage = isIn(skipped) ? skipped : outages.find(isIn);
    if (outage === undefined) return beat;
    beat = beats.before(outage.from);
  }
}

/** Returns the account and the name of `two:a`, or of `a`, which is of the account main. */
function rackOf(name: string): { readonly account: string; readonly rack: string } {
  const [account = MAIN, rack] = name.split(':');
  return rack === undefined ? { account: MAIN, rack: name } : { account, rack };
}
