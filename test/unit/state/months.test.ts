import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { step } from '../../../src/judgement/step.ts';
import { finish } from '../../../src/judgement/steps.ts';
import { type Account, NEW_ACCOUNT } from '../../../src/model/account.ts';
import type { Device } from '../../../src/model/device.ts';
import { createMonthKeeper, linesOfDay } from '../../../src/state/months.ts';
import { createTimeZone } from '../../../src/time-zone.ts';
import { healthyDevice, STEP_SETTINGS } from '../../builders.ts';
import { createFakeClock } from '../../fake-clock.ts';
import { silentLog } from '../../silent-log.ts';

const HOUR = 3_600_000;
const BERLIN = createTimeZone('Europe/Berlin');
const HEADER =
  'date,account,device_id,label,group,model,sold_reporting,sold_silent,self_rented,idle,other,planned,unknown,interruptions';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hoster-months-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An account that is listed each half minute, with a keeper of month files. */
function createWorld(from: string, directory = join(folder, 'months')) {
  const clock = createFakeClock();
  clock.step(Date.parse(from) - clock.now());
  let account: Account = NEW_ACCOUNT;
  let elapsed: number | undefined;
  const log: string[] = [];
  const keeperOf = () =>
    createMonthKeeper({
      directory,
      keep: 2,
      accounts: () => [{ name: 'main', account }],
      observe: async (_, observation) => {
        account = finish(step(account, observation, STEP_SETTINGS));
      },
      timeZone: () => BERLIN,
      clock,
      log: { ...silentLog, error: (_, text) => log.push(text), info: (_, text) => log.push(text) },
    });
  let keeper = keeperOf();
  return {
    log,
    account: () => account,
    restart: () => {
      keeper = keeperOf();
      elapsed = undefined;
    },
    /** Lists phones until an instant, and looks after each list. */
    live: async (until: string, device: Partial<Device> = {}, interval = 30_000) => {
      for (; clock.now() < Date.parse(until); clock.advance(interval)) {
        const at = clock.now();
        const shown = healthyDevice({ id: 'a', lastHeartbeatAt: at, ...device });
        const times = { elapsed, dueIn: interval, slack: interval };
        const listing = { pages: 1, passes: 1, complete: true, rejected: 0, faulty: false };
        const devices = new Map([['a', { device: shown, listedAt: at }]]);
        account = finish(
          step(account, { kind: 'list', times, devices, reported: 1, apiTime: at, listing }, STEP_SETTINGS),
        );
        elapsed = interval;
        await keeper.look();
      }
    },
    pass: async (milliseconds: number) => {
      clock.advance(milliseconds);
      elapsed = undefined;
      await keeper.look();
    },
    look: () => keeper.look(),
    lines: (month: string) =>
      readFileSync(join(directory, `${month}.csv`), 'utf8')
        .trimEnd()
        .split('\n'),
  };
}

/** 23:00 in Berlin, in winter. */
const EVENING = '2026-11-23T22:00:00Z';

describe('a month file', () => {
  it('gets a line for each phone when a local day ends, with whole seconds', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:01:00Z');
    expect(world.lines('2026-11')).toEqual([
      HEADER,
      '2026-11-23,main,a,Rack A / 1,Rack A,Galaxy A14,3600,0,0,0,0,0,0,0',
    ]);
  });

  it('has a day of 25 hours once', async () => {
    const world = createWorld('2026-10-24T21:59:00Z');
    await world.live('2026-10-25T23:02:00Z', { rentalStatus: 'idle' }, 60_000);
    const [, , long = ''] = world.lines('2026-10');
    expect(long).toMatch(/^2026-10-25,/);
    expect(
      long
        .split(',')
        .slice(-8)
        .map(Number)
        .reduce((sum, each) => sum + each),
    ).toBe(25 * 3_600);
  });

  it('has no day twice after a restart, and goes on with the day that the account remembers', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:30:00Z');
    world.restart();
    await world.pass(HOUR);
    world.restart();
    await world.look();
    expect(world.lines('2026-11').map((line) => line.slice(0, 10))).toEqual(['date,accou', '2026-11-23']);
    expect(world.account().days.map(({ date }) => date)).toEqual(['2026-11-24']);
  });

  it('gets a day again of which a crash left a part', async () => {
    const directory = join(folder, 'months');
    const world = createWorld(EVENING);
    await world.live('2026-11-23T22:59:00Z');
    mkdirSync(directory);
    const before = `${HEADER}\n2026-11-22,main,a,,,,86400,0,0,0,0,0,0,0\n`;
    const part = '2026-11-23,main,a,,,,1,0,0,0,0,0,0,0\n2026-11-23,main,b,';
    writeFileSync(join(directory, '2026-11.csv'), before + part);
    await world.live('2026-11-23T23:01:00Z');
    expect(world.lines('2026-11').map((line) => line.slice(0, 10))).toEqual([
      'date,accou',
      '2026-11-22',
      '2026-11-23',
    ]);
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
    expect(world.lines('2026-11').map((line) => line.slice(0, 10))).toEqual([
      'date,accou',
      '2026-11-23',
      '2026-11-24',
    ]);
    expect(world.log.at(-1)).toBe('the month files are written again');
  });

  it('is removed when there are more than are kept', async () => {
    const world = createWorld(EVENING);
    await world.live('2026-11-23T23:02:00Z');
    for (let month = 0; month < 3; month += 1) await world.pass(31 * 24 * HOUR);
    expect(readdirSync(join(folder, 'months'))).toHaveLength(2);
  });
});

describe('a line', () => {
  const entry = {
    group: '',
    model: '',
    firstListedAt: 0,
    milliseconds: {},
    interruptions: 0,
    leftAt: undefined,
  };
  const lineFor = (label: string) => {
    const devices = new Map([['a', { ...entry, label }]]);
    const start = { date: '2026-11-23', devices };
    return [...linesOfDay([{ account: 'main', start, end: devices }], { from: 0, to: 1_000 })].join('');
  };

  it.each(['=1+1', '+1', '-1', '@SUM(A1)'])(
    'has a label that begins like a formula as a text: %s',
    (label) => {
      expect(lineFor(label)).toContain(`a,"'${label}",`);
    },
  );

  it('quotes commas and quotes', () => {
    expect(lineFor('say "hi", you')).toContain('a,"say ""hi"", you",');
  });
});
