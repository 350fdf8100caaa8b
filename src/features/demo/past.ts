import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParsers, PAGE_SIZE } from '../../api/schemas.ts';
import type { Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Io } from '../../cli/command.ts';
import type { Config } from '../../config/schema.ts';
import { createMemory } from '../../daemon/memory.ts';
import { NEW_RHYTHM } from '../../judge/silence.ts';
import { NOTHING_KNOWN, type SavedState } from '../../model/account.ts';
import type { Device } from '../../model/device.ts';
import type { Fleet } from '../../model/fleet.ts';
import type { Observation } from '../../model/observation.ts';
import { MINUTE, SECOND } from '../../model/time.ts';
import { encodeState } from '../../state/codec.ts';
import type { Marketplace } from './marketplace.ts';

/*
 * The past of the demo: what a daemon would know that had watched the marketplace since it began. So the first page has
 * pictures, and the month has finished days.
 */

/** Time between two lists of the past, and between those of its end. */
const COARSE = 10 * MINUTE;
const FINE = 30 * SECOND;

/** The end of the past, in which heartbeats teach a rhythm. */
const FINE_SPAN = 40 * MINUTE;

/**
 * Lets a marketplace live until an instant, and writes what a daemon would know into a state file in a folder of its own.
 *
 * @param config of the daemon; its state file is replaced
 * @param from since when the daemon would have watched, in milliseconds since 1970
 * @returns the configuration with the state file, and a function that removes the folder
 */
export async function writePast(
  marketplace: Marketplace,
  config: Config,
  io: Io,
  from: number,
  until: number,
): Promise<{ readonly config: Config; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hoster-exporter-demo-'));
  const file = join(folder, 'state.json');
  const lived = { ...config, state: { ...config.state, file } };
  const state = await liveThrough(marketplace, lived, io, from, until);
  await writeFile(file, [...encodeState(state, { host: '', pid: process.pid, program: '' }, until)]);
  return { config: lived, remove: () => rm(folder, { recursive: true, force: true }) };
}

async function liveThrough(
  marketplace: Marketplace,
  config: Config,
  io: Io,
  from: number,
  until: number,
): Promise<SavedState> {
  const live = async (earlier: SavedState, begin: number, end: number, gap: number): Promise<SavedState> => {
    const clock = createSimulatedClock(begin);
    const memory = createMemory(
      config,
      { ...io, clock, log: NO_LOG, yieldToEventLoop: async () => {} },
      {
        earlier,
        save: async () => undefined,
        onChange: () => {},
        onEvents: () => {},
        settled: async () => {},
      },
    );
    await memory.configured;
    const [name = ''] = config.accounts.map((account) => account.name);
    for (let at = begin; at < end; at += gap) {
      clock.moveTo(at);
      marketplace.advance(at);
      for (const observation of observationsOf(marketplace, at, at === begin ? undefined : gap, gap))
        await memory.judge.observe({ name, observation, poll: undefined });
      for (const { work } of memory.features) await work?.run();
    }
    return memory.saved();
  };
  const fineFrom = Math.max(from, until - FINE_SPAN);
  const coarse = await live(NOTHING_KNOWN, from, fineFrom, COARSE);
  return await live(withoutRhythms(coarse), fineFrom, until, FINE);
}

/** Returns the state without what rare lists taught of heartbeats. */
function withoutRhythms(state: SavedState): SavedState {
  const forget = (fleet: Fleet): Fleet => ({
    ...fleet,
    devices: new Map(
      Array.from(fleet.devices, ([id, entry]) => [id, { ...entry, rhythm: NEW_RHYTHM }] as const),
    ),
  });
  return {
    ...state,
    accounts: state.accounts.map((saved) => ({
      ...saved,
      account: { ...saved.account, fleet: saved.account.fleet && forget(saved.account.fleet) },
    })),
  };
}

const parsers = createParsers({
  itemRejected: () => {},
  schemaViolation: () => {},
  unknownEnum: () => {},
  labelSanitized: () => {},
});

/** Returns what polls learn, as the client of the API reads it. */
function observationsOf(
  marketplace: Marketplace,
  at: number,
  elapsed: number | undefined,
  gap: number,
): readonly Observation[] {
  const devices: Device[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const list = marketplace.devices({ page, limit: PAGE_SIZE });
    devices.push(...(parsers.devicePage(list)?.devices ?? []));
    pages = list.totalPages;
  }
  return [
    {
      kind: 'list',
      times: { elapsed, dueIn: gap, slack: gap },
      devices: new Map(devices.map((device) => [device.id, { device, listedAt: at }])),
      reported: devices.length,
      apiTime: at,
      listing: { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false },
    },
    { kind: 'balance', elapsed, balance: marketplace.balance(), apiTime: at },
  ];
}

/** Times are those of the marketplace, so nothing of the past is logged. */
const NO_LOG: Log = {
  trace: () => {},
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  child: () => NO_LOG,
};

/** Creates a clock that stands still until it is moved; then it calls back the timers on the way, in order. */
export function createSimulatedClock(startAt: number): Clock & {
  readonly moveTo: (instant: number) => void;
  readonly moveToNextTimer: () => void;
} {
  let now = startAt;
  type Timer = { readonly at: number; readonly callback: () => void };
  const timers = new Set<Timer>();
  const next = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.at < first.at) first = timer;
    return first;
  };
  const moveTo = (instant: number): void => {
    for (let timer = next(); timer !== undefined && timer.at <= instant; timer = next()) {
      now = Math.max(now, timer.at);
      timers.delete(timer);
      timer.callback();
    }
    now = Math.max(now, instant);
  };
  return {
    now: () => now,
    monotonic: () => now - startAt,
    uptime: () => now - startAt,
    after: (milliseconds, callback) => {
      const timer = { at: now + milliseconds, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    moveTo,
    moveToNextTimer: () => moveTo(next()?.at ?? now),
  };
}
