import { gunzipSync } from 'node:zlib';
import { createSimulatedClock } from '../../packaging/demo-history.mjs';
import type { HttpClient } from '../../src/api/http.ts';
import { yieldToEventLoop } from '../../src/base/clock.ts';
import { createMonitor, type Monitor } from '../../src/daemon/monitor.ts';
import { NOTHING_KNOWN, type SavedState } from '../../src/model/account.ts';
import { decodeState, encodeState } from '../../src/state/codec.ts';
import { NOON } from '../builders.ts';
import { dependenciesOf } from '../dependencies.ts';
import {
  failure,
  success,
  wireBalance,
  wireDevice,
  wirePage,
  wireTunnel,
} from '../unit/api/wire-fixtures.ts';
import { load } from '../unit/config/sources.ts';

/*
 * A farm that the whole daemon watches in simulated time: a marketplace behind the API, the daemon's own code, and what
 * Prometheus scrapes of it. What the shipped rules make of that is judged by promtool.
 */

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

/** Time between two scrapes, in milliseconds; each second one follows a poll. */
export const STEP = 15 * SECOND;
const STEPS_PER_POLL = 2;

const BEAT = MINUTE;

/** Families that the rules read. */
const READ =
  /^(?:hoster_incident_|hoster_up\{|hoster_devices_reported\{|hoster_exporter_(?:data_current|data_state|build_info|config_last|key_file|state_last|poll_)|hoster_balance_(?:available_cents|low)|hoster_account_info)/;

type Rental = 'sold' | 'self_rented' | 'idle';

/** A phone; a story changes it as it likes. */
export type LivedPhone = {
  readonly id: string;
  label: string;
  rental: Rental;
  listed: boolean;
  /** Seconds since 1970 from which on it does not beat, in milliseconds; undefined while it does. */
  stoppedAt: number | undefined;
  readable: boolean;
  tunnel: { readonly uptimeStatus: string; readonly tunnelId: string } | undefined;
};

/** What is asked of an alert at an instant: how many of it fire, by its name and a label, such as `HosterPhoneLeft device_id=a-1`. */
export type Check = { readonly step: number; readonly asked: string; readonly firing: number };

/** Series by their text, each with its values by step. */
export type Recording = {
  readonly series: ReadonlyMap<string, ReadonlyMap<number, string>>;
  readonly steps: number;
  readonly checks: readonly Check[];
};

export type WatchedFarm = {
  readonly of: (name: string) => readonly LivedPhone[];
  readonly stop: (...names: readonly string[]) => void;
  readonly start: (...names: readonly string[]) => void;
  readonly list: (listed: boolean, ...names: readonly string[]) => void;
  readonly rent: (rental: Rental, ...names: readonly string[]) => void;
  /** How the API answers: as it should, with a status, or for one endpoint only. */
  answer: (status: number, endpoint?: 'devices' | 'tunnel' | 'balance') => void;
  setBalance: (cents: number) => void;
  readonly pass: (milliseconds: number) => Promise<void>;
  /** The exporter does not run; what it knew is in its file, or lost. */
  readonly off: (milliseconds: number, remembers?: boolean) => Promise<void>;
  /** Prometheus scrapes nothing for a while. */
  readonly unscraped: (milliseconds: number) => Promise<void>;
  /** Asks how many of an alert fire now. */
  readonly fires: (asked: string, firing?: number) => void;
  readonly recording: () => Recording;
};

type FarmOptions = {
  readonly racks: Readonly<Record<string, number>>;
  readonly rental?: (id: string) => Rental;
  /** Seconds after which each phone is offline. */
  readonly heartbeatStateAfter?: number;
  readonly balanceLowCents?: number;
};

/** Starts a farm that has been watched for ten minutes. */
export async function watchFarm({
  racks,
  rental = () => 'sold',
  heartbeatStateAfter = 240,
  balanceLowCents,
}: FarmOptions): Promise<WatchedFarm> {
  const phones: LivedPhone[] = Object.entries(racks).flatMap(([rack, size]) =>
    Array.from({ length: size }, (_, index): LivedPhone => {
      const id = `${rack}-${index + 1}`;
      return {
        ...{
          id,
          label: `${rack}/${id}`,
          rental: rental(id),
          listed: true,
          stoppedAt: undefined,
          readable: true,
        },
        tunnel: { uptimeStatus: 'up', tunnelId: 'one' },
      };
    }),
  );
  const clock = createSimulatedClock(NOON);
  const statuses = new Map<string, number>();
  let cents = 10_000;
  const lastBeat = (index: number, stoppedAt: number | undefined): number => {
    const phase = (index * 7 * SECOND) % BEAT;
    return Math.floor((Math.min(clock.now(), stoppedAt ?? clock.now()) - phase) / BEAT) * BEAT + phase;
  };
  const bodyOf = (path: string): { readonly status: number; readonly text: string } => {
    if (path.includes('/balance')) {
      const amounts = { availableCents: cents, pendingCents: 0, totalCents: cents };
      return { status: 200, text: success(wireBalance(amounts)) };
    }
    const [, id] = /devices\/([^/?]+)\//.exec(path) ?? [];
    if (id !== undefined) {
      const tunnel = phones.find((phone) => phone.id === id)?.tunnel;
      if (tunnel === undefined) return { status: 404, text: failure('SELF_RENT_TUNNEL_NOT_FOUND') };
      return { status: 200, text: success(wireTunnel(tunnel)) };
    }
    const items = phones.flatMap((phone, index) => {
      if (!phone.listed) return [];
      const selfRent = phone.rental === 'self_rented' ? { rentalId: 'r', status: 'active' } : undefined;
      const at = new Date(lastBeat(index, phone.stoppedAt)).toISOString();
      return [
        wireDevice({
          ...{ deviceId: phone.id, label: phone.label, rentalStatus: phone.rental, selfRent },
          lastHeartbeatAt: phone.readable ? at : 'soon',
        }),
      ];
    });
    const [, page = '1'] = /[?&]page=(\d+)/.exec(path) ?? [];
    const [, limit = '100'] = /[?&]limit=(\d+)/.exec(path) ?? [];
    const [number, size] = [Number(page), Number(limit)];
    const shown = items.slice((number - 1) * size, number * size);
    const totalPages = Math.max(1, Math.ceil(items.length / size));
    return {
      status: 200,
      text: success(wirePage({ items: shown, total: items.length, page: number, limit: size, totalPages })),
    };
  };
  const endpointOf = (path: string): string =>
    path.includes('/balance') ? 'balance' : /devices\/[^/?]+\//.test(path) ? 'tunnel' : 'devices';
  const http: HttpClient = {
    get: async (path) => {
      const headers = { date: new Date(clock.now()).toUTCString() };
      const status = statuses.get(endpointOf(path)) ?? statuses.get('all') ?? 200;
      if (status !== 200)
        return { status, headers, body: Buffer.from(status === 401 ? failure('INVALID_API_KEY') : '<html>') };
      const { status: answered, text } = bodyOf(path);
      return { status: answered, headers, body: Buffer.from(text) };
    },
    close: async () => {},
  };
  const { config } = load({
    environment: {
      HOSTER_API_URL: 'https://api.example.com',
      HOSTER_ACCOUNT_NAME: 'a',
      HOSTER_OFFLINE_AFTER: `${heartbeatStateAfter}s`,
      ...(balanceLowCents !== undefined && { HOSTER_BALANCE_LOW_CENTS: String(balanceLowCents) }),
    },
  });
  const dependencies = dependenciesOf({
    clock,
    network: { authorities: undefined, proxies: undefined, http },
    yieldToEventLoop: async () => {},
  });
  const begin = (known: SavedState): Monitor => {
    const monitor = createMonitor(config, dependencies, known);
    monitor.start();
    return monitor;
  };
  let monitor: Monitor | undefined = begin(NOTHING_KNOWN);
  const series = new Map<string, Map<number, string>>();
  const checks: Check[] = [];
  let step = 0;
  const record = (text: string, value: string): void => {
    const values = series.get(text) ?? new Map<number, string>();
    series.set(text, values);
    values.set(step, value);
  };
  const scrape = async (running: Monitor): Promise<void> => {
    const { chunks } = await running.scrape();
    for (const line of gunzipSync(Buffer.concat(chunks)).toString().split('\n')) {
      if (!READ.test(line)) continue;
      const end = line.lastIndexOf(' ');
      record(ofInstance(line.slice(0, end)), toSimulated(line.slice(0, end), line.slice(end + 1)));
    }
  };
  const move = async (isScraped: boolean): Promise<void> => {
    step += 1;
    clock.moveTo(NOON + step * STEP);
    if (monitor !== undefined && step % STEPS_PER_POLL === 0) await finish(monitor.pollAll(), clock);
    if (!isScraped) return;
    record('up{instance="e",job="hoster"}', monitor === undefined ? '0' : '1');
    if (monitor !== undefined) await scrape(monitor);
  };
  const passing = async (milliseconds: number, isScraped = true): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= STEP) await move(isScraped);
  };
  const of = (name: string): readonly LivedPhone[] =>
    phones.filter(({ id }) => id === name || id.startsWith(`${name}-`));
  const change = (names: readonly string[], make: (phone: LivedPhone) => void): void => {
    for (const phone of names.flatMap(of)) make(phone);
  };
  await passing(10 * MINUTE);
  return {
    of,
    pass: passing,
    stop: (...names) => change(names, (phone) => Object.assign(phone, { stoppedAt: clock.now() })),
    start: (...names) => change(names, (phone) => Object.assign(phone, { stoppedAt: undefined })),
    list: (listed, ...names) => change(names, (phone) => Object.assign(phone, { listed })),
    rent: (rented, ...names) => change(names, (phone) => Object.assign(phone, { rental: rented })),
    answer: (status, endpoint) => {
      statuses.clear();
      statuses.set(endpoint ?? 'all', status);
    },
    setBalance: (next) => {
      cents = next;
    },
    off: async (milliseconds, remembers = true) => {
      const saved = monitor?.saved() ?? NOTHING_KNOWN;
      await monitor?.stop();
      monitor = undefined;
      await passing(milliseconds);
      monitor = begin(remembers ? reread(saved) : NOTHING_KNOWN);
    },
    unscraped: (milliseconds) => passing(milliseconds, false),
    fires: (asked, firing = 1) => {
      checks.push({ step, asked, firing });
    },
    recording: () => ({ series, steps: step, checks }),
  };
}

/** What the next process reads from the state file. */
function reread(saved: SavedState): SavedState {
  const state = decodeState([...encodeState(saved, { host: '', pid: 0, program: '' }, NOON)].join(''));
  if (!('accounts' in state)) throw new Error(state.refusal);
  return state;
}

/** Adds the labels of the target. */
function ofInstance(text: string): string {
  return text.includes('{')
    ? text.replace('{', '{instance="e",job="hoster",')
    : `${text}{instance="e",job="hoster"}`;
}

/** promtool begins at 1970: instants are moved by as much. */
function toSimulated(text: string, value: string): string {
  return text.includes('timestamp_seconds') ? String(Number(value) - NOON / 1000) : value;
}

/** Turns of the event loop that work may take without a timer. */
const TURNS = 30;

/** Waits for work; moves simulated time where it waits for a timer, as a request does that is sent again after a while. */
async function finish(work: Promise<void>, clock: ReturnType<typeof createSimulatedClock>): Promise<void> {
  let ended = false;
  const end = work.finally(() => {
    ended = true;
  });
  while (!ended) {
    for (let turn = 0; turn < TURNS && !ended; turn += 1) await yieldToEventLoop();
    if (!ended) clock.moveToNextTimer();
  }
  await end;
}
