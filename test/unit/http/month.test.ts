import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createMonthResponse } from '../../../src/http/month.ts';
import { requestOf } from '../../route-sources.ts';

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

const answer = createMonthResponse({ directory, present: () => '2026-02' });
const ask = async (query: string, accept?: string) => {
  const reply = await answer(requestOf({ query: new URLSearchParams(query), accept }));
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

it.each([
  ['format=csv', undefined],
  ['', 'text/csv'],
])('CSV can be asked for: %s %s', async (query, accept) => {
  const { text, headers } = await ask(query, accept);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(text.split('\n')[2]).toBe(`"'=1+1",main,p2,4000,0,0,0,0,0,82400,0`);
});

it.each([
  ['month=2026-01', 404],
  ['month=2026-13', 400],
  ['month=../../etc/passwd', 400],
  ['by=rack', 400],
])('%s is answered with %i', async (query, status) => {
  expect((await ask(query)).status).toBe(status);
});

it('a daemon that keeps no months says so', async () => {
  const none = createMonthResponse({ directory: undefined, present: () => '2026-02' });
  expect((await none(requestOf())).status).toBe(404);
});
