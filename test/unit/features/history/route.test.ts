import { expect, it } from 'vitest';
import { finish } from '../../../../src/base/steps.ts';
import { createTimeZone, dateAt, midnightOf } from '../../../../src/base/time-zone.ts';
import { picturesOf } from '../../../../src/features/history/browser/pictures.ts';
import { HISTORY_COLUMNS, HISTORY_DOCUMENT } from '../../../../src/features/history/document.ts';
import { HISTORY, type HistoryRow, movementSince } from '../../../../src/features/history/history.ts';
import { createHistoryResponse } from '../../../../src/features/history/route.ts';
import { step } from '../../../../src/judge/step.ts';
import { NEW_ACCOUNT } from '../../../../src/model/account.ts';
import type { Snapshot } from '../../../../src/model/snapshot.ts';
import { HOUR, MINUTE } from '../../../../src/model/time.ts';
import { accountOf, bareDevice, fleetDevice, fleetOf, NOON, settingsWith } from '../../../builders.ts';
import { requestOf } from '../../../route-sources.ts';

const UTC = createTimeZone('UTC');

const rowAt = (at: number, values: Partial<Record<string, number>>): HistoryRow => [
  at,
  ...HISTORY_COLUMNS.map((column) => values[column] ?? null),
];

const ROWS: readonly HistoryRow[] = [
  rowAt(NOON - HOUR, { listed: 5, sold_online: 3, sold_offline: 1 }),
  rowAt(NOON - 30 * MINUTE, { listed: 6 }),
  rowAt(NOON - 10 * MINUTE, { balance_cents: 1_234 }),
];
const account = accountOf();
const SNAPSHOT: Snapshot = {
  accounts: [{ ...account, currency: 'EUR', known: HISTORY.with(account.known, ROWS) }],
  causes: { list: [], listedAt: new Map() },
  events: [],
};

async function ask(query: string) {
  const answer = createHistoryResponse(
    () => SNAPSHOT,
    () => NOON + 3 * MINUTE,
    () => UTC,
  );
  const { status, content } = await answer(requestOf({ query: new URLSearchParams(query) }));
  return { status, text: Buffer.concat(content).toString() };
}

it('gives every ten minutes of some hours, and null for times that nobody saw', async () => {
  const { accounts, step_seconds } = HISTORY_DOCUMENT.parse(JSON.parse((await ask('hours=1')).text));
  expect(step_seconds).toBe(600);
  expect(accounts).toMatchObject([
    {
      ...{ account: 'main', currency: 'EUR' },
      ends: [60, 50, 40, 30, 20, 10, 0].map((minutes) => NOON / 1_000 - minutes * 60),
      listed: [5, null, null, 6, null, null, null],
      sold_offline: [1, null, null, null, null, null, null],
      balance_cents: [null, null, null, null, null, 1_234, null],
    },
  ]);
});

it('gives the last of each hour of some days', async () => {
  const { accounts, step_seconds } = HISTORY_DOCUMENT.parse(JSON.parse((await ask('days=1')).text));
  expect([step_seconds, accounts[0]?.ends.length]).toEqual([3_600, 25]);
  expect(accounts[0]?.listed.slice(-3)).toEqual([null, 5, null]);
  expect(accounts[0]?.balance_cents.slice(-3)).toEqual([null, null, 1_234]);
});

it('ends with the counts of the last list, while they are fresh', async () => {
  const at = NOON + 2 * MINUTE;
  const fleet = { ...fleetOf(fleetDevice(bareDevice({ id: 'p1' }))), apiTime: at };
  const known = { ...HISTORY.with(account.known, ROWS), fleet };
  const present = { ...account, known, devices: { ...account.devices, state: 'fresh' as const } };
  const answer = createHistoryResponse(
    () => ({ ...SNAPSHOT, accounts: [present] }),
    () => NOON + 3 * MINUTE,
    () => UTC,
  );
  const { content } = await answer(requestOf({ query: new URLSearchParams('hours=1') }));
  const { accounts } = HISTORY_DOCUMENT.parse(JSON.parse(Buffer.concat(content).toString()));
  expect(accounts[0]?.ends.slice(-2)).toEqual([NOON / 1_000, at / 1_000]);
  expect([accounts[0]?.listed, accounts[0]?.balance_cents].map((column) => column?.slice(-1))).toEqual([
    [1],
    [null],
  ]);
});

it.each([
  ['UTC', '2026-03-01T00:00:00Z'],
  ['Asia/Kolkata', '2026-02-28T18:30:00Z'],
  ['Asia/Kathmandu', '2026-02-28T18:15:00Z'],
  ['Pacific/Chatham', '2026-02-28T10:15:00Z'],
])('has the money of today, which the bar of today shows too, in %s', async (name, midnight) => {
  const zone = createTimeZone(name);
  const start = Date.parse(midnight);
  const settings = settingsWith({ parts: [HISTORY.bind(zone)] });
  for (const [minutes, gap] of [
    [7, 0],
    [73, 0],
    [9 * 60 + 41, 0],
    [9 * 60 + 41, 2 * 60],
  ] as const) {
    let known = NEW_ACCOUNT;
    const end = start + minutes * MINUTE;
    for (let at = start - 60 * HOUR; at <= end; at += MINUTE) {
      if (Math.abs(at - start) < (gap / 2) * MINUTE) continue;
      const cents = (at - start) / MINUTE + 10_000;
      const amounts = { availableCents: cents, pendingCents: undefined, totalCents: undefined };
      const observation = { kind: 'balance', elapsed: undefined, balance: amounts, apiTime: at } as const;
      known = finish(step(known, observation, settings));
    }
    const fresh = { ...account.devices, state: 'fresh' as const };
    const balance = { ...account.balance, state: 'fresh' as const };
    const fleet = { ...fleetOf(), apiTime: end };
    const present = { ...account, known: { ...known, fleet }, devices: fresh, balance };
    const answer = createHistoryResponse(
      () => ({ ...SNAPSHOT, accounts: [present] }),
      () => end,
      () => zone,
    );
    const { content } = await answer(requestOf({ query: new URLSearchParams('days=31') }));
    const shown = HISTORY_DOCUMENT.parse(JSON.parse(Buffer.concat(content).toString()));
    const bars = picturesOf(shown, undefined, zone).at(-1)?.lines[0]?.values;
    const today = movementSince(known, midnightOf(zone, dateAt(zone, end)))?.increaseCents;
    expect(bars?.slice(gap > 0 ? -1 : -2)).toEqual([...(gap > 0 ? [] : [1_440]), today]);
    expect(today).toBe(minutes - gap / 2);
  }
});

it('gives a day where nothing is asked for', async () => {
  expect(HISTORY_DOCUMENT.parse(JSON.parse((await ask('')).text)).accounts[0]?.ends).toHaveLength(145);
});

it.each(['hours=49', 'hours=0', 'hours=1.5', 'days=32', 'days=-1', 'days=', 'hours=1&days=1', 'hours=1e1'])(
  'refuses %s, and says what it expects',
  async (query) => {
    expect(await ask(query)).toEqual({ status: 400, text: 'expected hours=1 to 48, or days=1 to 31\n' });
  },
);
