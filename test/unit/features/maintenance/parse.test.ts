import { describe, expect, it } from 'vitest';
import { createTimeZone } from '../../../../src/base/time-zone.ts';
import { parseMaintenance } from '../../../../src/features/maintenance/parse.ts';

const HOUR = 3_600_000;
const KYIV = createTimeZone('Europe/Kyiv');
/** 14:00 in Kyiv. */
const NOW = Date.UTC(2026, 2, 1, 12);

describe('words about work', () => {
  it.each([
    ['rack-03 2h moving', 'rack-03', 2 * HOUR, 'moving'],
    ['rack-03 2 h', 'rack-03', 2 * HOUR, ''],
    ['rack-03 2 hours moving it', 'rack-03', 2 * HOUR, 'moving it'],
    ['rack-03 90min', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 90 min', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 1h30', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 1h30m', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 1 h 30 min', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 1,5h', 'rack-03', 1.5 * HOUR, ''],
    ['rack-03 1 day', 'rack-03', 24 * HOUR, ''],
    ['rack-03 2W', 'rack-03', 336 * HOUR, ''],
    ['rack-03 5s', 'rack-03', 5_000, ''],
    ['rack-03 back', 'rack-03', 'back', ''],
    ['rack-03 until Back now', 'rack-03', 'back', 'now'],
    ['rack-03 18:00', 'rack-03', { until: Date.UTC(2026, 2, 1, 16) }, ''],
    ['rack-03 until 9:30', 'rack-03', { until: Date.UTC(2026, 2, 2, 7, 30) }, ''],
    ['phone nr 2 30m', 'phone nr 2', 0.5 * HOUR, ''],
    ['Rack 04 links 1h cables', 'Rack 04 links', HOUR, 'cables'],
    ['rack-01, rack-02 2h', 'rack-01, rack-02', 2 * HOUR, ''],
    ['rack-03', 'rack-03', undefined, ''],
    ['rack-03 30', 'rack-03 30', undefined, ''],
    ['rack-03 25:00', 'rack-03 25:00', undefined, ''],
    ['2h', '2h', undefined, ''],
  ])('%s are a name, an end and a reason', (words, name, end, reason) => {
    expect(parseMaintenance(words, NOW, KYIV)).toEqual({ name, end, reason });
  });

  it('mean the first of two hours when summer time ends, and a later one where it begins', () => {
    expect(parseMaintenance('a 3:30', Date.UTC(2026, 9, 24, 22), KYIV).end).toEqual({
      until: Date.UTC(2026, 9, 25, 0, 30),
    });
    expect(parseMaintenance('a 3:30', Date.UTC(2026, 2, 28, 23), KYIV).end).toEqual({
      until: Date.UTC(2026, 2, 29, 1, 30),
    });
  });
});
