import { readdirSync } from 'node:fs';
import { createRandom } from '../../../../src/base/random.ts';
import { finish } from '../../../../src/base/steps.ts';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { MAINTENANCE } from '../../../../src/features/maintenance/cover.ts';
import { DAYS } from '../../../../src/features/month/days.ts';
import { createMonthKeeper } from '../../../../src/features/month/files.ts';
import { step } from '../../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../../src/model/account.ts';
import { NO_CAUSES } from '../../../../src/model/cause.ts';
import type { RentalStatus } from '../../../../src/model/device.ts';
import type { Observation } from '../../../../src/model/observation.ts';
import { decodeState, encodeState } from '../../../../src/state/codec.ts';
import { healthyDevice, settingsWith } from '../../../builders.ts';
import {
  lastBeat,
  type Month,
  OFFLINE_AFTER,
  type Script,
  type Span,
  valueAt,
} from '../../../month/world.ts';
import { openDisk } from '../../../open-disk.ts';
import { silentLog } from '../../../silent-log.ts';
import { linesIn } from './day-files.ts';

/*
 * A day that the fold, the state file and the month files live through at the shipped schedule, second by second.
 */

/** Seconds between two polls, two writes of the state file, two looks for the end of a day, and the beats of two phones. */
export const POLL = 30;
const SAVE = 60;
const LOOK = 15;
const BEATS_APART = 4;

/** A day of phones; it has no Prometheus. */
export type Day = Omit<Month, 'replica' | 'prometheusDown' | 'balance'> & {
  readonly timeZone: string;
  /** By how many seconds the API's clock is ahead, from which second on. */
  readonly apiSteps?: readonly (readonly [at: number, ahead: number])[];
};

/** What a process keeps. */
type Process = {
  readonly startedAt: number;
  readonly months: () => Promise<void>;
  lastListAt: number | undefined;
  lastPollAt: number | undefined;
};

/** Lives through a day and two minutes more; returns the lines of its month files. */
export async function liveThrough(day: Day, directory: string): Promise<readonly string[]> {
  const { exporterDown, apiDown, offlineAfter = OFFLINE_AFTER } = day;
  const settings = settingsWith({ offlineAfterSeconds: offlineAfter, parts: [DAYS.bind(undefined)] });
  const random = createRandom(7);
  const timeZone = createTimeZone(day.timeZone);
  let account: Account = NEW_ACCOUNT;
  /** What the state file holds. */
  let saved: Account = NEW_ACCOUNT;
  let remembers = true;
  let now = day.from - 600;
  let running: Process | undefined = startProcess();
  let nextPoll = now;
  for (; now <= day.to + 120; now += 1) {
    const outage = exporterDown.find(({ span: [from, to] }) => now >= from && now < to);
    if (outage !== undefined) {
      ({ remembers } = outage);
      if (now === outage.span[0] && outage.older === undefined) save();
      running = undefined;
      continue;
    }
    if (running === undefined) {
      account = remembers ? loaded() : NEW_ACCOUNT;
      running = startProcess();
      nextPoll = now;
    }
    if (now === nextPoll) poll(running);
    startWork();
    if ((now - running.startedAt) % LOOK === 0) await running.months();
    if ((now - running.startedAt) % SAVE === 0) save();
  }
  const months = new Set(readdirSync(directory).map((name) => name.slice(0, 7)));
  const lines = await Promise.all([...months].map((month) => linesIn(directory, month, timeZone)));
  return lines.flat();

  function observe(observation: Observation): void {
    account = finish(step(account, observation, settings));
  }

  function startProcess(): Process {
    const months = createMonthKeeper({
      directory,
      keep: 14,
      accounts: () => [{ name: 'main', account }],
      observe: async (_, observation) => observe(observation),
      timeZone: () => timeZone,
      disk: openDisk,
      reportFiles: () => {},
      clock: {
        now: () => 1000 * (now + (valueAt(day.clockSteps ?? [], now) ?? 0)),
        monotonic: () => 1000 * now,
        uptime: () => 1000 * now,
        after: () => () => {},
      },
      log: silentLog,
    });
    return { startedAt: now, months, lastListAt: undefined, lastPollAt: undefined };
  }

  /** Polls; the next answer comes up to two seconds after its poll is due. */
  function poll(process: Process): void {
    const isDown = apiDown.some(([from, to]) => now >= from && now < to);
    const since = (at: number | undefined) => (at === undefined ? undefined : 1000 * (now - at));
    if (isDown) {
      const elapsed = since(process.lastPollAt);
      observe({ kind: 'failure', collector: 'devices', reason: 'timeout', elapsed, at: apiTime(now) });
    } else {
      observe(listAt(day, now, { elapsed: since(process.lastListAt), apiTime }));
      process.lastListAt = now;
    }
    process.lastPollAt = now;
    nextPoll = (Math.floor(now / POLL) + 1) * POLL + Math.floor(3 * random());
  }

  function apiTime(at: number): number {
    return 1000 * (at + (valueAt(day.apiSteps ?? [], at) ?? 0));
  }

  function startWork(): void {
    for (const { id, maintenance = [] } of day.phones) {
      const work = maintenance.find(([from]) => from === now);
      if (work === undefined) continue;
      const word = {
        ...{ id: `${id} at ${now}`, reason: '', by: '', untilBack: false, away: new Map() },
        ...{ scope: { accounts: [], groups: [], devices: [id] } },
        ...{ startedAt: apiTime(now), until: apiTime(work[1]) },
      };
      observe(MAINTENANCE.observation({ started: word }));
    }
  }

  function save(): void {
    saved = account;
  }

  /** Returns what a new process reads from the state file. */
  function loaded(): Account {
    const identity = { name: 'main', apiUrl: 'https://api.example.com' };
    const state = { accounts: [{ identity, goneAt: undefined, account: saved }], causes: NO_CAUSES };
    const writer = { host: 'host', pid: 1, program: 'test' };
    const decoded = decodeState([...encodeState(state, writer, 1000 * now)].join(''));
    if (!('accounts' in decoded)) throw new Error(decoded.refusal);
    return decoded.accounts[0]?.account ?? NEW_ACCOUNT;
  }
}

type Listing = { readonly elapsed: number | undefined; readonly apiTime: (at: number) => number };

/** Returns what a list shows. */
function listAt({ phones }: Day, now: number, { elapsed, apiTime }: Listing): Observation {
  const isListed = ({ listed }: Script): boolean =>
    listed.some(([from, to]: Span) => now >= from && now < to);
  const listedAt = apiTime(now);
  const devices = phones.flatMap((phone, index) => {
    if (!isListed(phone)) return [];
    const { id, model, renamed } = phone;
    const label = renamed !== undefined && now >= renamed[0] ? renamed[1] : phone.label;
    const rentalStatus = valueAt(phone.rentals, now) as RentalStatus;
    // Each phone beats at a moment of its own, so that a clock is set between the beats of some.
    const late = BEATS_APART * index;
    const lastHeartbeatAt = apiTime(lastBeat(phone, now - late) + late);
    return [healthyDevice({ id, label, model, rentalStatus, lastHeartbeatAt })];
  });
  return {
    kind: 'list',
    times: { elapsed, dueIn: 1000 * (POLL - (now % POLL)), slack: 1000 * POLL },
    devices: new Map(devices.map((device) => [device.id, { device, listedAt }])),
    reported: devices.length,
    apiTime: listedAt,
    listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
  };
}
