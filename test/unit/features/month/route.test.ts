import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import type { UnwrittenDays } from '../../../../src/features/month/files.ts';
import { createMonthResponse } from '../../../../src/features/month/route.ts';
import { NO_TAG_BOOK } from '../../../../src/features/tags/book.ts';
import { createFakeClock } from '../../../fake-clock.ts';
import { requestOf } from '../../../route-sources.ts';

const directory = mkdtempSync(join(tmpdir(), 'hoster-months-'));
afterAll(() => rmSync(directory, { recursive: true }));

const HEAD =
  'date,account,device_id,label,group,model,sold_reporting,sold_silent,self_rented,idle,other,planned,unknown,interruptions';
writeFileSync(
  join(directory, '2026-02.csv'),
  [
    HEAD,
    '2026-02-01,main,p1,rack-01/1,rack-01,M1,3000,1000,0,0,0,0,82400,2',
    "2026-02-01,main,p2,'=1+1,rack-01,M1,4000,0,0,0,0,0,82400,0",
    '2026-02-02,main,p1,rack-01/1,rack-01,M1,4000,0,0,0,0,0,82400,1',
    '',
  ].join('\r\n'),
);

const NOTHING: UnwrittenDays = { from: new Map(), lines: () => [] };
const SOURCES = {
  directory,
  present: () => '2026-02',
  unwritten: () => NOTHING,
  prices: () => [],
  tags: () => NO_TAG_BOOK,
  timeZone: () => createTimeZone('Europe/Berlin'),
  yieldToEventLoop: async () => {},
  clock: createFakeClock(),
};
const answer = createMonthResponse(SOURCES);
const ask = async (query: string, accept?: string, acceptLanguage?: string) => {
  const reply = await answer(requestOf({ query: new URLSearchParams(query), accept, acceptLanguage }));
  return { status: reply.status, text: Buffer.concat(reply.content).toString(), headers: reply.headers };
};

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
        sold_reporting: 7_000,
        sold_silent: 1_000,
        interruptions: 3,
        availability: 0.875,
      },
      { id: 'p2', name: '=1+1', sold_reporting: 4_000, sold_silent: 0 },
    ],
  });
});

it('a group adds up its phones, and has no id', async () => {
  const { rows } = JSON.parse((await ask('by=group')).text);
  expect(rows).toMatchObject([{ name: 'rack-01', phones: 2, sold_reporting: 11_000 }]);
  expect(rows[0]).not.toHaveProperty('id');
});

it('the month of one phone has its days alone', async () => {
  const { rows, days } = JSON.parse((await ask('account=main&phone=p1')).text);
  expect(rows).toMatchObject([{ id: 'p1', sold_reporting: 7_000 }]);
  expect(days).toMatchObject([
    { date: '2026-02-01', sold_reporting_seconds: 3_000, sold_silent_seconds: 1_000 },
    { date: '2026-02-02', sold_reporting_seconds: 4_000 },
  ]);
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
  const { text, headers } = await ask(query, accept);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(text.split('\n')[2]).toBe(`"'=1+1",main,p2,4000,0,0,0,0,0,82400,0`);
});

it.each([
  ['', 'uk-UA,uk;q=0.9,en;q=0.8', ';'],
  ['', 'de', ';'],
  ['', 'en-US,de;q=0.5', ','],
  ['', '*', ','],
  ['', 'not_a_language', ','],
  ['', undefined, ','],
  ['&separator=comma', 'de', ','],
  ['&separator=semicolon', 'en', ';'],
])(
  'CSV has a byte order mark and the separator of the reader: "%s", %s',
  async (query, language, separator) => {
    const { text, headers } = await ask(`format=csv${query}`, undefined, language);
    expect(text.split('\n')[0]).toMatch(new RegExp(`^\uFEFFname${separator}account${separator}`));
    expect(text.split('\n')[2]).toBe(
      [`"'=1+1"`, 'main', 'p2', 4000, 0, 0, 0, 0, 0, 82400, 0].join(separator),
    );
    expect(headers['vary']).toContain('Accept-Language');
  },
);

it.each([
  ['3/12', `"'3/12"`],
  ['01', `"'01"`],
  ['1e5', `"'1e5"`],
  ['12345678901234567890', `"'12345678901234567890"`],
  ['10:30', `"'10:30"`],
  ['3 груд', `"'3 груд"`],
  ['Dec-3', `"'Dec-3"`],
  ['+380', `"'+380"`],
  ['TRUE', `"'TRUE"`],
  ['€5', `"'€5"`],
  ['10:30 PM', `"'10:30 PM"`],
  ['3-Dec-26 10:00', `"'3-Dec-26 10:00"`],
  ['＝1+1', `"'＝1+1"`],
  ['a;b', '"a;b"'],
  ['Büro/1', 'Büro/1'],
  ['rack-01/3', 'rack-01/3'],
  ['phone 12', '"phone 12"'],
  ['123e4567-e89b-12d3-a456-426614174000', '123e4567-e89b-12d3-a456-426614174000'],
  ['-', `"'-"`],
])('the label %s is %s in the CSV, so that a spreadsheet leaves it as it is', async (label, expected) => {
  writeFileSync(
    join(directory, '2026-06.csv'),
    `${HEAD}\n2026-06-01,main,p1,${label},r,M1,1,0,0,0,0,0,0,0\n`,
  );
  const { text } = await ask('month=2026-06&format=csv&separator=comma');
  expect(text.split('\n')[1]).toBe(`${expected},main,p1,1,0,0,0,0,0,0,0`);
});

it.each([
  ['semicolons', ';', '2026-07-01'],
  ['tabs', '\t', '2026-07-01'],
  ['dates with points', ';', '01.07.2026'],
  ['dates with dashes', ';', '1-7-2026'],
  ['American dates', ',', '7/1/2026'],
  ['British dates', ',', '01/07/26'],
  ['Japanese dates', ',', '2026/7/1'],
])(
  'a month file that a spreadsheet saved with %s, a byte order mark and CRLF is read',
  async (_, separator, date) => {
    const second = date.replace(/\b0?1\b/, '02');
    const lines = [
      HEAD,
      `${date},main,p1,"a${separator} ""1""",r,M1,86400,0,0,0,0,0,0,0`,
      `${second},main,p1,"a${separator} ""1""",r,M1,86400,0,0,0,0,0,0,1`,
    ];
    const saved = lines.map((line) => line.replaceAll(/,(?! )/g, separator));
    writeFileSync(join(directory, '2026-07.csv'), `\uFEFF${saved.join('\r\n')}\r\n`);
    const document = JSON.parse((await ask('month=2026-07')).text);
    expect(document.rows).toMatchObject([
      { name: `a${separator} "1"`, sold_reporting: 172_800, unknown: 0, interruptions: 1 },
    ]);
    expect(document).not.toHaveProperty('unreadableLines');
  },
);

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
  const none = createMonthResponse({ ...SOURCES, directory: undefined });
  expect((await none(requestOf())).status).toBe(404);
});

describe('the days that no file has yet', () => {
  const unwritten: UnwrittenDays = {
    from: new Map([['main', '2026-02-02']]),
    lines: (month) => [
      `${month}-02,main,p1,rack-01/1,rack-01,M1,5000,0,0,0,0,0,81400,0\n`,
      `${month}-03,main,p1,rack-02/1,rack-02,M1,600,0,0,300,0,0,0,0\n`,
    ],
  };
  const rowsOf = async (query: string) => {
    const reply = await createMonthResponse({ ...SOURCES, unwritten: () => unwritten })(
      requestOf({ query: new URLSearchParams(query) }),
    );
    return JSON.parse(Buffer.concat(reply.content).toString()).rows;
  };

  it('count in place of what the file has of them, and the name is the last one', async () => {
    expect(await rowsOf('')).toMatchObject([
      { id: 'p1', name: 'rack-02/1', sold_reporting: 8_600, sold_silent: 1_000, idle: 300 },
      { id: 'p2', sold_reporting: 4_000 },
    ]);
  });

  it('are a month without a file', async () => {
    expect(await rowsOf('month=2026-03')).toMatchObject([{ id: 'p1', sold_reporting: 5_600 }]);
  });
});

it('a phone that left and returned was unknown in between, by the days of the owner', async () => {
  const lines = ['23', '28', '31'].map((day) => `2026-03-${day},main,p1,a,r,M1,3600,0,0,0,0,0,0,0\n`);
  const unwritten = (): UnwrittenDays => ({ from: new Map(), lines: () => lines });
  const { content } = await createMonthResponse({ ...SOURCES, unwritten })(
    requestOf({ query: new URLSearchParams('month=2026-03&by=model') }),
  );
  // Six days, of which the 29th has 23 hours, and the rest of the 28th; on the 23rd it may have joined.
  expect(JSON.parse(Buffer.concat(content).toString()).rows).toMatchObject([
    { name: 'M1', sold_reporting: 3 * 3_600, unknown: (6 * 24 - 1 + 23) * 3_600 },
  ]);
});

it('lines that a spreadsheet saved in another form count for nothing, and are counted', async () => {
  const lines = [
    HEAD,
    '2026-05-01,main,p1,a,r,M1,3600,0,0,0,0,0,0,0',
    '2026-05-01,main,p1,a,r,M1,3600,0,0,0,0,0,0,0',
    '2026-05-02|main|p1|a|r|M1|3600|0|0|0|0|0|0|0',
    '03.06.2026,main,p1,a,r,M1,3600,0,0,0,0,0,0,0',
    '2026-05-99,main,p1,a,r,M1,3600,0,0,0,0,0,0,0',
    '',
  ];
  writeFileSync(join(directory, '2026-05.csv'), lines.join('\n'));
  const { text } = await ask('month=2026-05');
  expect(JSON.parse(text)).toMatchObject({ rows: [{ sold_reporting: 3_600 }], unreadableLines: 4 });
  expect(JSON.parse((await ask('')).text)).not.toHaveProperty('unreadableLines');
});

it('a day that a phone has already, or that is twice as long, counts for nothing, and is counted', async () => {
  const day = (date: string, seconds: number) => `${date},main,p1,a,r,M1,${seconds},0,0,0,0,0,0,0`;
  // The 29th has 23 hours; 30 h are a day in which the time zone changed.
  const month = [day('2026-03-28', 108_000), day('2026-03-29', 82_800), day('2026-03-30', 86_400)];
  const wrong = [day('2026-03-31', 172_800), day('2026-03-31', 9_999_999), day('2026-04-01', 86_400)];
  writeFileSync(join(directory, '2026-03.csv'), [HEAD, ...month, HEAD, ...month, ...wrong].join('\n'));
  expect(JSON.parse((await ask('month=2026-03')).text)).toMatchObject({
    rows: [{ sold_reporting: 108_000 + 82_800 + 86_400 }],
    unreadableLines: 6,
  });
  rmSync(join(directory, '2026-03.csv'));
});

it('a month that takes longer than five seconds to read is sent with signs of life before it', async () => {
  const clock = createFakeClock();
  let resume = (): void => {};
  const read = new Promise<void>((resolve) => (resume = resolve));
  const unwritten: UnwrittenDays = { from: new Map(), lines: () => ['\n'] };
  const answer = createMonthResponse({
    ...SOURCES,
    clock,
    unwritten: () => unwritten,
    yieldToEventLoop: () => read,
  });
  const reply = answer(requestOf({ query: new URLSearchParams() }));
  clock.advance(5_000);
  const { status, stream } = await reply;
  const pieces = stream?.[Symbol.asyncIterator]();
  const first = pieces?.next();
  clock.advance(5_000);
  expect([status, (await first)?.value]).toEqual([200, ' ']);
  resume();
  expect(JSON.parse((await pieces?.next())?.value ?? '')).toMatchObject({ month: '2026-02' });
});

describe('a price', () => {
  const prices = [
    { group: 'rack-02', model: undefined, centsPerDay: 1 },
    { group: undefined, model: 'M1', centsPerDay: 86_400 },
    { group: undefined, model: undefined, centsPerDay: 5 },
  ];
  const withPrices = createMonthResponse({ ...SOURCES, prices: () => prices });

  it('makes an estimate of what silence and idleness cost; the first that names the phone counts', async () => {
    const { content } = await withPrices(requestOf({ query: new URLSearchParams('by=group') }));
    expect(JSON.parse(Buffer.concat(content).toString()).rows).toMatchObject([
      { name: 'rack-01', estimate: { silentCents: 1_000, idleCents: 0 } },
    ]);
  });

  it('makes none for a phone that none is for', async () => {
    const only = [{ group: 'rack-09', model: undefined, centsPerDay: 1 }];
    const answerOf = createMonthResponse({ ...SOURCES, prices: () => only });
    const { content } = await answerOf(requestOf({ query: new URLSearchParams() }));
    expect(JSON.parse(Buffer.concat(content).toString()).rows[0]).not.toHaveProperty('estimate');
    const csv = await answerOf(requestOf({ query: new URLSearchParams('format=csv') }));
    expect(Buffer.concat(csv.content).toString().split('\n')[1]).toMatch(/,3,,$/);
  });

  it('adds two columns to the CSV', async () => {
    const { content } = await withPrices(requestOf({ query: new URLSearchParams('format=csv') }));
    const [head, first] = Buffer.concat(content).toString().split('\n');
    expect(head).toMatch(/,interruptions,estimated_silent_cents,estimated_idle_cents$/);
    expect(first).toMatch(/,3,1000,0$/);
  });
});

describe('a group that is worse than the others', () => {
  /** Groups of phones that were each sold for 600 hours, with so many interruptions in all. */
  const compare = async (
    groups: Readonly<Record<string, readonly [phones: number, interruptions: number]>>,
  ) => {
    const lines = Object.entries(groups).flatMap(([group, [phones, interruptions]]) =>
      Array.from({ length: phones }, (_, index) => {
        const own = index === 0 ? interruptions : 0;
        const phone = `main,${group}-${index},${group}/${index},${group},M1`;
        return Array.from({ length: 25 }, (__, day) => {
          const date = `2026-04-${String(day + 1).padStart(2, '0')}`;
          return `${date},${phone},86400,0,0,0,0,0,0,${day === 0 ? own : 0}\n`;
        }).join('');
      }),
    );
    const unwritten = (): UnwrittenDays => ({ from: new Map(), lines: () => lines });
    const { content } = await createMonthResponse({ ...SOURCES, unwritten })(
      requestOf({ query: new URLSearchParams('month=2026-04&by=group') }),
    );
    const { rows } = JSON.parse(Buffer.concat(content).toString());
    return Object.fromEntries(
      rows.map((row: { name: string; timesOthers?: number }) => [row.name, row.timesOthers]),
    );
  };

  it('says how many times as often it was interrupted', async () => {
    expect(await compare({ a: [10, 10], b: [10, 12], c: [10, 40], d: [10, 9] })).toEqual({
      a: undefined,
      b: undefined,
      c: 4,
      d: undefined,
    });
  });

  it('is none where it is chance, has few phones, or has nothing to be compared with', async () => {
    expect(Object.values(await compare({ a: [10, 10], b: [10, 16], c: [10, 9] }))).not.toContainEqual(
      expect.any(Number),
    );
    expect(Object.values(await compare({ a: [10, 10], b: [4, 90], c: [10, 9] }))).not.toContainEqual(
      expect.any(Number),
    );
    expect(Object.values(await compare({ a: [10, 50] }))).not.toContainEqual(expect.any(Number));
  });

  it('is told where the others were never interrupted', async () => {
    expect((await compare({ a: [10, 0], b: [10, 6], c: [10, 0] }))['b']).toBe(6);
  });
});

describe('a month file that is none', () => {
  it('is an error that says so, and later months are answered', async () => {
    mkdirSync(join(directory, '2025-01.csv'));
    execFileSync('mkfifo', [join(directory, '2025-02.csv')]);
    const [folder, pipe, month] = await Promise.all([ask('month=2025-01'), ask('month=2025-02'), ask('')]);
    expect([folder.status, folder.text]).toEqual([500, 'the month file cannot be read: EISDIR\n']);
    expect([pipe.status, pipe.text]).toEqual([
      500,
      expect.stringContaining('a pipe, expected a regular file'),
    ]);
    expect(month.status).toBe(200);
  });

  it.each(['json', 'csv'])('is an error where none of its lines can be read, as %s', async (format) => {
    writeFileSync(join(directory, '2025-04.csv'), `${HEAD}\n2025-04-01|main|p1\n${'x'.repeat(5_000_000)}`);
    expect(await ask(`month=2025-04&format=${format}`)).toMatchObject({
      status: 500,
      text: expect.stringMatching(/^the month file cannot be read: none of its 2 lines is as it was written/),
    });
  });

  it('loses no more than the lines that are no days of a phone', async () => {
    const lines = [
      '2025-03-01,main,p1,a,g,M,1,x,,-5,1e9,NaN,1,1',
      '2025-03-01,main,p2,a,g,M,-1,0,0,0,0,0,0,0',
      'garbage',
      '2025-03-01,main,__proto__,__proto__,__proto__,M,1,1,1,1,1,1,1,1',
      `2025-03-01,main,p3,${'z'.repeat(100_000)},g,M,2,0,0,0,0,0,0,0`,
      '2025-03-02,main,p1,short',
    ];
    writeFileSync(join(directory, '2025-03.csv'), `\uFEFF${HEAD}\n${lines.join('\n')}`);
    expect(JSON.parse((await ask('month=2025-03')).text).rows).toMatchObject([
      { id: '__proto__', sold_reporting: 1 },
      { id: 'p3', sold_reporting: 2 },
    ]);
  });
});
