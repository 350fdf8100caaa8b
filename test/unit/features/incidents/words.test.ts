import { expect, it } from 'vitest';
import { numbersOf } from '../../../../src/features/incidents/statistics.ts';
import { comparisonText, incidentsText, weekText } from '../../../../src/features/incidents/words.ts';
import type { FleetIncident } from '../../../../src/fleet/document.ts';
import { NOON } from '../../../builders.ts';
import { accountOf, incident, view } from '../../fleet/fleet.ts';

const DAY = 86_400_000;
const MONTH_AGO = new Date(NOON - 31 * DAY).toISOString();
const LONG_AGO = new Date(NOON - 400 * DAY).toISOString();

/** Without the marks of texts by others. */
const plain = (text: string): string => text.replaceAll(/[\uE000\uE001]/g, '');

it('a chat gets a sum and the newest incidents, with their ends', () => {
  const outage = incident({
    ...{ problem: 'common_cause', phone: undefined, label: undefined, kind: 'group', value: 'rack-03' },
    ...{ allPhones: 9, mostSoldPhones: 2, since: '2026-03-01T10:00:00.000Z' },
    ...{ endedAt: '2026-03-01T10:12:00.000Z', reason: 'back', reasonText: 'back online' },
  });
  expect(plain(incidentsText({ from: LONG_AGO, incidents: [incident(), outage] }, view()))).toBe(
    [
      'Last 31 days: 2 incidents, 1 outage, 1 open; median time to repair 12 min, longest 12 min.',
      'Sold, offline: rack-01/slot-01, since 13:38 (22 min)',
      'Outage: rack-03 (9 phones, 2 sold), 12:00–12:12 (12 min), back online',
    ].join('\n'),
  );
  expect(incidentsText({ from: LONG_AGO, incidents: [] }, view())).toBe('Last 31 days: No incidents.');
  const short = new Date(NOON - 28 * 60_000).toISOString();
  expect(incidentsText({ from: short, incidents: [] }, view())).toBe(
    'Since 13:32 (no earlier data): No incidents.',
  );
});

it('a week is summed up next to the one before, with the worst places and what is still open', () => {
  const ended = { endedAt: '2026-02-27T13:00:00.000Z', reason: 'back', reasonText: 'back online' } as const;
  const incidents = [
    incident({ group: '', label: 'attic 1' }),
    incident({
      ...{ since: '2026-02-27T12:00:00.000Z', openedAt: '2026-02-27T12:04:00.000Z', ...ended },
      ...{ soldOfflineSeconds: 3_600, estimatedCents: 40, acknowledgedAt: '2026-02-27T12:05:00.000Z' },
    }),
    incident({ since: '2026-02-27T10:00:00.000Z', openedAt: '2026-02-27T10:04:00.000Z', ...ended }),
    incident({
      ...{ since: '2026-02-20T10:00:00.000Z', openedAt: '2026-02-20T10:04:00.000Z' },
      ...{ ...ended, endedAt: '2026-02-20T11:00:00.000Z' },
    }),
    incident({ severity: 'info' }),
  ];
  const fleet = view({ accounts: [accountOf({ currency: undefined })] });
  expect(plain(weekText({ from: LONG_AGO, incidents }, fleet))).toBe(
    [
      'Last 7 days: 3 incidents, 1 open; median time to acknowledge 1 min, median time to repair 2 h, longest 3 h. The week before: 1 incident.',
      'Sold time offline: 1 h (about 0.40, estimated), before: 0 s.',
      'Worst: rack-01 1 h.',
      'Phones: rack-01/slot-01 1 h.',
      'Sold, offline: attic 1, since 13:38 (22 min)',
    ].join('\n'),
  );
  expect(weekText({ from: LONG_AGO, incidents: incidents.slice(3) }, fleet)).toBe(
    'Last 7 days: no incidents. The week before: 1 incident.',
  );
});

it('31 days are compared with those before, with the places that cost most', () => {
  const none = { incidents: 0, outages: 0, open: 0, soldOfflineSeconds: 0 };
  const row = (name: string, soldOfflineSeconds: number) => ({
    ...{ name, ...none, incidents: 3, soldOfflineSeconds, before: { ...none, incidents: 2 } },
  });
  const lines = (...rows: readonly ReturnType<typeof row>[]) =>
    comparisonText({ version: 1, from: MONTH_AGO, knownFrom: LONG_AGO, rows }, { accounts: [] }, NOON).map(
      plain,
    );
  expect(lines(row('total', 7_200), row('rack-01', 5_400), row('rack-02', 1_800), row('rack-03', 0))).toEqual(
    [
      'The 31 days before: 2 incidents.',
      'Sold time offline: 2 h, before: 0 s.',
      'Worst: rack-01 1 h 30 min, rack-02 30 min.',
    ],
  );
  expect(lines(row('total', 0))).toEqual(['The 31 days before: 2 incidents.']);
  expect(lines()).toEqual([]);
});

it('a week of two currencies adds neither them nor the groups of two accounts with the same name', () => {
  const accounts = [accountOf({ name: 'one', currency: 'EUR' }), accountOf({ name: 'two', currency: 'USD' })];
  const own = (account: string, estimatedCents: number) =>
    incident({ id: account, account, group: 'rack-01', soldOfflineSeconds: 3_600, estimatedCents });
  const lines = plain(
    weekText({ from: LONG_AGO, incidents: [own('one', 250), own('two', 90_000)] }, view({ accounts })),
  ).split('\n');
  expect(lines[1]).toBe('Sold time offline: 2 h (about €2.50 + $900.00, estimated), before: 0 s.');
  expect(lines[2]).toBe('Worst: rack-01 of one 1 h, rack-01 of two 1 h.');
});

it('the cost of an account that was removed, or has another currency now, is in the currency that it had', () => {
  const own = (account: string, currency?: string) =>
    incident({ id: account, account, estimatedCents: 100, ...(currency !== undefined && { currency }) });
  const incidents = [own('removed', 'UAH'), own('gone', 'VND'), own('main', 'EUR'), own('main')];
  expect(numbersOf(incidents, (account) => (account === 'main' ? 'USD' : undefined)).estimates).toEqual(
    ['UAH', 'VND', 'EUR', 'USD'].map((currency) => ({ currency, cents: 100 })),
  );
});

it('the time to repair counts only incidents that were repaired', () => {
  const since = new Date(NOON - 60_000).toISOString();
  const times = (reason: FleetIncident['reason'], problem: FleetIncident['problem'] = 'sold_offline') =>
    numbersOf([incident({ problem, since, endedAt: new Date(NOON).toISOString(), reason })], () => undefined);
  for (const reason of ['back', 'readable', 'works_again', 'key_taken', 'paid_in'] as const)
    expect(times(reason)).toMatchObject({ repairSeconds: 60, worstRepairSeconds: 60 });
  for (const reason of [
    ...(['maintenance', 'account_removed', 'rented', 'rental_ended', 'left', 'given_up'] as const),
    ...(['not_set_up', 'offline', 'limit_changed', 'limit_removed', 'clock_set', undefined] as const),
  ])
    expect(times(reason)).not.toHaveProperty('repairSeconds');
});

it('compares with nothing that was not watched', () => {
  const lately = new Date(NOON - 3 * DAY).toISOString();
  expect(weekText({ from: lately, incidents: [] }, view({ accounts: [] }))).toBe(
    'Since 26 Feb 14:00 (no earlier data): no incidents.',
  );
  const none = { incidents: 0, outages: 0, open: 0, soldOfflineSeconds: 0 };
  const total = { name: 'total', ...none, incidents: 3, soldOfflineSeconds: 7_200, before: none };
  const statistics = { version: 1, from: MONTH_AGO, knownFrom: lately, rows: [total] } as const;
  expect(comparisonText(statistics, { accounts: [] }, NOON)).toEqual(['Sold time offline: 2 h.']);
});
