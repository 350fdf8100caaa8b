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

/** The end of the past, in which heartbeats teach a rhythm; shorter than any history. */
const FINE_SPAN = 40 * MINUTE;

/**
 * Lets a marketplace live, and writes what a daemon would know into a state file in a folder of its own.
 *
 * @param config of the daemon; its state file is replaced
 * @param history how long the daemon would have watched until now, in milliseconds
 * @returns the configuration with the state file, and a function that removes the folder
 */
export async function writePast(
  marketplace: Marketplace,
  config: Config,
  io: Io,
  history: number,
): Promise<{ readonly config: Config; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'hoster-exporter-demo-'));
  const file = join(folder, 'state.json');
  const lived = { ...config, state: { ...config.state, file } };
  const now = io.clock.now();
  const fineFrom = now - FINE_SPAN;
  const coarse = await live(marketplace, lived, io, NOTHING_KNOWN, now - history, fineFrom, COARSE);
  const state = await live(marketplace, lived, io, withoutRhythms(coarse), fineFrom, now, FINE);
  await writeFile(file, [...encodeState(state, { host: '', pid: process.pid, program: '' }, now)]);
  return { config: lived, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Lets a marketplace live, and returns what a daemon would know in the end that polls it in this gap. */
async function live(
  marketplace: Marketplace,
  config: Config,
  io: Io,
  earlier: SavedState,
  begin: number,
  end: number,
  gap: number,
): Promise<SavedState> {
  let now = begin;
  const monotonic = (): number => now - begin;
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
  for (let at = begin; at < end; at += gap) {
    now = at;
    marketplace.advance(at);
    for (const observation of observationsOf(marketplace, at, at === begin ? undefined : gap, gap))
      await memory.judge.observe({ name, observation, poll: undefined });
    for (const { work } of memory.features) await work?.run();
  }
  return memory.saved();
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
