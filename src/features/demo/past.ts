import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createParsers, PAGE_SIZE } from '../../api/schemas.ts';
import { createLog } from '../../base/log.ts';
import type { Io } from '../../cli/command.ts';
import type { Config } from '../../config/schema.ts';
import { createMemory } from '../../daemon/memory.ts';
import { NEW_RHYTHM } from '../../judge/offline.ts';
import { NOTHING_KNOWN, type SavedState } from '../../model/account.ts';
import type { Device } from '../../model/device.ts';
import type { Fleet } from '../../model/fleet.ts';
import type { Observation } from '../../model/observation.ts';
import type { Rhythm } from '../../model/rhythm.ts';
import { MINUTE, SECOND } from '../../model/time.ts';
import { encodeState } from '../../state/codec.ts';
import type { Marketplace } from './marketplace.ts';

/*
 * The history of the demo: the state of a daemon that has watched the marketplace from the start, so that the page has charts
 * and the month has finished days.
 */

/** Time between two lists in the history, and at its end. */
const COARSE = 10 * MINUTE;
const FINE = 30 * SECOND;

/** The end of the history, in which the usual gaps are learned. It is shorter than any history. */
const FINE_SPAN = 40 * MINUTE;

/**
 * Simulates a daemon up to now, and writes its state file to a temporary folder.
 *
 * @param config configuration of the daemon; its state file is replaced
 * @param history length of the history in milliseconds
 * @returns the configuration with the state file, and a function that removes the folder
 */
export async function writePast(marketplace: Marketplace, config: Config, io: Io, history: number) {
  const folder = await mkdtemp(join(tmpdir(), 'hoster-exporter-demo-'));
  const file = join(folder, 'state.json');
  const own = { ...config, state: { ...config.state, file } };
  const now = io.clock.now();
  const fineFrom = now - FINE_SPAN;
  const coarse = await simulate(marketplace, own, io, NOTHING_KNOWN, now - history, fineFrom, COARSE);
  // Infrequent lists would teach wrong rhythms.
  const start = withRhythms(coarse, () => NEW_RHYTHM);
  const end = await simulate(marketplace, own, io, start, fineFrom, now, FINE);
  // The days before get the rhythm of the last minutes.
  const state = withRhythms(end, (rhythm) => ({
    ...rhythm,
    longest: [...rhythm.longest, ...rhythm.longest],
  }));
  await writeFile(file, [...encodeState(state, { host: '', pid: process.pid, program: '' }, now)]);
  return { config: own, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Simulates a daemon that polls at this interval, and returns its state. */
async function simulate(
  marketplace: Marketplace,
  config: Config,
  io: Io,
  earlier: SavedState,
  start: number,
  end: number,
  gap: number,
): Promise<SavedState> {
  let now = start;
  const monotonic = (): number => now - start;
  const memory = createMemory(
    config,
    {
      ...io,
      clock: { now: () => now, monotonic, uptime: monotonic, after: () => () => {} },
      log: createLog({
        level: 'error',
        format: config.log.format,
        destination: { write: io.printError },
      }),
      yieldToEventLoop: async () => {},
    },
    {
      earlier,
      save: async () => undefined,
      onChange: () => {},
      onEvents: () => {},
      settled: async () => {},
    },
  );
  await memory.configured;
  const [{ name } = { name: '' }] = config.accounts;
  for (let at = start; at < end; at += gap) {
    now = at;
    marketplace.advance(at);
    for (const observation of observationsOf(marketplace, at, at === start ? undefined : gap, gap))
      await memory.judge.observe({ name, observation, poll: undefined });
    for (const { work } of memory.features) await work?.run();
  }
  return memory.saved();
}

function withRhythms(state: SavedState, change: (rhythm: Rhythm) => Rhythm): SavedState {
  const changed = (fleet: Fleet): Fleet => ({
    ...fleet,
    devices: new Map(
      Array.from(fleet.devices, ([id, entry]) => [id, { ...entry, rhythm: change(entry.rhythm) }] as const),
    ),
  });
  return {
    ...state,
    accounts: state.accounts.map((saved) => ({
      ...saved,
      account: { ...saved.account, fleet: saved.account.fleet && changed(saved.account.fleet) },
    })),
  };
}

const parsers = createParsers(() => {});

/** Returns the observations of a poll, parsed as by the API client. */
function observationsOf(
  marketplace: Marketplace,
  at: number,
  elapsed: number | undefined,
  gap: number,
): readonly Observation[] {
  const devices: Device[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const list = marketplace.devices(page, PAGE_SIZE);
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
