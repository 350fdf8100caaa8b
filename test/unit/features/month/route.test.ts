import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { HangingFile } from '../../../../src/base/disk.ts';
import { createTimeZone, midnightOf } from '../../../../src/base/time-zone.ts';
import type { AccountDay, PhoneDay } from '../../../../src/features/month/days.ts';
import { createMonthResponse } from '../../../../src/features/month/route.ts';
import { NO_CAUSES } from '../../../../src/model/cause.ts';
import type { Price } from '../../../../src/model/money.ts';
import type { Snapshot } from '../../../../src/model/snapshot.ts';
import { openDisk } from '../../../open-disk.ts';
import { requestOf } from '../../../route-sources.ts';
import { silentLog } from '../../../silent-log.ts';
import { folderOfFile } from '../../temporary-folder.ts';
import { accountDay, phoneDay, writeDayFile } from './day-files.ts';

const directory = folderOfFile();

const BERLIN = createTimeZone('Europe/Berlin');
const write = (date: string, ...phones: readonly PhoneDay[]): void =>
  writeDayFile(directory, date, [accountDay(date, BERLIN, phones)]);

write(
  '2026-02-01',
  phoneDay('p1', [3_000, 1_000], { interruptions: 2 }),
  phoneDay('p2', [4_000], { label: '=1+1' }),
);
write('2026-02-02', phoneDay('p1', [4_000], { interruptions: 1 }));

const warnings: string[] = [];
const SOURCES: Parameters<typeof createMonthResponse>[0] = {
  directory,
  present: () => '2026-02',
  unwritten: (): readonly AccountDay[] => [],
  prices: () => [],
  properties: () => ['carrier'],
  propertiesOf: () => (id: string) => new Map(id === 'p1' ? [['carrier', 'Kyivstar']] : []),
  timeZone: () => BERLIN,
  disk: openDisk,
  // Each request has a snapshot of its own, so that none shares a result with another.
  snapshot: (): Snapshot => ({ accounts: [], causes: NO_CAUSES, events: [] }),
  yieldToEventLoop: async () => {},
  log: { ...silentLog, warn: (_: object, text: string) => void warnings.push(text) },
};
const answerOf = async (own: Partial<typeof SOURCES>, query: string, accept?: string) => {
  const respond = createMonthResponse({ ...SOURCES, ...own });
  const reply = await respond(requestOf({ query: new URLSearchParams(query), accept }));
  return { status: reply.status, text: Buffer.concat(reply.content).toString(), headers: reply.headers };
};
const ask = (query: string, accept?: string) => answerOf({}, query, accept);
/** The month as JSON, from other sources. */
const monthOf = async (own: Partial<typeof SOURCES>, query: string) =>
  JSON.parse((await answerOf(own, query)).text);

it('the month is the one that runs, phone by phone, the worst first', async () => {
  const { status, text } = await ask('');
  expect(status).toBe(200);
  expect(JSON.parse(text)).toMatchObject({
    month: '2026-02',
    by: 'phone',
    rows: [
      {
        id: 'p1',
        name: 'rack-01/1',
        sold_online: 7_000,
        sold_offline: 1_000,
        interruptions: 3,
        availability: 0.875,
      },
      { id: 'p2', name: '=1+1', sold_online: 4_000, sold_offline: 0 },
    ],
  });
});

it('a group adds up its phones, and has no id', async () => {
  const { rows } = JSON.parse((await ask('by=group')).text);
  expect(rows).toMatchObject([{ name: 'rack-01', phones: 2, sold_online: 11_000 }]);
  expect(rows[0]).not.toHaveProperty('id');
});

it('a tag adds up the phones that have a value of it', async () => {
  const { rows } = JSON.parse((await ask('by=tag:carrier')).text);
  expect(rows).toMatchObject([
    { name: 'Kyivstar', phones: 1 },
    { name: '', phones: 1 },
  ]);
  expect((await ask('by=tag:owner')).text).toContain('by=tag:carrier');
});

it('the month of one phone has its days alone', async () => {
  const { rows, days } = JSON.parse((await ask('account=main&phone=p1')).text);
  expect(rows).toMatchObject([{ id: 'p1', sold_online: 7_000 }]);
  expect(days).toMatchObject([
    { date: '2026-02-01', sold_online_seconds: 3_000, sold_offline_seconds: 1_000 },
    { date: '2026-02-02', sold_online_seconds: 4_000 },
  ]);
});

it('a day whose file is written while the account still has it counts once', async () => {
  const phones = [phoneDay('p1', [4_000], { interruptions: 1 })];
  const running = [accountDay('2026-02-02', BERLIN, phones), accountDay('2026-02-03', BERLIN, phones)];
  expect(await monthOf({ unwritten: () => running }, 'account=main&phone=p1')).toMatchObject({
    rows: [{ sold_online: 11_000, interruptions: 4 }],
    days: [
      { date: '2026-02-01' },
      { date: '2026-02-02', sold_online_seconds: 4_000 },
      { date: '2026-02-03' },
    ],
  });
});

it.each(['account=main&phone=1', 'account=other&phone=p1', 'account=main&phone=p1&month=2026-01'])(
  'the month of a phone that it does not have is empty: %s',
  async (query) => {
    const { status, text } = await ask(query);
    expect([status, JSON.parse(text)]).toMatchObject([200, { rows: [], days: [] }]);
  },
);

it('a phone without its account is refused', async () => {
  expect(await ask('phone=p1')).toMatchObject({
    status: 400,
    text: expect.stringContaining('account=NAME with phone=ID'),
  });
});

it.each([
  ['format=csv', undefined],
  ['', 'text/csv'],
  ['', 'text/csv;q=0.9, application/json;q=0.5'],
])('CSV can be asked for: %s %s', async (query, accept) => {
  expect((await ask(query, accept)).headers['content-type']).toBe('text/csv; charset=utf-8');
});

it.each([
  ['', ','],
  ['&separator=comma', ','],
  ['&separator=semicolon', ';'],
])('CSV has a byte order mark and the separator that was asked for: "%s"', async (query, separator) => {
  const { text, headers } = await ask(`format=csv${query}`);
  expect(text.split('\n')[0]).toMatch(new RegExp(`^\uFEFFname${separator}account${separator}`));
  expect(text.split('\n')[2]).toBe([`"'=1+1"`, 'main', 'p2', 4000, 0, 0, 0, 0, 0, 82400, 0].join(separator));
  expect(headers['vary']).toBe('Accept');
});

it.each([
  ['3/12', `"'3/12"`],
  ['1e5', `"'1e5"`],
  ['10:30', `"'10:30"`],
  ['Dec-3', `"'Dec-3"`],
  ['TRUE', `"'TRUE"`],
  ['€5', `"'€5"`],
  ['＝1+1', `"'＝1+1"`],
  ['a;b', '"a;b"'],
  ['Büro/1', 'Büro/1'],
  ['rack-01/3', 'rack-01/3'],
  ['phone 12', '"phone 12"'],
  ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['-', `"'-"`],
  [' rack', `"' rack"`],
])('the label %s is %s in the CSV, so that a spreadsheet leaves it as it is', async (label, expected) => {
  write('2026-06-01', phoneDay('p1', [86_400], { label }));
  const { text } = await ask('month=2026-06&format=csv&separator=comma');
  expect(text.split('\n')[1]).toBe(`${expected},main,p1,86400,0,0,0,0,0,0,0`);
});

it.each([
  ['month=2026-01', 404],
  ['month=2026-13', 400],
  ['month=../../etc/passwd', 400],
  ['by=rack', 400],
  ['format=xml', 400],
  ['format=CSV', 400],
  ['separator=;', 400],
])('%s is answered with %i', async (query, status) => {
  expect((await ask(query)).status).toBe(status);
});

it('a daemon that keeps no months says so', async () => {
  expect((await answerOf({ directory: undefined }, '')).status).toBe(404);
});

describe('the days that no file has yet', () => {
  const unwritten = (month: string): readonly AccountDay[] => [
    accountDay(`${month}-03`, BERLIN, [phoneDay('p1', [5_000])]),
    accountDay(`${month}-04`, BERLIN, [
      phoneDay('p1', [600, 0, 0, 300], { label: 'rack-02/1', group: 'rack-02' }),
    ]),
  ];
  const rowsOf = async (query: string) => (await monthOf({ unwritten }, query)).rows;

  it('count along with those in the files, and the last name is used', async () => {
    expect(await rowsOf('')).toMatchObject([
      { id: 'p1', name: 'rack-02/1', sold_online: 12_600, sold_offline: 1_000, idle: 300 },
      { id: 'p2', sold_online: 4_000 },
    ]);
  });

  it('are a month without a file', async () => {
    expect(await rowsOf('month=2026-03')).toMatchObject([{ id: 'p1', sold_online: 5_600 }]);
  });
});

it('a phone that left and returned was unknown in between, by the days of the owner', async () => {
  const firstListedAt = midnightOf(BERLIN, '2026-03-23') + 3_600_000;
  const leftAt = midnightOf(BERLIN, '2026-03-28') + 3_600_000;
  const unwritten = (): readonly AccountDay[] => [
    accountDay('2026-03-23', BERLIN, [phoneDay('p1', [82_800], { firstListedAt })]),
    accountDay('2026-03-28', BERLIN, [phoneDay('p1', [3_600], { firstListedAt, leftAt })]),
    accountDay('2026-03-31', BERLIN, [phoneDay('p1', [3_600], { firstListedAt })]),
  ];
  // Four days until the 28th, its other 23 hours, the 29th, which has 23 hours, the 30th and 23 hours of the 31st.
  expect((await monthOf({ unwritten }, 'month=2026-03&by=model')).rows).toMatchObject([
    { name: 'M1', sold_online: 82_800 + 7_200, unknown: (4 * 24 + 23 + 23 + 24 + 23) * 3_600 },
  ]);
});

it('a phone that was listed before the month is unknown until its first day in it', async () => {
  const day = accountDay('2026-04-03', BERLIN, [phoneDay('p1', [86_400])]);
  expect((await monthOf({ unwritten: () => [day] }, 'month=2026-04')).rows).toMatchObject([
    { sold_online: 86_400, unknown: 2 * 86_400 },
  ]);
});

it('a day that cannot be read counts as unknown, and the log says so', async () => {
  write('2025-03-01', phoneDay('p1', [86_400]));
  write('2025-03-04', phoneDay('p1', [86_400]));
  writeFileSync(join(directory, '2025-03-02.jsonl'), 'damaged');
  mkdirSync(join(directory, '2025-03-03.jsonl'));
  expect(JSON.parse((await ask('month=2025-03')).text).rows).toMatchObject([
    { sold_online: 2 * 86_400, unknown: 2 * 86_400 },
  ]);
  const warning = 'a month file cannot be read: its day counts as unknown';
  expect(warnings).toEqual([warning, warning]);
});

it('a folder that hangs is one line in the log, until a month is read without it', async () => {
  let isHanging = true;
  const logged: string[] = [];
  const answerOf = createMonthResponse({
    ...SOURCES,
    disk: {
      use: async (_, operation) => {
        if (isHanging) throw new HangingFile('the file system does not respond');
        return await operation();
      },
      warnings: () => [],
    },
    log: { ...silentLog, warn: (_, text) => void logged.push(text) },
  });
  const askFor = async (month: string) =>
    await answerOf(requestOf({ query: new URLSearchParams(`month=${month}`) }));
  for (const month of ['2026-02', '2026-01', '2026-02', '2026-02']) {
    const { status, content } = await askFor(month);
    expect([status, Buffer.concat(content).toString()]).toEqual([
      503,
      `the files of ${month} cannot be read: the file system does not respond\n`,
    ]);
  }
  expect(logged).toHaveLength(1);
  isHanging = false;
  await askFor('2026-02');
  isHanging = true;
  await askFor('2026-02');
  expect(logged).toHaveLength(2);
});

describe('requests for one month', () => {
  const snapshot: Snapshot = { accounts: [], causes: NO_CAUSES, events: [] };
  let reads = 0;
  const unwritten = function* (): Generator<AccountDay | undefined> {
    reads += 1;
    for (let day = 1; day <= 20; day += 1)
      yield accountDay(`2026-07-${String(day).padStart(2, '0')}`, BERLIN, [phoneDay('p1', [5_000])]);
  };
  let prices: readonly Price[] = [];
  const sources = { ...SOURCES, snapshot: () => snapshot, unwritten, prices: () => prices };

  it('share its result until the snapshot or a price changes', async () => {
    reads = 0;
    const answerOf = createMonthResponse(sources);
    const request = requestOf({ query: new URLSearchParams('month=2026-07') });
    await Promise.all([answerOf(request), answerOf(request)]);
    await answerOf(request);
    expect(reads).toBe(1);
    prices = [{ group: undefined, model: undefined, centsPerDay: 5 }];
    const { content } = await answerOf(request);
    expect(JSON.parse(Buffer.concat(content).toString()).rows[0]).toHaveProperty('estimate');
  });

  it('end when all of their clients are gone, and a later one gets the whole month', async () => {
    let turns = 0;
    const answerOf = createMonthResponse({
      ...sources,
      yieldToEventLoop: async () => {
        turns += 1;
      },
    });
    const query = new URLSearchParams('month=2026-07');
    await answerOf(requestOf({ query, isGone: () => turns > 3 }));
    expect(turns).toBe(4);
    const one = answerOf(requestOf({ query, isGone: () => turns > 8 }));
    const { content } = await answerOf(requestOf({ query }));
    await one;
    expect(JSON.parse(Buffer.concat(content).toString()).days).toHaveLength(20);
  });
});

describe('a price', () => {
  const prices = [
    { group: 'rack-02', model: undefined, centsPerDay: 1 },
    { group: undefined, model: 'M1', centsPerDay: 86_400 },
    { group: undefined, model: undefined, centsPerDay: 5 },
  ];
  it('makes an estimate of what silence and idleness cost; the first that names the phone counts', async () => {
    expect((await monthOf({ prices: () => prices }, 'by=group')).rows).toMatchObject([
      { name: 'rack-01', estimate: { offlineCents: 1_000, idleCents: 0 } },
    ]);
  });

  it('makes none for a phone that none is for', async () => {
    const only = { prices: () => [{ group: 'rack-09', model: undefined, centsPerDay: 1 }] };
    expect((await monthOf(only, '')).rows[0]).not.toHaveProperty('estimate');
    expect((await answerOf(only, 'format=csv')).text.split('\n')[1]).toMatch(/,3,,$/);
  });

  it('adds two columns to the CSV', async () => {
    const [head, first] = (await answerOf({ prices: () => prices }, 'format=csv')).text.split('\n');
    expect(head).toMatch(/,interruptions,estimated_offline_cents,estimated_idle_cents$/);
    expect(first).toMatch(/,3,1000,0$/);
  });
});
