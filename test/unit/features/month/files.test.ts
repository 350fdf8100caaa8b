import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { finish } from '../../../../src/base/steps.ts';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { DAYS } from '../../../../src/features/month/days.ts';
import { createMonthKeeper, unwrittenDays } from '../../../../src/features/month/files.ts';
import { step } from '../../../../src/judge/step.ts';
import { type Account, NEW_ACCOUNT } from '../../../../src/model/account.ts';
import type { Device } from '../../../../src/model/device.ts';
import type { Observation } from '../../../../src/model/observation.ts';
import { healthyDevice, settingsWith } from '../../../builders.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { openDisk } from '../../../open-disk.ts';
import { silentLog } from '../../../silent-log.ts';
import { listObservation } from '../../list-observation.ts';
import { temporaryFolder } from '../../temporary-folder.ts';
import { accountDay, lineOf, linesIn, phoneDay, writeDayFile } from './day-files.ts';

const HOUR = 3_600_000;
const BERLIN = createTimeZone('Europe/Berlin');
const SETTINGS = settingsWith({ parts: [DAYS.bind(undefined)] });

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

/** An account that is listed each half minute, with a keeper of month files. */
function createWorld(from: string, directory = join(folder, 'months')) {
  const clock = createFakeClock();
  clock.step(Date.parse(from) - clock.now());
  /** How far the machine's clock is ahead of the API's, which is right. */
  let ahead = 0;
  const now = (): number => clock.now() - ahead;
  const known = new Map<string, Account>();
  let configured: readonly string[] = ['main'];
  let timeZone = BERLIN;
  const accountOf = (name: string): Account => known.get(name) ?? NEW_ACCOUNT;
  let elapsed: number | undefined;
  const log: string[] = [];
  const observe = (name: string, observation: Observation): void => {
    known.set(name, finish(step(accountOf(name), observation, SETTINGS)));
  };
  const keeperOf = () =>
    createMonthKeeper({
      directory,
      keep: 2,
      accounts: () => configured.map((name) => ({ name, account: accountOf(name) })),
      observe: async (name, observation) => observe(name, observation),
      timeZone: () => timeZone,
      disk: openDisk,
      reportFiles: () => {},
      clock,
      log: { ...silentLog, error: (_, text) => log.push(text), info: (_, text) => log.push(text) },
    });
  let keeper = keeperOf();
  return {
    log,
    account: () => accountOf('main'),
    configure: (...names: readonly string[]) => {
      configured = names;
    },
    restart: () => {
      keeper = keeperOf();
      elapsed = undefined;
    },
    move: (zone: string) => {
      timeZone = createTimeZone(zone);
    },
    running: (): string =>
      [...unwrittenDays([{ name: 'main', account: accountOf('main') }], timeZone, '2026-11')]
        .flatMap((day) =>
          day === undefined ? [] : Array.from(day.phones, (phone) => lineOf(day, phone, timeZone)),
        )
        .join('\n'),
    stepMachine: (milliseconds: number) => {
      clock.step(milliseconds);
      ahead += milliseconds;
    },
    /** Sets all clocks. */
    stepAll: (milliseconds: number) => clock.step(milliseconds),
    /** Lists phones until an instant, and looks after each list. */
    live: async (until: string, device: Partial<Device> = {}, interval = 30_000) => {
      for (; now() < Date.parse(until); clock.advance(interval)) {
        const at = now();
        const shown = healthyDevice({ id: 'a', lastHeartbeatAt: at, ...device });
        for (const name of configured) observe(name, listObservation([shown], at, interval, elapsed));
        elapsed = interval;
        await keeper();
      }
    },
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      elapsed = undefined;
      await keeper();
    },
    look: () => keeper(),
    lines: (month: string) => linesIn(directory, month, timeZone),
  };
}

/** Returns the date of a line, its seconds and its interruptions. */
const secondsOf = (line: string) => [line.slice(0, 10), ...line.split(',').slice(-8).map(Number)];

/** 23:00 in Berlin, in winter. */
const EVENING = '2026-11-23T22:00:00Z';

describe('a month file', () => {
  it('gets a line for each phone when a local day ends, with whole seconds', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:01:00Z');
    expect(await world.lines('2026-11')).toEqual([
      '2026-11-23,main,a,Rack A / 1,Rack A,Galaxy A14,3600,0,0,0,0,0,0,0',
    ]);
  });

  it.each([
    ['23 hours', '2026-03-28T22:59:00Z', '2026-03-29', 82_800],
    ['24 hours', '2026-03-29T21:59:00Z', '2026-03-30', 86_400],
    ['25 hours', '2026-10-24T21:59:00Z', '2026-10-25', 90_000],
  ])('has a day of %s once', async (_, from, date, seconds) => {
    const world = createWorld(from);
    const until = new Date(Date.parse(from) + seconds * 1_000 + 3 * 60_000).toISOString();
    await world.live(until, { rentalStatus: 'idle' }, 120_000);
    const days = (await world.lines(date.slice(0, 7))).filter((line) => line.startsWith(date));
    expect(days).toEqual([`${date},main,a,Rack A / 1,Rack A,Galaxy A14,0,0,0,${seconds},0,0,0,0`]);
  });

  it('has whole days though no poll is at midnight, and their times are irregular', async () => {
    const world = createWorld('2026-11-20T22:59:10Z');
    for (let hour = 0; hour < 4 * 24; hour += 1) {
      const until = new Date(Date.parse('2026-11-20T23:59:10Z') + hour * HOUR).toISOString();
      await world.live(until, {}, 300_000 + 1_700 * (hour % 7));
    }
    const [, ...whole] = await world.lines('2026-11');
    expect(whole.map(secondsOf)).toEqual([
      ['2026-11-21', 86_400, 0, 0, 0, 0, 0, 0, 0],
      ['2026-11-22', 86_400, 0, 0, 0, 0, 0, 0, 0],
      ['2026-11-23', 86_400, 0, 0, 0, 0, 0, 0, 0],
    ]);
  });

  it("has whole days although the machine's clock was set, since it is not the API's", async () => {
    const world = createWorld('2026-11-22T22:59:00Z');
    await world.live('2026-11-23T20:00:00Z', {}, 60_000);
    world.stepMachine(5 * HOUR);
    await world.live('2026-11-23T22:00:00Z', {}, 60_000);
    world.stepMachine(-6 * HOUR);
    await world.live('2026-11-24T23:02:00Z', {}, 60_000);
    const [, ...whole] = await world.lines('2026-11');
    expect(whole.map(secondsOf)).toEqual([
      ['2026-11-23', 86_400, 0, 0, 0, 0, 0, 0, 0],
      ['2026-11-24', 86_400, 0, 0, 0, 0, 0, 0, 0],
    ]);
  });

  it('is written again from the day on which a clock that was years ahead is set back', async () => {
    const world = createWorld('2031-05-01T10:00:00Z');
    await world.live('2031-05-01T10:05:00Z');
    world.stepAll(Date.parse(EVENING) - Date.parse('2031-05-01T10:05:00Z'));
    await world.live('2026-11-24T23:01:00Z');
    expect((await world.lines('2026-11')).map((line) => line.slice(0, 10))).toEqual([
      '2026-11-23',
      '2026-11-24',
    ]);
  });

  it('leaves the sums of its day with the account, until the next day is over', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:59:30Z');
    const dayBefore = () => DAYS.of(world.account()).at(-1)?.dayBefore;
    expect(dayBefore()).toBeUndefined();
    await world.live('2026-11-24T22:59:30Z', {}, 60_000);
    expect(dayBefore()).toMatchObject({ sold_online: HOUR, unknown: 0 });
    await world.live('2026-11-24T23:02:00Z', {}, 60_000);
    expect(dayBefore()).toMatchObject({ sold_online: 24 * HOUR, unknown: 0 });
  });

  it('has a line for each day on which the exporter did not run and nothing is known', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:30:00Z');
    world.restart();
    await world.pass(3 * 24 * HOUR);
    await world.live('2026-11-26T23:01:00Z');
    expect((await world.lines('2026-11')).map(secondsOf)).toEqual([
      ['2026-11-23', 1_770, 0, 0, 0, 0, 0, 1_830, 0],
      ['2026-11-24', 0, 0, 0, 0, 0, 0, 86_400, 0],
      ['2026-11-25', 0, 0, 0, 0, 0, 0, 86_400, 0],
      ['2026-11-26', 1_800, 0, 0, 0, 0, 0, 84_600, 0],
    ]);
  });

  it.each([
    ['Asia/Tokyo', '2026-11-24T15:00:00Z', 16 * 3_600],
    ['America/New_York', '2026-11-25T05:00:00Z', 30 * 3_600],
  ])('has days that adjoin where the owner moves to %s', async (zone, ends, seconds) => {
    const world = createWorld('2026-11-23T22:59:00Z');
    await world.live('2026-11-24T08:00:00Z', { rentalStatus: 'idle' }, 60_000);
    world.move(zone);
    const later = new Date(Date.parse(ends) + 24 * HOUR + 3 * 60_000).toISOString();
    await world.live(later, { rentalStatus: 'idle' }, 60_000);
    expect((await world.lines('2026-11')).slice(1).map(secondsOf)).toEqual([
      ['2026-11-24', 0, 0, 0, seconds, 0, 0, 0, 0],
      ['2026-11-25', 0, 0, 0, 86_400, 0, 0, 0, 0],
    ]);
  });

  it('loses nothing where the owner flies around the world', async () => {
    const world = createWorld('2026-10-30T12:00:00Z');
    const stops = ['Europe/Kyiv', 'Pacific/Apia', 'America/Los_Angeles', 'Pacific/Kiritimati', 'UTC'];
    for (const [index, zone] of stops.entries()) {
      world.move(zone);
      const until = new Date(Date.parse('2026-10-30T12:00:00Z') + 20 * (index + 1) * HOUR).toISOString();
      await world.live(until, { rentalStatus: 'idle' }, 60_000);
    }
    const lines = [...(await world.lines('2026-10')), ...(await world.lines('2026-11'))];
    const days = [...lines, world.running()].map(secondsOf);
    const sum = (index: number) => days.reduce((total, day) => total + Number(day[index]), 0);
    expect(Math.abs(sum(4) - 100 * 3_600)).toBeLessThanOrEqual(60);
    expect(sum(7)).toBeLessThanOrEqual(60);
    expect(new Set(days.map(([date]) => date)).size).toBe(days.length);
  });

  it("leaves out the current day, which lasts until the last poll whatever the machine's clock says", async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:30:30Z');
    world.stepMachine(5 * HOUR);
    expect(secondsOf(world.running())).toEqual(['2026-11-23', 1_800, 0, 0, 0, 0, 0, 0, 0]);
  });

  it('has no day twice after a restart, and continues with the day that the account remembers', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:30:00Z');
    world.restart();
    await world.pass(HOUR);
    await world.live('2026-11-23T23:31:00Z');
    world.restart();
    await world.look();
    expect((await world.lines('2026-11')).map((line) => line.slice(0, 10))).toEqual(['2026-11-23']);
    expect(DAYS.of(world.account()).map(({ date }) => date)).toEqual(['2026-11-24']);
  });

  it('is written next to the remains of a crash, which are removed', async () => {
    const directory = join(folder, 'months');
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:59:00Z');
    writeDayFile(directory, '2026-11-22', [accountDay('2026-11-22', BERLIN, [phoneDay('a', [86_400])])]);
    const leftover = join(directory, '2026-11-23.jsonl.tmp-other-1');
    writeFileSync(leftover, '{"format":');
    utimesSync(leftover, 0, 0);
    await world.live('2026-11-23T23:01:00Z');
    const dates = (await world.lines('2026-11')).map((line) => line.slice(0, 10));
    expect(dates).toEqual(['2026-11-22', '2026-11-23']);
    expect(readdirSync(directory)).toEqual(['2026-11-22.jsonl', '2026-11-23.jsonl']);
  });

  it('stays unchanged if the account already has it, and a link in its place stays a link', async () => {
    const directory = join(folder, 'months');
    writeDayFile(folder, '2026-11-23', [accountDay('2026-11-23', BERLIN, [phoneDay('a', [1, 2, 3])])]);
    mkdirSync(directory);
    symlinkSync(join(folder, '2026-11-23.jsonl'), join(directory, '2026-11-23.jsonl'));
    const world = createWorld(EVENING);
    await world.live('2026-11-25T23:01:00Z', {}, 60_000);
    const [first, ...others] = await world.lines('2026-11');
    expect(first).toContain('2026-11-23,main,a,rack-01/1,rack-01,M1,1,2,3,');
    expect(others).toHaveLength(2);
    expect(DAYS.of(world.account())).toHaveLength(1);
  });

  it('stays in memory for a week at most while its folder cannot be written', async () => {
    writeFileSync(join(folder, 'months'), 'a file in its place');
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:02:00Z');
    for (let day = 0; day < 10; day += 1) await world.pass(24 * HOUR);
    expect(DAYS.of(world.account())).toHaveLength(8);
  });

  it('loses no day while its folder cannot be written, and says so once', async () => {
    const directory = join(folder, 'months');
    writeFileSync(directory, 'a file in its place');
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:02:00Z');
    await world.pass(24 * HOUR);
    expect(world.log).toHaveLength(1);
    rmSync(directory);
    await world.look();
    const dates = (await world.lines('2026-11')).map((line) => line.slice(0, 10));
    expect(dates).toEqual(['2026-11-23', '2026-11-24']);
    expect(world.log.at(-1)).toBe('writing the month files works again');
  });

  it('keeps the day of other accounts where one returns to the configuration that was away over midnight', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:30:00Z');
    world.configure('main', 'other');
    await world.live('2026-11-23T22:40:00Z');
    world.configure('main');
    await world.live('2026-11-23T23:10:00Z');
    world.configure('main', 'other');
    await world.live('2026-11-23T23:20:00Z');
    const lines = await world.lines('2026-11');
    expect(lines.map((line) => line.split(',').slice(0, 3).join(' '))).toEqual([
      '2026-11-23 main a',
      '2026-11-23 other a',
    ]);
  });

  it('is removed when there are more than are kept', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:02:00Z');
    for (let month = 0; month < 3; month += 1) await world.pass(31 * 24 * HOUR);
    const months = readdirSync(join(folder, 'months')).map((name) => name.slice(0, 7));
    expect([...new Set(months)]).toEqual(['2026-12', '2027-01']);
  });
});

describe('the file of a day', () => {
  it('is read as it was written, and not where it is damaged, cut off or of another version', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:01:00Z');
    const path = join(folder, 'months', '2026-11-23.jsonl');
    const text = readFileSync(path, 'utf8');
    const problemOf = async (changed: string): Promise<string> => {
      writeFileSync(path, changed);
      return await world.lines('2026-11').then(
        () => '',
        (error: Error) => error.message.replace(path, 'FILE'),
      );
    };
    expect(await problemOf(text.replace('Rack A', 'Rack B'))).toBe(
      'FILE is damaged or truncated: restore it or remove it',
    );
    expect(await problemOf(text.slice(0, -1))).toBe('FILE is damaged or truncated: restore it or remove it');
    expect(await problemOf(text.slice(0, 200))).toBe('FILE is damaged or truncated: restore it or remove it');
    expect(await problemOf(text.replace('"version":1', '"version":2'))).toMatch(
      /^FILE has an unknown format/,
    );
    expect(await problemOf('')).toMatch(/^FILE has an unknown format/);
    expect(await problemOf(text)).toBe('');
  });

  it('has times that add up to the day where its columns have parts of a second', () => {
    const day = { date: '2026-11-23', account: 'main', from: 0, to: 86_400_000 };
    const phone = phoneDay('a', [80_000.5, 0, 3_399, 3_000.5]);
    expect(secondsOf(lineOf(day, phone, createTimeZone('UTC')))).toEqual([
      ...['2026-11-23', 80_001, 0, 3_399, 3_000, 0, 0, 0, 0],
    ]);
  });
});
