import { expect, it } from 'vitest';
import { incidentsText } from '../../../../src/features/incidents/words.ts';
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
      'Last 31 days: 2 incidents, 1 outage, 1 open, median 22 min, longest 22 min.',
      '11:38 Sold, offline, rack-01/slot-01: open for 22 min',
      '10:00 Outage, rack-03: 12 min, back online, 2 sold phones',
    ].join('\n'),
  );
  expect(incidentsText([], NOON, time, (text) => text)).toBe('Last 31 days: No incidents.');
});
