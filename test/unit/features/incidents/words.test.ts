import { expect, it } from 'vitest';
import { comparisonText, incidentsText, weekText } from '../../../../src/features/incidents/words.ts';
import { NOON } from '../../../builders.ts';
import { incident } from '../chat/fleet.ts';

it('a chat gets a sum and the newest incidents, with their ends', () => {
  const outage = incident({
    ...{ problem: 'common_cause', phone: undefined, label: undefined, kind: 'group', value: 'rack-03' },
    ...{ allPhones: 9, mostSoldPhones: 2, since: '2026-03-01T10:00:00.000Z' },
    ...{ endedAt: '2026-03-01T10:12:00.000Z', reason: 'back', reasonText: 'back online' },
  });
  const time = (instant: number | undefined) => new Date(instant ?? 0).toISOString().slice(11, 16);
  expect(incidentsText([incident(), outage], NOON, time, (text) => text)).toBe(
    [
      'Last 31 days: 2 incidents, 1 outage, 1 open; median to repair 12 min, longest 12 min.',
      '11:38 Sold, offline, rack-01/slot-01: open for 22 min',
      '10:00 Outage, rack-03: 12 min, back online, 2 sold phones',
    ].join('\n'),
  );
  expect(incidentsText([], NOON, time, (text) => text)).toBe('Last 31 days: No incidents.');
});

it('a week is summed up beside the one before, with the worst places and what is still open', () => {
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
  expect(weekText(incidents, NOON, (text) => text)).toBe(
    [
      'Last 7 days: 3 incidents, 1 open; median to acknowledge 1 min, median to repair 2 h, longest 3 h. The week before: 1 incident.',
      'Sold time offline: 1 h (about 0.40, estimated), before: 0 s.',
      'Most of it: rack-01 1 h.',
      'Phones: rack-01/slot-01 1 h.',
      'Sold, offline, attic 1: open for 22 min',
    ].join('\n'),
  );
  expect(weekText(incidents.slice(3), NOON, (text) => text)).toBe(
    'Last 7 days: no incidents; 1 in the week before.',
  );
});

it('31 days are compared with those before, with the places that cost most', () => {
  const none = { incidents: 0, outages: 0, open: 0, soldOfflineSeconds: 0 };
  const row = (name: string, soldOfflineSeconds: number) => ({
    ...{ name, ...none, incidents: 3, soldOfflineSeconds, before: { ...none, incidents: 2 } },
  });
  const lines = (...rows: readonly ReturnType<typeof row>[]) =>
    comparisonText(rows, { accounts: [] }, (text) => text);
  expect(lines(row('total', 7_200), row('rack-01', 5_400), row('rack-02', 1_800), row('rack-03', 0))).toEqual(
    [
      'The 31 days before: 2 incidents.',
      'Sold time offline: 2 h, before: 0 s.',
      'Most of it: rack-01 1 h 30 min, rack-02 30 min.',
    ],
  );
  expect(lines(row('total', 0))).toEqual(['The 31 days before: 2 incidents.']);
  expect(lines()).toEqual([]);
});
