import { describe, expect, it } from 'vitest';
import { lastDayOf, lastDayText } from '../../../../src/features/page/browser/last-day.ts';
import type { FleetPhone } from '../../../../src/fleet/document.ts';
import { account, NOON, phone } from '../../fleet/phone.ts';

type FleetSpell = NonNullable<FleetPhone['lastDay']>[number];

const HOUR = 3_600_000;

/** Instants are hours before noon. */
const at = (hours: number): string => new Date(NOON - hours * HOUR).toISOString();
const spell = (state: FleetSpell['state'], from: number, to?: number): FleetSpell => ({
  state,
  from: at(from),
  to: to === undefined ? undefined : at(to),
});

/** The parts in hours. */
const dayOf = (
  spells: readonly FleetSpell[],
  unseen: readonly (readonly [number, number])[] = [],
  seen = 0,
) =>
  lastDayOf(
    phone({ lastDay: spells }),
    account({ unseen: unseen.map(([from, to]) => ({ from: at(from), to: at(to) })) }),
    NOON - seen * HOUR,
    NOON,
  );
const shortOf = (parts: ReturnType<typeof dayOf>) =>
  parts.map(({ state, milliseconds }) => `${state} ${milliseconds / HOUR}`);

describe('the last day of a phone', () => {
  it.each([
    ['that only reported', dayOf([]), ['online 24']],
    ['that was offline', dayOf([spell('offline', 5, 3)]), ['online 19', 'offline 2', 'online 3']],
    ['that is offline still', dayOf([spell('offline', 5)], [], 1), ['online 19', 'offline 4', 'unknown 1']],
    ['that was offline before, too', dayOf([spell('offline', 30, 20)]), ['offline 4', 'online 20']],
    [
      'of which a part was not seen',
      dayOf([spell('offline', 8, 2)], [[6, 4]]),
      ['online 16', 'offline 2', 'unknown 2', 'offline 2', 'online 2'],
    ],
    [
      'that was worked on and is new',
      dayOf([spell('unknown', 24, 6), spell('offline', 6, 5), spell('maintenance', 5, 4)]),
      ['unknown 18', 'offline 1', 'maintenance 1', 'online 4'],
    ],
  ])('%s has parts that adjoin', (_, parts, expected) => {
    expect(shortOf(parts)).toEqual(expected);
    expect(parts.reduce((sum, { milliseconds }) => sum + milliseconds, 0)).toBe(24 * HOUR);
  });

  it('is told in words', () => {
    expect(lastDayText(dayOf([]))).toBe('Last 24 h: online all the time');
    expect(lastDayText(dayOf([spell('offline', 8, 6), spell('offline', 3, 2.5)], [[5, 4]]))).toBe(
      'Last 24 h: offline 2 h 30 min, no data 1 h',
    );
  });
});
