import { explainLimit } from '../src/judge/offline.ts';
import type { StepSettings } from '../src/judge/step.ts';
import { NOTHING_KNOWN, type SavedState } from '../src/model/account.ts';
import type { FailureReason } from '../src/model/enums.ts';
import type { FleetEvent } from '../src/model/event.ts';
import type { Observation } from '../src/model/observation.ts';
import type { Rhythm } from '../src/model/rhythm.ts';
import type { Snapshot } from '../src/model/snapshot.ts';
import { afterSuccessfulPoll } from '../src/poll/freshness.ts';
import { createJudge, type Judge } from '../src/poll/judge.ts';
import { createStore, type Store } from '../src/poll/store.ts';
import { decodeState, encodeState } from '../src/state/codec.ts';
import { NOON } from './builders.ts';

/*
 * A daemon that watches a farm: the judge and the store of the exporter, without its sockets and timers. It can end and begin
 * again, and its notifications are a list of lines.
 */

export type Collector = 'devices' | 'tunnels' | 'balance';

/** The account of the phones whose rack names none. */
export const MAIN = 'main';

export type Daemon = {
  readonly snapshot: () => Snapshot;
  /** Its notifications. */
  readonly notifications: string[];
  /** Returns the milliseconds since the last good poll of a collector of an account; undefined before the first one. */
  readonly elapsed: (name: string, collector: Collector) => number | undefined;
  /** Takes what a poll observed. */
  readonly poll: (name: string, collector: Collector, observation: Observation) => Promise<void>;
  /** Takes that a poll failed. */
  readonly fail: (name: string, collector: Collector, reason: FailureReason) => Promise<void>;
  /** Takes what is observed between two polls. */
  readonly observe: (name: string, observation: Observation) => Promise<void>;
  /** Loads the settings, and the accounts of the farm. */
  readonly reload: () => void;
  /** Lets another process go on with the state file, or with nothing. */
  readonly restart: (remembers: boolean) => void;
  /** Lets another process go on that knows the rhythms of the phones. */
  readonly learn: (rhythmOf: (id: string) => Rhythm) => void;
  /** Takes it that the clock was set ahead, and that no time passed. */
  readonly skip: (milliseconds: number) => void;
};

type DaemonOptions = {
  readonly accounts: () => readonly string[];
  readonly settings: () => StepSettings;
  readonly balanceLimit: () => number | undefined;
  /** Returns milliseconds since 1970. */
  readonly now: () => number;
  readonly onObserved: (snapshot: Snapshot) => void;
};

const DONE = Promise.resolve();

export function createDaemon({ accounts, settings, balanceLimit, now, onObserved }: DaemonOptions): Daemon {
  const notifications: string[] = [];
  const succeededAt = new Map<string, number>();
  const attemptedAt = new Map<string, number>();
  let observed: Snapshot | undefined;
  const configured = () =>
    accounts().map((name) => ({
      ...{ name, currency: undefined, balanceLowCents: balanceLimit() },
      ...{ apiUrl: new URL('https://api.example.com'), key: { environment: 'KEY' } },
    }));
  const begin = (earlier: SavedState): { readonly store: Store; readonly judge: Judge } => {
    const store = createStore(configured(), earlier, now, () => {});
    const onEvents = (events: readonly FleetEvent[]): void => {
      for (const event of events) notifications.push(...linesOf(event, now()));
    };
    succeededAt.clear();
    attemptedAt.clear();
    const clock = { now, uptime: now };
    return { store, judge: createJudge({ store, settings, onEvents, yieldToEventLoop: () => DONE, clock }) };
  };
  let { store, judge } = begin(NOTHING_KNOWN);

  const observe = async (name: string, observation: Observation, collector?: Collector): Promise<void> => {
    const poll = collector && { name, collector, polled: afterSuccessfulPoll(now(), now()) };
    await judge.observe({ name, observation, poll });
    if (store.snapshot() === observed) return;
    observed = store.snapshot();
    onObserved(observed);
  };
  const since = (at: number | undefined) => (at === undefined ? undefined : now() - at);
  return {
    notifications,
    observe,
    snapshot: () => store.snapshot(),
    elapsed: (name, collector) => since(succeededAt.get(`${name} ${collector}`)),
    poll: (name, collector, observation) => {
      attemptedAt.set(`${name} ${collector}`, now());
      succeededAt.set(`${name} ${collector}`, now());
      return observe(name, observation, collector);
    },
    fail: (name, collector, reason) => {
      const elapsed = since(attemptedAt.get(`${name} ${collector}`));
      attemptedAt.set(`${name} ${collector}`, now());
      return observe(name, { kind: 'failure', elapsed, collector, reason, at: now() }, collector);
    },
    reload: () => store.replace(configured()),
    restart: (remembers) => {
      ({ store, judge } = begin(remembers ? throughFile(store.saved(), now()) : NOTHING_KNOWN));
    },
    learn: (rhythmOf) => {
      ({ store, judge } = begin(withRhythms(store.saved(), rhythmOf)));
      notifications.length = 0;
    },
    skip: (milliseconds) => {
      for (const times of [succeededAt, attemptedAt])
        for (const [collector, at] of times) times.set(collector, at + milliseconds);
    },
  };
}

/** Returns what is known, as a state file keeps it. */
function throughFile(saved: SavedState, now: number): SavedState {
  const state = decodeState([...encodeState(saved, { host: '', pid: 0, program: '' }, now)].join(''));
  if (!('accounts' in state)) throw new Error(state.refusal);
  return state;
}

function withRhythms(state: SavedState, rhythmOf: (id: string) => Rhythm): SavedState {
  return {
    ...state,
    accounts: state.accounts.map((saved) => {
      const { fleet } = saved.account;
      const entries = Array.from(fleet?.devices ?? [], ([id, entry]) => {
        const rhythm = rhythmOf(id);
        return [id, { ...entry, rhythm, offlineAfterSeconds: explainLimit(rhythm).limitSeconds }] as const;
      });
      return {
        ...saved,
        account: { ...saved.account, fleet: fleet && { ...fleet, devices: new Map(entries) } },
      };
    }),
  };
}

/** Writes a notification as a line: minutes since noon, problem, phone. */
function linesOf(event: FleetEvent, now: number): readonly string[] {
  if (!('incident' in event)) return [];
  const { problem, deviceId, kind, value, members, notifiedSize } = event.incident;
  const account = event.account === MAIN ? '' : `${event.account}:`;
  const whom = deviceId || (kind && `${kind} ${value}`) || value || notifiedSize || '';
  const size = members.size > 0 ? ` (${members.size})` : '';
  const end = event.event === 'incident ended' ? ` ${event.incident.reason}` : '';
  const sign = event.event === 'incident ended' ? '-' : '+';
  const minutes = ((now - NOON) / MINUTE).toFixed(1);
  return [`${minutes} ${account}${sign}${problem} ${whom}${size}${end}`.replace(/ +/g, ' ').trimEnd()];
}

const MINUTE = 60_000;
