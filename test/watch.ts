import { explainLimit, learnGap, NEW_RHYTHM } from '../src/judgement/silence.ts';
import type { StepSettings } from '../src/judgement/step.ts';
import { NOTHING_KNOWN, type SavedState } from '../src/model/account.ts';
import type { Device } from '../src/model/device.ts';
import type { FailureReason } from '../src/model/enums.ts';
import type { FleetEvent } from '../src/model/event.ts';
import type { FleetDevice } from '../src/model/fleet.ts';
import type { Incident } from '../src/model/incident.ts';
import type { MaintenanceWord } from '../src/model/maintenance.ts';
import type { Observation } from '../src/model/observation.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import type { Tunnel } from '../src/model/tunnel.ts';
import { afterSuccessfulPoll } from '../src/poller/freshness.ts';
import { createJudge, type Judge } from '../src/poller/judge.ts';
import { createStore, type Store } from '../src/poller/store.ts';
import { decodeState, encodeState } from '../src/state/codec.ts';
import { healthyDevice, NOON, STEP_SETTINGS, tunnelOf } from './builders.ts';

/*
 * A farm that is watched: phones that beat each minute, polls each half minute, the daemon's own judgement and memory, and
 * what it tells. Time is simulated. Rhythms are learned before a story begins, without the hours that this takes.
 */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const POLL = 30 * SECOND;
const BEAT = MINUTE;

type Collector = 'devices' | 'tunnels' | 'balance';

/** A phone of the farm; a story changes it as it likes. */
export type FarmPhone = {
  readonly account: string;
  device: Device;
  /** It is in the list. */
  listed: boolean;
  /** Milliseconds since 1970 from which on it does not beat; undefined while it does. */
  stoppedAt: number | undefined;
  /** Its last pause, in milliseconds since 1970, in which it did not beat. */
  pause: { readonly from: number; readonly to: number };
  /** Milliseconds between its beats, and of them at which it beats. */
  readonly every: number;
  phase: number;
  /** Beat `number` since 1970 is lost. */
  readonly isLost: (number: number) => boolean;
  /** The heartbeat that the API has stored, whatever its clock says; undefined for that of its beats. */
  stored: number | undefined;
  /** Its heartbeat cannot be read. */
  unreadable: boolean;
  tunnel: Tunnel | undefined;
  /** Its tunnel gets no answer. */
  unanswered: boolean;
};

/** A daemon that watches the farm. */
type Daemon = {
  /** Milliseconds by which its polls are earlier than those of the first one. */
  readonly offset: number;
  store: Store;
  judge: Judge;
  readonly polledAt: Map<string, number>;
  readonly told: string[];
};

export type Farm = {
  readonly phones: ReadonlyMap<string, FarmPhone>;
  /** Returns the phones of a rack, or whose id it is; with `account:` before it, those of one account. */
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
  readonly reload: (settings: Partial<StepSettings>, accounts?: readonly string[]) => void;
  /** The owner says that phones are worked on, or that it is over. */
  readonly maintain: (word: Partial<MaintenanceWord>) => Promise<void>;
  readonly endMaintenance: (id: string) => Promise<void>;
  readonly problemOf: (id: string) => string | undefined;
  /** Lets time pass, with its polls. */
  readonly pass: (milliseconds: number) => Promise<void>;
  /** Sets the clock of the API, which all times are by, ahead. No phone beats in the time that is skipped. */
  readonly setAhead: (milliseconds: number) => void;
  /** Ends the daemon; what it knew is in its state file, or lost. */
  readonly restart: (offMilliseconds: number, remembers?: boolean) => Promise<void>;
  /** What a daemon told since the last call: minutes since noon, what, about whom. */
  readonly told: (daemon?: number) => readonly string[];
  readonly open: () => readonly Incident[];
  readonly snapshot: (daemon?: number) => Snapshot;
  readonly now: () => number;
};

export type FarmOptions = {
  /** Racks with the number of their phones; with `account:` before its name, those of an account other than main. */
  readonly racks: Readonly<Record<string, number>>;
  readonly status?: (id: string, index: number) => Device['rentalStatus'];
  /** Texts of a phone beside its label. */
  readonly facts?: (id: string, index: number) => Partial<Device>;
  readonly host?: (id: string, index: number) => string;
  /** Milliseconds of the minute at which a phone beats; by default, another one for each. */
  readonly phase?: (index: number) => number;
  /** Milliseconds between the beats of a phone; by default, a minute. */
  readonly every?: (index: number) => number;
  /** Tells whether a beat of a phone is lost. */
  readonly isLost?: (index: number, beat: number) => boolean;
  readonly settings?: Partial<StepSettings>;
  /** Time of heartbeats that is known when the story begins. */
  readonly before?: number;
  /** Time between two polls. */
  readonly interval?: number;
  /** Milliseconds by which the polls of a second daemon are earlier than those of the first one. */
  readonly replica?: number;
  /** Is called after each observation of a daemon. */
  readonly onObserved?: (snapshot: Snapshot, daemon: number) => void;
};

export async function createFarm({
  racks,
  status = () => 'sold',
  facts = () => ({}),
  host,
  phase = (index) => (index * 7 * SECOND) % BEAT,
  every = () => BEAT,
  isLost = () => false,
  settings: firstSettings = {},
  before = 8 * HOUR,
  interval = POLL,
  replica,
  onObserved = () => {},
}: FarmOptions): Promise<Farm> {
  const phones = new Map<string, FarmPhone>();
  for (const [name, size] of Object.entries(racks)) {
    const { account, rack } = rackOf(name);
    for (let index = 1; index <= size; index += 1) {
      const id = account === MAIN ? `${rack}-${index}` : `${account}-${rack}-${index}`;
      const number = phones.size;
      phones.set(id, {
        account,
        ...{ every: every(number), phase: phase(number), isLost: (beat: number) => isLost(number, beat) },
        device: healthyDevice({
          ...{ id, label: `${rack}/${id}`, rentalStatus: status(id, index), marketplaceStatus: 'listed' },
          ...{ model: `model ${index % 3}`, appVersion: '2.1.0', selfRentStatus: undefined },
          ...facts(id, index),
        }),
        tunnel: tunnelOf(host === undefined ? {} : { host: host(id, index) }),
        ...{ listed: true, unreadable: false, unanswered: false },
        ...{ stoppedAt: undefined, stored: undefined, pause: { from: 0, to: 0 } },
      });
    }
  }
  let now = NOON - (before === 0 ? 0 : 2 * interval);
  let accounts: readonly string[] = [...new Set([...phones.values()].map(({ account }) => account))];
  let settings = firstSettings;
  let skipped = { from: 0, to: 0 };
  let cents: number | undefined = 10_000;
  let limit: number | undefined;
  let incomplete = false;
  const failing: { -readonly [Name in Collector]?: FailureReason | undefined } = {};

  const configured = () =>
    accounts.map((name) => ({
      ...{ name, currency: undefined, balanceLowCents: limit },
      ...{ apiUrl: new URL('https://api.example.com'), key: { environment: 'KEY' } },
    }));
  const begin = (earlier: SavedState, tell: (line: string) => void): Pick<Daemon, 'store' | 'judge'> => {
    const store = createStore(
      configured(),
      earlier,
      () => now,
      () => {},
    );
    const judge = createJudge({
      store,
      settings: () => ({ ...STEP_SETTINGS, ...settings }),
      onEvents: (events) => {
        for (const line of events.flatMap((event) => lineOf(event, now))) tell(line);
      },
      yieldToEventLoop: async () => {},
    });
    return { store, judge };
  };
  const createDaemon = (offset: number): Daemon => {
    const told: string[] = [];
    return { offset, told, polledAt: new Map(), ...begin(NOTHING_KNOWN, (line) => told.push(line)) };
  };
  const main = createDaemon(0);
  const daemons = [main, ...(replica === undefined ? [] : [createDaemon(replica)])];

  const lastBeat = (phone: FarmPhone, at: number): number => {
    if (phone.stored !== undefined) return phone.stored;
    const until = Math.min(at, phone.stoppedAt ?? at);
    let number = Math.floor((until - phone.phase) / phone.every);
    while (phone.isLost(number)) number -= 1;
    const beat = number * phone.every + phone.phase;
    const { pause } = phone;
    if (beat > pause.from && beat <= pause.to) return lastBeat(phone, pause.from);
    return beat > skipped.from && beat <= skipped.to ? lastBeat(phone, skipped.from) : beat;
  };
  const judge = async (daemon: Daemon, name: string, observation: Observation, collector?: Collector) => {
    const polled = afterSuccessfulPoll(now, now);
    const poll = collector === undefined ? undefined : { name, collector, polled };
    await daemon.judge.observe({ name, observation, poll });
    onObserved(daemon.store.snapshot(), daemons.indexOf(daemon));
  };
  const observe = async (
    daemon: Daemon,
    name: string,
    collector: Collector,
    make: (elapsed: number | undefined) => Observation,
  ): Promise<void> => {
    const reason = failing[collector];
    const succeeded = `${name} ${collector}`;
    const attempted = `${succeeded} attempted`;
    const since = daemon.polledAt.get(reason === undefined ? succeeded : attempted);
    const elapsed = since === undefined ? undefined : now - since;
    daemon.polledAt.set(attempted, now);
    if (reason === undefined) daemon.polledAt.set(succeeded, now);
    const observation: Observation =
      reason === undefined ? make(elapsed) : { kind: 'failure', elapsed, collector, reason, at: now };
    await judge(daemon, name, observation, collector);
  };
  const poll = async (daemon: Daemon, name: string): Promise<void> => {
    const own = [...phones.values()].filter(({ account }) => account === name);
    const listed = own.flatMap((phone) => {
      if (!phone.listed) return [];
      return { ...phone.device, lastHeartbeatAt: phone.unreadable ? undefined : lastBeat(phone, now) };
    });
    await observe(daemon, name, 'devices', (elapsed) => ({
      kind: 'list',
      times: { elapsed, dueIn: interval, slack: interval },
      devices: new Map(listed.map((device) => [device.id, { device, listedAt: now }])),
      reported: listed.length,
      apiTime: now,
      listing: { pages: 1, passes: 1, complete: !incomplete, rejected: 0, faulty: false },
    }));
    const answered = own.filter(
      ({ device, unanswered }) => device.rentalStatus === 'self_rented' && !unanswered,
    );
    await observe(daemon, name, 'tunnels', (elapsed) => ({
      kind: 'tunnels',
      round: { elapsed, dueIn: interval, slack: interval },
      answers: new Map(answered.map(({ device, tunnel }) => [device.id, { tunnel, apiTime: now }])),
      apiTime: now,
    }));
    if ((now + daemon.offset) % MINUTE !== 0) return;
    await observe(daemon, name, 'balance', (elapsed) => ({
      ...{ kind: 'balance', elapsed, apiTime: now },
      balance: { availableCents: cents, pendingCents: 0, totalCents: cents },
    }));
  };
  const pass = async (milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= interval) {
      now += interval;
      const at = now;
      for (const daemon of daemons) {
        now = at - daemon.offset;
        for (const name of accounts) await poll(daemon, name);
      }
      now = at;
    }
  };
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
  const restart = async (off: number, edit: (state: SavedState) => SavedState): Promise<void> => {
    now += off;
    for (const daemon of daemons) {
      Object.assign(
        daemon,
        begin(edit(savedBy(daemon, now)), (line) => daemon.told.push(line)),
      );
      daemon.polledAt.clear();
    }
    await pass(interval);
  };
  const say = async (observation: Observation): Promise<void> => {
    for (const daemon of daemons) for (const name of accounts) await judge(daemon, name, observation);
  };

  if (before > 0) {
    await pass(interval);
    await restart(0, (state) => withRhythms(state, before, phones));
    for (const { told } of daemons) told.length = 0;
  }
  return {
    phones,
    of,
    pass,
    stop: (...names) => change(names, () => ({ stoppedAt: now })),
    start: (...names) => change(names, () => ({ stoppedAt: undefined })),
    wake: (...names) =>
      change(names, ({ stoppedAt = now }) => ({
        stoppedAt: undefined,
        pause: { from: stoppedAt, to: now },
      })),
    list: (listed, ...names) => change(names, () => ({ listed })),
    rent: (rentalStatus, ...names) =>
      change(names, ({ device }) => ({
        device: {
          ...{ ...device, rentalStatus },
          selfRentStatus: rentalStatus === 'self_rented' ? 'active' : undefined,
        },
      })),
    fail: (collector, reason) => {
      failing[collector] = reason;
    },
    setBalance: (next) => {
      cents = next;
    },
    setLimit: (next) => {
      limit = next;
      for (const daemon of daemons) daemon.store.replace(configured());
    },
    setIncomplete: (next) => {
      incomplete = next;
    },
    reload: (changed, names = accounts) => {
      settings = { ...settings, ...changed };
      accounts = names;
      for (const daemon of daemons) daemon.store.replace(configured());
    },
    setAhead: (milliseconds) => {
      skipped = { from: now, to: now + milliseconds };
      now += milliseconds;
      for (const { polledAt } of daemons)
        for (const [collector, at] of polledAt) polledAt.set(collector, at + milliseconds);
    },
    restart: (off, remembers = true) => restart(off, (state) => (remembers ? state : NOTHING_KNOWN)),
    told: (index = 0) => (daemons[index] ?? main).told.splice(0),
    open: () => main.store.snapshot().accounts[0]?.known.incidents.open ?? [],
    snapshot: (index = 0) => (daemons[index] ?? main).store.snapshot(),
    now: () => now,
    maintain: async (word) => {
      const scope = { accounts: [], groups: [], devices: [], ...word.scope };
      const base = { id: 'word', reason: '', by: 'loopback', startedAt: now, until: now + DAY };
      await say({ kind: 'word', word: { ...base, untilBack: false, away: new Map(), ...word, scope } });
    },
    endMaintenance: (id) => say({ kind: 'word over', id }),
    problemOf: (id) =>
      main.store
        .snapshot()
        .accounts.map(({ judgement }) => judgement?.problems.get(id)?.problem)
        .find((problem) => problem !== undefined),
  };
}

const MAIN = 'main';

/** Returns the account and the name of `two:a`, or of `a`, which is of the account main. */
function rackOf(name: string): { readonly account: string; readonly rack: string } {
  const [account = MAIN, rack] = name.split(':');
  return rack === undefined ? { account: MAIN, rack: name } : { account, rack };
}

/** Returns what a daemon knows, as its state file keeps it. */
function savedBy({ store }: Daemon, now: number): SavedState {
  const text = [...encodeState(store.saved(), { host: '', pid: 0, program: '' }, now)].join('');
  const state = decodeState(text);
  if (!('accounts' in state)) throw new Error(state.refusal);
  return state;
}

/** Returns a state in which the rhythm of each phone is known. */
function withRhythms(
  state: SavedState,
  milliseconds: number,
  phones: ReadonlyMap<string, FarmPhone>,
): SavedState {
  const learn = memoize((every: number): Pick<FleetDevice, 'rhythm' | 'silenceLimitSeconds'> => {
    let rhythm = NEW_RHYTHM;
    for (let beat = every; beat <= milliseconds; beat += every) rhythm = learnGap(rhythm, every / SECOND);
    return { rhythm, silenceLimitSeconds: explainLimit(rhythm).limitSeconds };
  });
  return {
    ...state,
    accounts: state.accounts.map((saved) => {
      const { fleet } = saved.account;
      const devices = new Map(
        [...(fleet?.devices ?? [])].map(([id, entry]) => [
          id,
          { ...entry, ...learn(phones.get(id)?.every ?? BEAT) },
        ]),
      );
      return { ...saved, account: { ...saved.account, fleet: fleet && { ...fleet, devices } } };
    }),
  };
}

/** Returns a function that computes the answer for a number once. */
function memoize<T>(compute: (argument: number) => T): (argument: number) => T {
  const answers = new Map<number, T>();
  return (argument) => {
    const answer = answers.get(argument) ?? compute(argument);
    answers.set(argument, answer);
    return answer;
  };
}

/** Writes what was told as a line. */
function lineOf(event: FleetEvent, now: number): readonly string[] {
  if (!('incident' in event)) return [];
  const { problem, deviceId, kind, value, members, toldSize } = event.incident;
  const account = event.account === MAIN ? '' : `${event.account}:`;
  const whom = deviceId || (kind && `${kind} ${value}`) || value || toldSize || '';
  const size = members.size > 0 ? ` (${members.size})` : '';
  const end = event.event === 'incident ended' ? ` ${event.incident.reason}` : '';
  const sign = event.event === 'incident ended' ? '-' : '+';
  const minutes = ((now - NOON) / MINUTE).toFixed(1);
  return [`${minutes} ${account}${sign}${problem} ${whom}${size}${end}`.replace(/ +/g, ' ').trimEnd()];
}
