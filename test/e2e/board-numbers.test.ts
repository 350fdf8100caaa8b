import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRecorder } from '../../packaging/demo-history.mjs';
import { yieldToEventLoop } from '../../src/base/clock.ts';
// Brings the sums of money to the document.
import '../../src/features/history/document.ts';
import type { MonthDocument, MonthDocumentDay } from '../../src/features/month/document.ts';
import type { FleetDocument, FleetPhone } from '../../src/fleet/document.ts';
import type { StandInPhone } from '../integration/stand-in-api.ts';
import { createVirtualDaemon, HOUR, MINUTE, type VirtualDaemon } from '../integration/virtual-daemon.ts';
import { BOARDS, panelsOf } from '../unit/grafana/board.ts';
import { fill } from './grafana.ts';
import { type Prometheus, startPrometheus } from './prometheus.ts';

/*
 * The numbers of the boards in a real Prometheus against the JSON of the daemon at the same instant. The daemon lives for two
 * days under a clock that the test moves, and is scraped after each poll.
 */

const STEP = 5 * MINUTE;

/** Sold, idle and self-rented phones in two racks and without a rack. */
const PHONES: readonly StandInPhone[] = [
  ...phones('rack-01', ['sold', 'sold', 'idle', 'self_rented', 'sold']),
  ...phones('rack-02', ['sold', 'sold', 'sold', 'idle']),
  ...phones('', ['sold', 'idle', 'self_rented']),
];

function phones(rack: string, statuses: readonly string[]): readonly StandInPhone[] {
  return statuses.map((rentalStatus, index) => ({
    deviceId: `${rack || 'loose'}-${index + 1}`,
    label: rack === '' ? `phone ${index + 1}` : `${rack}/${index + 1}`,
    rentalStatus,
    ...(rentalStatus === 'self_rented' ? { selfRent: { status: 'active' } } : {}),
    model: index % 2 === 0 ? 'Pixel 6' : 'Galaxy A14',
  }));
}

/** Phones that are offline, in hours since the start. */
const OFFLINE: readonly (readonly [phone: RegExp, from: number, to: number])[] = [
  [/^rack-01-2$/, 18, 19],
  [/^rack-01-1$/, 48, 99],
  [/^rack-01-5$/, 50, 99],
  [/^rack-02/, 50.5, 99],
];

/** The available balance, from hours since the start. */
const BALANCE: readonly (readonly [from: number, cents: number])[] = [
  [0, 1_000],
  [22, 1_700],
  [27, 1_400],
  [44, 2_600],
];

const END = 52;
const folder = mkdtempSync(join(tmpdir(), 'hoster-numbers-'));
let daemon: VirtualDaemon;
let prometheus: Prometheus;
let fleet: FleetDocument;
let byPhone: MonthDocument;
let byGroup: MonthDocument;
let start = 0;
let now = 0;

async function json<Content>(path: string): Promise<Content> {
  return JSON.parse((await daemon.ask(path)).body);
}

/** Resolves once the balance has been read at the present instant, as the devices have. */
async function polled(): Promise<void> {
  const at = new Date(daemon.clock.now()).toISOString();
  for (;;) {
    const { accounts } = await json<FleetDocument>('/api/v1/fleet?phones=no');
    if (accounts.every(({ readings }) => readings.balance.lastSuccessAt === at)) return;
    await yieldToEventLoop();
  }
}

/** Moves the world to an hour since the start. */
function turn(hour: number): void {
  const { api } = daemon;
  api.availableCents = BALANCE.findLast(([from]) => from <= hour)?.[1] ?? 0;
}

/** An offline phone keeps its last heartbeat; the others have one at each poll. */
function heartbeatAt(phone: string, hour: number): number {
  const [, from] = OFFLINE.find(([each, from, to]) => each.test(phone) && hour >= from && hour < to) ?? [];
  return start + (from ?? hour) * HOUR;
}

beforeAll(async () => {
  const hourNow = () => (daemon.clock.now() - start) / HOUR;
  daemon = await createVirtualDaemon(folder, {
    phones: PHONES,
    heartbeatAt: (phone) => heartbeatAt(phone, hourNow()),
  });
  start = daemon.clock.now();
  const account = { name: 'main', api_url: daemon.api.url, api_key_file: '/etc/hoster.key' };
  daemon.configure({
    accounts: [{ ...account, currency: 'EUR', balance_low_cents: 500 }],
    months: { directory: join(folder, 'months') },
    time_zone: 'UTC',
    maintenance: [{ name: 'moving', devices: ['rack-01-5'], schedule: '0 15 3 3 *', duration: '3h' }],
  });
  turn(0);
  await daemon.start();
  const recorder = createRecorder('instance="i",job="hoster"');
  for (let hour = 0; hour <= END; hour += STEP / HOUR) {
    if (hour > 0) {
      turn(hour);
      await daemon.live(STEP);
    }
    await polled();
    recorder.record((await daemon.ask('/metrics')).body, daemon.clock.now());
  }
  now = daemon.clock.now() / 1000;
  fleet = await json('/api/v1/fleet');
  byPhone = await json('/api/v1/month?month=2026-03');
  byGroup = await json('/api/v1/month?month=2026-03&by=group');
  const text = join(folder, 'world.om');
  writeFileSync(text, [...recorder.text()].join(''));
  const blocks = ['tsdb', 'create-blocks-from', '--max-block-duration=768h', 'openmetrics', text];
  const loaded = spawnSync('promtool', [...blocks, join(folder, 'data')], { encoding: 'utf8' });
  if (loaded.status !== 0) throw new Error(loaded.stderr);
  prometheus = await startPrometheus(folder, 'global: {}', ['--storage.tsdb.retention.time=10y']);
}, 300_000);

afterAll(async () => {
  await prometheus?.stop();
  await daemon?.close();
  rmSync(folder, { recursive: true, force: true });
});

const ANY = {
  ...{ job: '.+', account: '.+', group: '.*', only: '.+', limit: '1000', device_id: 'rack-01-1' },
  ...{ open: '.+', racks: '.*', problem: '.+', listed: '.+', worst: '.+', idle: '.+', costliest: '.+' },
};

/** When a panel is looked at, and what time its dashboard shows then; by default the end of the world and a day. */
type Look = { readonly at?: number; readonly hours?: number };

/** Values of a query of a panel by the values of a label; one without the label is under ''. */
async function shown(
  file: string,
  title: string,
  refId: string,
  label: string,
  { at = now, hours = 24 }: Look,
): Promise<Readonly<Record<string, number>>> {
  const targets = BOARDS.filter((board) => board.file === `${file}.json`)
    .flatMap(panelsOf)
    .filter((panel) => panel.title === title)
    .flatMap((panel) => panel.targets ?? []);
  const expression = targets.find((target) => target.refId === refId)?.expr ?? '';
  const variables = { ...ANY, first: String(start / 1000), last: String(now) };
  const filling = { rangeSeconds: hours * 3_600, end: at, stepSeconds: 60, variables };
  const samples = await prometheus.query(fill(expression, filling), at);
  return Object.fromEntries(samples.map(({ metric, value }) => [metric[label] ?? '', Number(value[1])]));
}

const totals = () => fleet.accounts[0]?.totals;
const problems = () => totals()?.problems;
const offline = () => sum(['sold_offline', 'self_rented_offline', 'offline'].map(ofProblem));
const ofProblem = (problem: string): number =>
  fleet.phones.filter((phone) => phone.problem === problem).length;
const sum = (numbers: readonly (number | undefined)[]): number =>
  numbers.reduce<number>((all, number) => all + (number ?? 0), 0);
const count = (holds: (phone: FleetPhone) => boolean): number => fleet.phones.filter(holds).length;
const inRack = (holds: (phone: FleetPhone) => boolean) => ({
  'rack-01': count((phone) => phone.group === 'rack-01' && holds(phone)),
  'rack-02': count((phone) => phone.group === 'rack-02' && holds(phone)),
  '': count((phone) => (phone.group ?? '') === '' && holds(phone)),
});
const phone = () => fleet.phones.find(({ id }) => id === ANY.device_id);
/** Values of phones in the month; a phone without time in a column has no series of it. */
const monthOf = (field: 'sold_online' | 'sold_offline' | 'idle') =>
  Object.fromEntries(byPhone.rows.filter((row) => row[field] > 0).map((row) => [row.id ?? '', row[field]]));
const interruptions = () => Object.fromEntries(byPhone.rows.map((row) => [row.id ?? '', row.interruptions]));
const groupsOf = (field: 'sold_online' | 'sold_offline' | 'idle' | 'interruptions' | 'phones') =>
  Object.fromEntries(byGroup.rows.map((row) => [row.name, row[field]]));
const hours = (numbers: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(numbers).map(([key, seconds]) => [key, seconds / 3_600]));
const instantOf = (text: string | undefined): number => Date.parse(text ?? '');
const dayOf = (date: string): MonthDocumentDay | undefined => byPhone.days?.find((day) => day.date === date);
const secondDay = (column: keyof Omit<MonthDocumentDay, 'date'>): number =>
  dayOf('2026-03-02')?.[column] ?? 0;
const sold = () =>
  sum(
    (['sold_online_seconds', 'sold_offline_seconds', 'maintenance_seconds'] as const).map((column) =>
      secondDay(column),
    ),
  );
const known = () =>
  sold() + secondDay('idle_seconds') + secondDay('self_rented_seconds') + secondDay('other_seconds');
const today = () => fleet.observed[0]?.today;
const month = () => fleet.observed[0]?.month;
const balance = () => fleet.accounts[0]?.balance;
const lastRead = () => instantOf(fleet.accounts[0]?.readings.devices.lastSuccessAt);
const open = () => fleet.incidents.filter(({ endedAt }) => endedAt === undefined);

/** The start of the second day, and the end of it. */
const SECOND_DAY = { at: Date.parse('2026-03-02T00:00:00Z') / 1000 };
const SECOND_DAY_SHOWN = { at: Date.parse('2026-03-03T00:00:00Z') / 1000 };
/** From one o'clock on, the sums of the second day are shown. */
const TODAY = { hours: 15 };
const ALL = { hours: END };

type Numbers = Readonly<Record<string, number | undefined>>;

/** A query, by which label its values are named, and what the JSON says. */
type Compared = readonly [
  file: string,
  title: string,
  refId: string,
  label: string,
  expected: () => number | undefined | Numbers,
  look?: Look,
];

const COMPARED: readonly Compared[] = [
  ['fleet', 'Phones', 'A', '', () => fleet.causes.length],
  ['fleet', 'Phones', 'B', '', () => problems()?.sold_offline],
  ['fleet', 'Phones', 'C', '', offline],
  ['fleet', 'Phones', 'D', '', () => count(({ problem = '' }) => problem.startsWith('tunnel_'))],
  ['fleet', 'Fleet', 'A', '', () => totals()?.online],
  ['fleet', 'Fleet', 'B', '', () => totals()?.phones],
  ['fleet', 'Fleet', 'C', '', () => problems()?.in_maintenance],
  ['fleet', 'Fleet', 'D', '', () => sum([totals()?.sold, totals()?.selfRented])],
  ['fleet', 'Fleet', 'E', '', () => (dayOf('2026-03-03')?.sold_offline_seconds ?? 0) / 3_600],
  ['fleet', 'Balance', 'A', 'currency', () => ({ EUR: (balance()?.availableCents ?? 0) / 100 })],
  ['fleet', 'Balance', 'B', 'account', () => ({ main: 5 })],
  ['fleet', 'Balance', 'C', 'account', () => ({ main: (today()?.increaseCents ?? 0) / 100 })],
  ['fleet', 'Racks', 'A', 'group', () => inRack(({ online }) => online)],
  ['fleet', 'Racks', 'B', 'group', () => inRack(({ problem }) => problem === 'sold_offline')],
  ['fleet', 'Racks', 'C', 'group', () => inRack(({ problem }) => problem === 'offline')],
  ['fleet', 'Racks', 'E', 'group', () => inRack(({ problem }) => problem === 'in_maintenance')],
  [
    'fleet',
    'Firing alerts',
    'A',
    'incident',
    () => Object.fromEntries(open().map(({ id, since }) => [id, instantOf(since)])),
  ],
  [
    'fleet',
    'Firing alerts',
    'B',
    'incident',
    () =>
      Object.fromEntries(open().flatMap(({ id, phones }) => (phones === undefined ? [] : [[id, phones]]))),
  ],
  [
    'fleet',
    'Maintenance',
    'A',
    'maintenance',
    () => Object.fromEntries(fleet.maintenance.map(({ id, phones }) => [id, phones])),
  ],
  [
    'fleet',
    'Maintenance',
    'B',
    'maintenance',
    () => Object.fromEntries(fleet.maintenance.map(({ id, until }) => [id, instantOf(until)])),
  ],
  ['fleet', 'Accounts', 'A', 'account', () => ({ main: lastRead() })],
  ['fleet', 'Accounts', 'C', 'account', () => ({ main: offline() })],
  ['fleet', 'Accounts', 'D', 'account', () => ({ main: totals()?.sold })],
  [
    'fleet',
    'Problems by kind',
    'A',
    'problem',
    () => Object.fromEntries(Object.entries(problems() ?? {}).filter(([, number]) => number > 0)),
  ],
  ['money', 'Available', 'A', 'currency', () => ({ EUR: (balance()?.availableCents ?? 0) / 100 })],
  ['money', 'Pending', 'A', 'currency', () => ({ EUR: (balance()?.pendingCents ?? 0) / 100 })],
  ['money', 'In, 24 h', 'A', 'account', () => ({ main: (today()?.increaseCents ?? 0) / 100 })],
  [
    'money',
    'A sold day',
    'A',
    'account',
    () => ({ main: (((today()?.increaseCents ?? 0) / 100) * (86_400 / (15 * 3_600))) / (sold() / 86_400) }),
    TODAY,
  ],
  ['money', 'Sold share', 'A', '', () => sold() / known(), TODAY],
  [
    'money',
    'Hours by day',
    'A',
    'column',
    () =>
      hours({
        sold_online: secondDay('sold_online_seconds'),
        sold_offline: secondDay('sold_offline_seconds'),
        self_rented: secondDay('self_rented_seconds'),
        idle: secondDay('idle_seconds'),
        other: 0,
        maintenance: secondDay('maintenance_seconds'),
        unknown: secondDay('unknown_seconds'),
      }),
    SECOND_DAY,
  ],
  [
    'money',
    'Movements per day',
    'A',
    'account',
    () => ({ main: ((month()?.increaseCents ?? 0) - (today()?.increaseCents ?? 0)) / 100 }),
    SECOND_DAY,
  ],
  [
    'money',
    'Movements per day',
    'B',
    'account',
    () => ({ main: ((today()?.decreaseCents ?? 0) - (month()?.decreaseCents ?? 0)) / 100 }),
    SECOND_DAY,
  ],
  ['money', 'Accounts', 'E', 'account', () => ({ main: (month()?.increaseCents ?? 0) / 100 }), ALL],
  ['money', 'Accounts', 'F', 'account', () => ({ main: (month()?.decreaseCents ?? 0) / 100 }), ALL],
  [
    'money',
    'Rented share by account',
    'A',
    'account',
    () => ({ main: sum([totals()?.sold, totals()?.selfRented]) / (totals()?.phones ?? 0) }),
  ],
  ['month', 'The month', 'A', '', () => sold() / 3_600, SECOND_DAY],
  ['month', 'The month', 'B', '', () => secondDay('sold_offline_seconds') / 3_600, SECOND_DAY],
  [
    'month',
    'The month: shares',
    'A',
    '',
    () =>
      secondDay('sold_online_seconds') /
      (secondDay('sold_online_seconds') + secondDay('sold_offline_seconds')),
    SECOND_DAY_SHOWN,
  ],
  ['month', 'The month: shares', 'B', '', () => sold() / known(), SECOND_DAY_SHOWN],
  ['month', 'Phones with most sold hours lost', 'A', 'device_id', () => hours(monthOf('sold_offline')), ALL],
  ['month', 'Phones with most sold hours lost', 'B', 'device_id', () => hours(monthOf('sold_online')), ALL],
  ['month', 'Phones with most sold hours lost', 'C', 'device_id', () => hours(monthOf('idle')), ALL],
  ['month', 'Phones with most sold hours lost', 'D', 'device_id', interruptions, ALL],
  ['month', 'Balance by account', 'B', 'account', () => ({ main: (month()?.increaseCents ?? 0) / 100 }), ALL],
  ['month', 'Balance by account', 'D', 'account', () => ({ main: (balance()?.totalCents ?? 0) / 100 }), ALL],
  ['device', 'Heartbeat', 'A', 'device_id', () => ({ [ANY.device_id]: phone()?.heartbeatAgeSeconds })],
  ['device', 'Heartbeat', 'B', 'device_id', () => ({ [ANY.device_id]: phone()?.offlineAfterSeconds })],
  ['device', 'State', 'A', 'problem', () => ({ [phone()?.problem ?? '']: 1 })],
  ['device', 'Details', 'A', 'device_id', () => ({ [ANY.device_id]: instantOf(phone()?.problemSince) })],
  [
    'device',
    'Use of its time',
    'A',
    'column',
    () =>
      Object.fromEntries(
        (['sold_online', 'sold_offline'] as const).map((column) => [column, monthOf(column)[ANY.device_id]]),
      ),
    ALL,
  ],
  ['tunnels', 'Tunnels', 'A', '', () => totals()?.selfRented],
  ['tunnels', 'Tunnels', 'B', '', () => count(({ tunnel }) => tunnel?.uptimeStatus === 'up')],
  [
    'tunnels',
    'Tunnels',
    'C',
    '',
    () => count(({ tunnel }) => tunnel?.live === true && tunnel.uptimeStatus !== 'up'),
  ],
  ['tunnels', 'Tunnels', 'D', '', () => count(({ tunnel }) => tunnel?.live === false)],
  ['exporter', 'Accounts', 'A', 'account', () => ({ main: lastRead() })],
  ['exporter', 'Accounts', 'C', 'account', () => ({ main: totals()?.phones })],
  ['exporter', 'Accounts', 'D', 'account', () => ({ main: fleet.phones.length })],
  ['exporter', 'Data', 'D', '', lastRead],
];

describe('at the same instant, the boards and the JSON have the same numbers', () => {
  it('in a world in which each of them has something to say', () => {
    expect(fleet.causes).toHaveLength(1);
    expect(problems()).toMatchObject({ sold_offline: 4, offline: 1, in_maintenance: 1 });
    expect(month()).toMatchObject({ increaseCents: 1_900, decreaseCents: 300 });
    expect(secondDay('sold_offline_seconds')).toBeGreaterThan(0);
  });

  it.each(COMPARED.map((compared) => [...compared.slice(0, 3), compared] as const))(
    '%s.json: %s %s',
    async (...[, , , compared]) => {
      const [file, title, refId, label, expected, look = {}] = compared as Compared;
      const found = await shown(file, title, refId, label, look);
      const value = expected();
      const numbers = typeof value === 'object' ? value : { '': value };
      expect(Object.keys(found).sort()).toEqual(Object.keys(numbers).sort());
      for (const [key, number] of Object.entries(numbers))
        expect(found[key]).toBeCloseTo(number ?? Number.NaN, 2);
    },
  );

  it.each(['sold_offline', 'sold_online', 'idle', 'interruptions'] as const)(
    'month.json: By group: %s, the difference of two instants',
    async (field) => {
      const letter = 'ABCD'[['sold_offline', 'sold_online', 'idle', 'interruptions'].indexOf(field)] ?? '';
      expect(letter).not.toBe('');
      const numbers = groupsOf(field);
      const expected = field === 'interruptions' ? numbers : hours(numbers);
      const title = 'By group, the most interrupted first';
      const ofRacks = await shownByGroup(title, letter);
      for (const rack of ['rack-01', 'rack-02'])
        expect(ofRacks[rack]).toBeCloseTo(expected[rack] ?? Number.NaN, 2);
    },
  );
});

/** Sums over models, as the table adds them up. */
async function shownByGroup(title: string, refId: string): Promise<Readonly<Record<string, number>>> {
  const board = BOARDS.find(({ file }) => file === 'month.json');
  const panel = board && panelsOf(board).find((each) => each.title === title);
  const expression = panel?.targets?.find((target) => target.refId === refId)?.expr ?? '';
  const variables = { ...ANY, first: String(start / 1000), last: String(now) };
  const filled = fill(expression, { rangeSeconds: END * 3_600, end: now, stepSeconds: 60, variables });
  const samples = await prometheus.query(`sum by(group)(${filled})`, now);
  return Object.fromEntries(samples.map(({ metric, value }) => [metric['group'] ?? '', Number(value[1])]));
}
