import type { StepSettings } from '../src/judgement/step.ts';
import { NOTHING_KNOWN, type SavedState } from '../src/model/account.ts';
import type { Device } from '../src/model/device.ts';
import type { FailureReason } from '../src/model/enums.ts';
import type { Incident } from '../src/model/incident.ts';
import type { MaintenanceWord } from '../src/model/maintenance.ts';
import type { Observation } from '../src/model/observation.ts';
import type { Tunnel } from '../src/model/tunnel.ts';
import { afterSuccessfulPoll } from '../src/poller/freshness.ts';
import { createJudge } from '../src/poller/judge.ts';
import { createStore } from '../src/poller/store.ts';
import { decodeState, encodeState } from '../src/state/codec.ts';
import { healthyDevice, NOON, STEP_SETTINGS, tunnelOf } from './builders.ts';

/*
 * A farm that is watched: phones that beat each minute, polls each half minute, the daemon's own judgement and memory, and
 * what it tells. Time is simulated.
 */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const POLL = 30 * SECOND;
const BEAT = MINUTE;

/** A phone of the farm; a story changes it as it likes. */
export type FarmPhone = {
  device: Device;
  /** It is in the list. */
  listed: boolean;
  /** Milliseconds since 1970 from which on it does not beat; undefined while it does. */
  stoppedAt: number | undefined;
  /** Its heartbeat cannot be read. */
  unreadable: boolean;
  tunnel: Tunnel | undefined;
  /** Its tunnel gets no answer. */
  unanswered: boolean;
};

export type Farm = {
  readonly phones: ReadonlyMap<string, FarmPhone>;
  /** Returns the phones of a rack, or whose id it is. */
  readonly of: (name: string) => readonly FarmPhone[];
  /** Lets phones stop, or beat again. */
  readonly stop: (...names: readonly string[]) => void;
  readonly start: (...names: readonly string[]) => void;
  readonly rent: (status: Device['rentalStatus'], ...names: readonly string[]) => void;
  /** Makes the polls of a collector fail for this reason; undefined: they succeed. */
  fail: (collector: 'devices' | 'tunnels' | 'balance', reason: FailureReason | undefined) => void;
  setBalance: (cents: number | undefined) => void;
  setLimit: (cents: number | undefined) => void;
  setIncomplete: (incomplete: boolean) => void;
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
  /** What was told since the last call: minutes since noon, what, about whom. */
  readonly told: () => readonly string[];
  readonly open: () => readonly Incident[];
  readonly now: () => number;
};

type FarmOptions = {
  /** Racks with the number of their phones; the first phone of each is sold, if nothing else is said. */
  readonly racks: Readonly<Record<string, number>>;
  readonly status?: (id: string, index: number) => Device['rentalStatus'];
  readonly settings?: Partial<StepSettings>;
  /** Time for which it was watched before, so that rhythms are known. */
  readonly before?: number;
  /** Time between two polls. */
  readonly interval?: number;
};

export async function createFarm({
  racks,
  status = () => 'sold',
  settings = {},
  before = 8 * HOUR,
  interval = POLL,
}: FarmOptions): Promise<Farm> {
  const phones = new Map<string, FarmPhone>();
  for (const [rack, size] of Object.entries(racks))
    for (let index = 1; index <= size; index += 1) {
      const id = `${rack}-${index}`;
      phones.set(id, {
        device: healthyDevice({
          ...{ id, label: `${rack}/${id}`, rentalStatus: status(id, index), marketplaceStatus: 'listed' },
          ...{ model: `model ${index % 3}`, appVersion: '2.1.0', selfRentStatus: undefined },
        }),
        ...{ listed: true, stoppedAt: undefined, unreadable: false, tunnel: tunnelOf(), unanswered: false },
      });
    }
  let now = NOON - before;
  let skipped = { from: 0, to: 0 };
  let cents: number | undefined = 10_000;
  let limit: number | undefined;
  let incomplete = false;
  const failing: { -readonly [Name in 'devices' | 'tunnels' | 'balance']?: FailureReason | undefined } = {};
  let lines: string[] = [];
  const minutes = (at: number): string => ((at - NOON) / MINUTE).toFixed(1);

  const configured = () => [
    {
      ...{ name: 'main', currency: undefined, balanceLowCents: limit },
      ...{ apiUrl: new URL('https://api.example.com'), key: { environment: 'KEY' } },
    },
  ];
  const begin = (earlier: SavedState) => {
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
        for (const event of events) {
          if (!('incident' in event)) continue;
          const { problem, deviceId, kind, value, deviceIds } = event.incident;
          const whom = deviceId || (kind && `${kind} ${value}`) || value;
          const size = deviceIds.length > 0 ? ` (${deviceIds.length})` : '';
          const end = event.event === 'incident ended' ? ` ${event.incident.reason}` : '';
          const sign = event.event === 'incident ended' ? '-' : '+';
          lines.push(`${minutes(now)} ${sign}${problem} ${whom}${size}${end}`.replace(/ +/g, ' ').trimEnd());
        }
      },
      yieldToEventLoop: async () => {},
    });
    return { store, judge, polledAt: new Map<string, number>() };
  };
  let daemon = begin(NOTHING_KNOWN);

  /** A beat of each phone comes at its own second of the minute. */
  const lastBeat = (index: number, stoppedAt = now, before = now): number => {
    const phase = (index * 7 * SECOND) % BEAT;
    const beat = Math.floor((Math.min(before, stoppedAt) - phase) / BEAT) * BEAT + phase;
    return beat > skipped.from && beat <= skipped.to ? lastBeat(index, stoppedAt, skipped.from) : beat;
  };
  const observe = async (
    collector: 'devices' | 'tunnels' | 'balance',
    make: () => Observation,
  ): Promise<void> => {
    const reason = failing[collector];
    const attempt = `attempt at ${collector}`;
    const since = daemon.polledAt.get(reason === undefined ? collector : attempt);
    const elapsed = since === undefined ? undefined : now - since;
    daemon.polledAt.set(attempt, now);
    const observation: Observation =
      reason === undefined ? make() : { kind: 'failure', elapsed, collector, reason, at: now };
    if (reason === undefined) daemon.polledAt.set(collector, now);
    const polled = afterSuccessfulPoll(now, now);
    await daemon.judge.observe({ name: 'main', observation, poll: { name: 'main', collector, polled } });
  };
  const elapsedOf = (collector: string): number | undefined => {
    const since = daemon.polledAt.get(collector);
    return since === undefined ? undefined : now - since;
  };
  const poll = async (): Promise<void> => {
    const listed = [...phones.values()].flatMap((phone, index) => {
      if (!phone.listed) return [];
      const lastHeartbeatAt = phone.unreadable ? undefined : lastBeat(index, phone.stoppedAt);
      return [{ ...phone.device, lastHeartbeatAt }];
    });
    await observe('devices', () => ({
      kind: 'list',
      times: { elapsed: elapsedOf('devices'), dueIn: interval, slack: interval },
      devices: new Map(listed.map((device) => [device.id, { device, listedAt: now }])),
      reported: listed.length,
      apiTime: now,
      listing: { pages: 1, passes: 1, complete: !incomplete, rejected: 0, faulty: false },
    }));
    const live = [...phones.values()].filter(({ device }) => device.rentalStatus === 'self_rented');
    await observe('tunnels', () => ({
      kind: 'tunnels',
      elapsed: elapsedOf('tunnels'),
      answers: new Map(
        live.flatMap(({ device, tunnel, unanswered }) =>
          unanswered ? [] : [[device.id, { tunnel, apiTime: now }]],
        ),
      ),
      isRound: true,
      apiTime: now,
    }));
    if (now % MINUTE !== 0) return;
    await observe('balance', () => ({
      kind: 'balance',
      elapsed: elapsedOf('balance'),
      balance: { availableCents: cents, pendingCents: 0, totalCents: cents },
      apiTime: now,
    }));
  };
  const pass = async (milliseconds: number): Promise<void> => {
    for (const end = now + milliseconds; now < end; ) {
      now += interval;
      await poll();
    }
  };
  const of = (name: string): readonly FarmPhone[] =>
    [...phones].flatMap(([id, phone]) => (id === name || id.startsWith(`${name}-`) ? [phone] : []));
  const change = (names: readonly string[], make: (phone: FarmPhone) => void): void => {
    for (const phone of names.flatMap(of)) make(phone);
  };
  await pass(before);
  lines = [];
  return {
    phones,
    of,
    pass,
    stop: (...names) => change(names, (phone) => Object.assign(phone, { stoppedAt: now })),
    start: (...names) => change(names, (phone) => Object.assign(phone, { stoppedAt: undefined })),
    rent: (rentalStatus, ...names) =>
      change(names, (phone) => {
        phone.device = {
          ...phone.device,
          rentalStatus,
          selfRentStatus: rentalStatus === 'self_rented' ? 'active' : undefined,
        };
      }),
    fail: (collector, reason) => {
      failing[collector] = reason;
    },
    setBalance: (next) => {
      cents = next;
    },
    setLimit: (next) => {
      limit = next;
      daemon.store.replace(configured());
    },
    setIncomplete: (next) => {
      incomplete = next;
    },
    setAhead: (milliseconds) => {
      skipped = { from: now, to: now + milliseconds };
      now += milliseconds;
      for (const [collector, at] of daemon.polledAt) daemon.polledAt.set(collector, at + milliseconds);
    },
    restart: async (off, remembers = true) => {
      const text = [...encodeState(daemon.store.saved(), { host: '', pid: 0, program: '' }, now)].join('');
      const state = decodeState(text);
      if (!('accounts' in state)) throw new Error(state.refusal);
      now += off;
      daemon = begin(remembers ? state : NOTHING_KNOWN);
      await pass(interval);
    },
    told: () => {
      const told = lines;
      lines = [];
      return told;
    },
    open: () => daemon.store.snapshot().accounts[0]?.known.incidents.open ?? [],
    now: () => now,
    maintain: async (word) => {
      const scope = { accounts: [], groups: [], devices: [], ...word.scope };
      const base = {
        id: 'word',
        reason: '',
        by: 'loopback',
        startedAt: now,
        until: now + DAY,
        untilBack: false,
      };
      const observation: Observation = { kind: 'word', word: { ...base, away: new Map(), ...word, scope } };
      await daemon.judge.observe({ name: 'main', observation, poll: undefined });
    },
    endMaintenance: async (id) => {
      const observation: Observation = { kind: 'word over', id };
      await daemon.judge.observe({ name: 'main', observation, poll: undefined });
    },
    problemOf: (id) => daemon.store.snapshot().accounts[0]?.judgement?.problems.get(id)?.problem,
  };
}
